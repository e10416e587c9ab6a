package io.krypton.multicluster.cluster;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What can be told about a cluster at one moment. */
public record ClusterSnapshot(
    ClusterName name,
    SecretRef secret,
    ClusterState state,
    Instant since,
    @Nullable String serverVersion,
    @Nullable Instant credentialsExpireAt) {

  /** Whether requests to it are worth a try. */
  public boolean isUp() {
    return state instanceof ClusterState.Engaged;
  }

  /** The class of the last failure that still matters, as a word. */
  public Optional<String> lastError() {
    return state instanceof ClusterState.Rejected
        ? Optional.of("KUBECONFIG_REFUSED")
        : state.lastFailure().map(failure -> failure.kind().name());
  }
}
