package io.krypton.multicluster.cluster;

import io.krypton.multicluster.cluster.client.TokenSource;
import java.util.Optional;

/**
 * Knows the Secrets whose token somebody renews in place. Their clusters use the live token, and a
 * new token in the Secret does not re-engage them.
 */
@FunctionalInterface
public interface LiveTokens {
  Optional<TokenSource> of(SecretRef secret);

  static LiveTokens none() {
    return secret -> Optional.empty();
  }
}
