package io.krypton.operator.platform;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.krypton.multicluster.cluster.client.Failure;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Asks the discovery documents of the API server. */
public final class ApiDiscovery implements Discovery {
  private static final String GROUP = "config.openshift.io";
  private static final JsonMapper JSON = new JsonMapper();

  private final Supplier<Optional<KubernetesClient>> server;
  private final Duration timeout;

  /**
   * @param server empty while nobody knows where the API server is
   */
  public ApiDiscovery(Supplier<Optional<KubernetesClient>> server, Duration timeout) {
    this.server = server;
    this.timeout = timeout;
  }

  @Override
  public Answer version() {
    return ask(
        "/apis/%s/v1".formatted(GROUP),
        new Answer.No(),
        document ->
            isKind(document, "APIResourceList")
                ? new Answer.Yes()
                : new Answer.Failed("the answer is no APIResourceList"));
  }

  @Override
  public Answer group() {
    return ask(
        "/apis",
        new Answer.Failed("there is no list of groups"),
        document -> {
          if (!isKind(document, "APIGroupList")) {
            return new Answer.Failed("the answer is no APIGroupList");
          }
          var listed =
              document
                  .path("groups")
                  .valueStream()
                  .anyMatch(group -> group.path("name").asText().equals(GROUP));
          return listed ? new Answer.Yes() : new Answer.No();
        });
  }

  private Answer ask(String path, Answer ifMissing, Function<JsonNode, Answer> reading) {
    var client = server.get();
    if (client.isEmpty()) {
      return new Answer.Failed("no API server is known yet");
    }
    try {
      var document = once(client.get()).raw(path);
      return document == null ? ifMissing : reading.apply(JSON.readTree(document));
    } catch (JsonProcessingException unreadable) {
      return new Answer.Failed("the answer is not JSON");
    } catch (KubernetesClientException failed) {
      return new Answer.Failed(Failure.of(failed).message());
    }
  }

  private KubernetesClient once(KubernetesClient client) {
    var once =
        new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
            .withRequestTimeout((int) timeout.toMillis())
            .withRequestRetryBackoffLimit(0)
            .build();
    return client.newClient(once).adapt(KubernetesClient.class);
  }

  private static boolean isKind(JsonNode document, String kind) {
    return document.path("kind").asText().equals(kind);
  }
}
