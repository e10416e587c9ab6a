// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.kubeconfig;

import io.krypton.multicluster.kubeconfig.ClusterCredentials.CredentialExpiry;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a kubeconfig turned out to be; nothing in it was executed, opened or connected to. */
public sealed interface ParsedKubeconfig {

  /** Reads the current-context of a kubeconfig; never throws, whatever the bytes are. */
  static ParsedKubeconfig parse(byte[] bytes) {
    return parse(bytes, null);
  }

  /** The same with a context by its name; none means the current one. */
  static ParsedKubeconfig parse(byte[] bytes, @Nullable String context) {
    try {
      return KubeconfigPolicy.check(SelectedContext.select(KubeconfigYaml.read(bytes), context));
    } catch (KubeconfigException problem) {
      return new Refused(problem.reason());
    }
  }

  /** Inline credentials for one API server. */
  record Accepted(ApiEndpoint endpoint, ClusterCredentials credentials)
      implements ParsedKubeconfig {

    /** The earlier expiry of the client certificate and the token, if known. */
    public Optional<Instant> credentialsExpireAt() {
      return CredentialExpiry.of(credentials);
    }

    /** The same access with another bearer token. */
    public Accepted withToken(String token) {
      return new Accepted(endpoint, credentials.withToken(token));
    }

    /** A minimal kubeconfig written anew from what was accepted, for child processes. */
    public byte[] toYaml() {
      return KubeconfigWriter.write(this).getBytes(StandardCharsets.UTF_8);
    }
  }

  /** Not usable; the reason names the field and the remedy, never a value. */
  record Refused(String reason) implements ParsedKubeconfig {}
}
