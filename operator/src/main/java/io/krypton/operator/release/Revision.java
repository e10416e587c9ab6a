package io.krypton.operator.release;

import io.krypton.api.Labels;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One revision of a release as the labels of its Secret tell it. */
public record Revision(
    int version, ReleaseStatus status, Map<String, String> labels, Instant createdAt) {

  public Revision {
    labels = Map.copyOf(labels);
  }

  /** First characters of the fingerprint; missing on releases not made by us. */
  public @Nullable String fingerprintLabel() {
    return labels.get(Labels.FINGERPRINT);
  }

  /** The process that made it; missing if somebody else's Helm did. */
  public @Nullable String instance() {
    return labels.get(Labels.INSTANCE);
  }

  public @Nullable String ownerUid() {
    return labels.get(Labels.OWNER_UID);
  }
}
