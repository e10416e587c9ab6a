// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.platform;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.multicluster.client.ClusterFailure;
import io.krypton.multicluster.client.SingleAttempt;
import io.krypton.operator.platform.PlatformDetector.Discovery;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Reads the discovery documents of the API server. */
public final class OpenShiftDiscovery implements Discovery {
  private static final String GROUP = "config.openshift.io";
  private static final JsonMapper JSON = new JsonMapper();

  private final Supplier<Optional<KubernetesClient>> server;
  private final Duration timeout;

  /**
   * @param server empty while nobody knows where the API server is
   */
  public OpenShiftDiscovery(Supplier<Optional<KubernetesClient>> server, Duration timeout) {
    this.server = server;
    this.timeout = timeout;
  }

  @Override
  public DiscoveryResult checkVersion() {
    return ask(
        "/apis/%s/v1".formatted(GROUP),
        new DiscoveryResult.Absent(),
        document ->
            isKind(document, "APIResourceList")
                ? new DiscoveryResult.Present()
                : new DiscoveryResult.Failed("the answer is no APIResourceList"));
  }

  @Override
  public DiscoveryResult checkGroup() {
    return ask(
        "/apis",
        new DiscoveryResult.Failed("there is no list of groups"),
        document -> {
          if (!isKind(document, "APIGroupList")) {
            return new DiscoveryResult.Failed("the answer is no APIGroupList");
          }
          var listed =
              document
                  .path("groups")
                  .valueStream()
                  .anyMatch(group -> group.path("name").asText().equals(GROUP));
          return listed ? new DiscoveryResult.Present() : new DiscoveryResult.Absent();
        });
  }

  private DiscoveryResult ask(
      String path, DiscoveryResult ifMissing, Function<JsonNode, DiscoveryResult> reading) {
    var client = server.get();
    if (client.isEmpty()) {
      return new DiscoveryResult.Failed("no API server is known yet");
    }
    try {
      var document = SingleAttempt.of(client.get(), timeout).raw(path);
      return document == null ? ifMissing : reading.apply(JSON.readTree(document));
    } catch (JsonProcessingException unreadable) {
      return new DiscoveryResult.Failed("the answer is not JSON");
    } catch (KubernetesClientException failed) {
      return new DiscoveryResult.Failed(ClusterFailure.of(failed).message());
    }
  }

  private static boolean isKind(JsonNode document, String kind) {
    return document.path("kind").asText().equals(kind);
  }
}
