// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import io.krypton.multicluster.client.TokenSource;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The credentials of one engagement as they are now: the live token if there is one, else what the
 * Secret holds. Clients and child processes read them on each use, so that neither uses stale ones.
 */
final class LiveCredentials implements TokenSource {
  private final SecretRef secret;
  private final LiveTokens liveTokens;
  private volatile ParsedKubeconfig.Accepted stored;

  LiveCredentials(SecretRef secret, ParsedKubeconfig.Accepted stored, LiveTokens liveTokens) {
    this.secret = secret;
    this.stored = stored;
    this.liveTokens = liveTokens;
  }

  @Override
  public @Nullable String current() {
    var now = stored;
    return liveToken(now).orElseGet(() -> now.credentials().token());
  }

  /** The whole kubeconfig, for child processes. */
  ParsedKubeconfig.Accepted kubeconfig() {
    var now = stored;
    return liveToken(now).map(now::withToken).orElse(now);
  }

  /**
   * Takes over the current content of the Secret, unless it has another API server.
   *
   * @return whether an existing client can continue, because only the token changed
   */
  boolean renew(ParsedKubeconfig.Accepted now) {
    var before = stored;
    if (!before.endpoint().equals(now.endpoint())) {
      return false;
    }
    stored = now;
    return Arrays.equals(before.withToken("").toYaml(), now.withToken("").toYaml());
  }

  private Optional<String> liveToken(ParsedKubeconfig.Accepted now) {
    return liveTokens.of(secret, now.endpoint()).map(TokenSource::current);
  }

  @Override
  public String toString() {
    return "LiveCredentials[" + secret + "]";
  }
}
