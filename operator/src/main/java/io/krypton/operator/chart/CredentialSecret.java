package io.krypton.operator.chart;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.watch.ApiFailure;
import io.krypton.operator.helm.RepoAccess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Credentials in a Secret of home, with the keys that Flux reads.
 *
 * @param home empty as long as it has not answered
 */
public record CredentialSecret(SecretRef secret, Supplier<Optional<KubernetesClient>> home)
    implements RepoCredentials {
  @Override
  public RepoAccess read() throws IOException {
    var client = home.get().orElseThrow(() -> new IOException(named("home has not answered yet")));
    try {
      var found = client.secrets().inNamespace(secret.namespace()).withName(secret.name()).get();
      if (found == null) {
        throw new IOException(named("it does not exist on home"));
      }
      return RepoAccess.of(parts(found.getData() == null ? Map.of() : found.getData()));
    } catch (KubernetesClientException refused) {
      throw new IOException(named(ApiFailure.of(refused).message()), refused);
    } catch (IllegalArgumentException incomplete) {
      throw new IOException(named(String.valueOf(incomplete.getMessage())), incomplete);
    }
  }

  private static Map<String, String> parts(Map<String, String> data) {
    var parts = new HashMap<String, String>();
    data.forEach(
        (key, value) -> {
          if (RepoAccess.KEYS.contains(key)) {
            parts.put(key, new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8));
          }
        });
    return parts;
  }

  private String named(String problem) {
    return "Secret %s of --chart-repo-credentials-secret: %s".formatted(secret, problem);
  }
}
