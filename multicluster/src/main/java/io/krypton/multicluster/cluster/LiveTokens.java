package io.krypton.multicluster.cluster;

import io.krypton.multicluster.client.TokenSource;
import io.krypton.multicluster.kubeconfig.ApiEndpoint;
import java.util.Optional;

/**
 * Knows the Secrets whose token somebody renews outside of them, such as a kubelet in a file. What
 * it answers may change at any time, so it is asked for each request.
 */
@FunctionalInterface
public interface LiveTokens {
  /**
   * The token to use instead of the stored one.
   *
   * @param endpoint where it would be sent to; a token is for one API server only
   */
  Optional<TokenSource> of(SecretRef secret, ApiEndpoint endpoint);

  static LiveTokens none() {
    return (secret, endpoint) -> Optional.empty();
  }
}
