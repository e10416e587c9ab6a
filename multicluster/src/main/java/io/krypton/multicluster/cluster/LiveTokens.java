// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import io.krypton.multicluster.client.TokenSource;
import io.krypton.multicluster.kubeconfig.ApiEndpoint;
import java.util.Optional;

/**
 * Tokens that are renewed outside of their Secret, e.g. by a kubelet in a file. The result may
 * change at any time, so it is read for each request.
 */
@FunctionalInterface
public interface LiveTokens {
  /**
   * The token to use instead of the stored one.
   *
   * @param endpoint where the token would be sent to; a token is for one API server only
   */
  Optional<TokenSource> of(SecretRef secret, ApiEndpoint endpoint);

  static LiveTokens none() {
    return (secret, endpoint) -> Optional.empty();
  }
}
