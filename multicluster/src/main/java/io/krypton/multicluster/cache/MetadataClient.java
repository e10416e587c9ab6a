// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cache;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.PartialObjectMetadata;
import io.fabric8.kubernetes.api.model.PartialObjectMetadataList;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lists and watches with an {@code Accept} header that makes the server send metadata only.
 *
 * <p>fabric8's own operations cannot set that header. A plain stream has another advantage over
 * fabric8's WebSockets: all watches of a client share one HTTP/2 connection.
 */
public final class MetadataClient {
  private static final int PAGE = 500;

  private final KubernetesClient client;
  private final MetadataSelection selection;

  MetadataClient(KubernetesClient client, MetadataSelection selection) {
    this.client = client;
    this.selection = selection;
  }

  /** Lists all objects of the selection live, where a cache, which may lag, is not enough. */
  public static List<PartialObjectMetadata> list(
      KubernetesClient client, MetadataSelection selection) throws InterruptedException {
    var all = new ArrayList<PartialObjectMetadata>();
    var _ = new MetadataClient(client, selection).list(all::addAll);
    return all;
  }

  /** Lists all objects page by page, and returns the resource version to watch from. */
  String list(Consumer<List<PartialObjectMetadata>> pages) throws InterruptedException {
    var token = "";
    while (true) {
      var page = list(token);
      if (page.getItems() != null) { // An empty list of metadata comes without any.
        pages.accept(page.getItems());
      }
      var metadata = page.getMetadata();
      if (metadata.getContinue() == null || metadata.getContinue().isEmpty()) {
        return metadata.getResourceVersion();
      }
      token = metadata.getContinue();
    }
  }

  /** One page of the list; an empty token asks for the first. */
  private PartialObjectMetadataList list(String continueToken) throws InterruptedException {
    var token = URLEncoder.encode(continueToken, StandardCharsets.UTF_8);
    var query = "limit=" + PAGE + (token.isEmpty() ? "" : "&continue=" + token);
    var request = request(query, "PartialObjectMetadataList").build();
    var timeout = Duration.ofMillis(client.getConfiguration().getRequestTimeout());
    var response = await(client.getHttpClient().sendAsync(request, String.class), timeout);
    if (!response.isSuccessful()) {
      throw refused(response.code(), response);
    }
    return client
        .getKubernetesSerialization()
        .unmarshal(response.body(), PartialObjectMetadataList.class);
  }

  /** Opens a watch of everything after a resource version; the server ends it after a while. */
  WatchStream watch(String resourceVersion, Duration serverLimit) throws InterruptedException {
    var query =
        "watch=true&allowWatchBookmarks=true&resourceVersion=%s&timeoutSeconds=%d"
            .formatted(resourceVersion, serverLimit.toSeconds());
    var request = request(query, "PartialObjectMetadata").forStreaming().build();
    var stream = new WatchStream();
    var timeout = Duration.ofMillis(client.getConfiguration().getRequestTimeout());
    var response = await(client.getHttpClient().consumeBytes(request, stream), timeout);
    stream.follow(response.body());
    if (!response.isSuccessful()) {
      stream.close();
      throw refused(response.code(), response);
    }
    return stream;
  }

  /** One line of a watch. */
  record WatchEvent(
      @JsonProperty("type") String type, @JsonProperty("object") PartialObjectMetadata object) {}

  /** Throws on an ERROR event, e.g. because the resource version has expired. */
  WatchEvent parse(String line) {
    var watchEvent = client.getKubernetesSerialization().unmarshal(line, WatchEvent.class);
    if (watchEvent.type().equals("ERROR")) {
      var status = client.getKubernetesSerialization().unmarshal(line, JsonNode.class);
      throw new RefusedException(status.at("/object/code").asInt(), Duration.ZERO);
    }
    return watchEvent;
  }

  /** A server that cannot reduce objects sends whole ones, of which only the metadata is kept. */
  private HttpRequest.Builder request(String query, String as) {
    var reduced = "application/json;as=" + as + ";g=meta.k8s.io;v=v1";
    return client
        .getHttpClient()
        .newHttpRequestBuilder()
        .uri(client.getMasterUrl() + selection.pathWith(query))
        .header("Accept", reduced + ", application/json;q=0.5");
  }

  private static <V> V await(CompletableFuture<V> future, Duration limit)
      throws InterruptedException {
    try {
      return future.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      throw new KubernetesClientException("no response within " + limit.toMillis() + " ms", late);
    } catch (ExecutionException failed) {
      throw new KubernetesClientException("request failed", failed.getCause());
    } finally {
      future.cancel(true);
    }
  }

  private static RefusedException refused(int code, HttpResponse<?> response) {
    return new RefusedException(code, retryAfter(response.header("Retry-After")));
  }

  private static Duration retryAfter(@Nullable String seconds) {
    return seconds != null && seconds.matches("\\d{1,4}")
        ? Duration.ofSeconds(Long.parseLong(seconds))
        : Duration.ZERO;
  }

  /** The server answered with an error. */
  static final class RefusedException extends KubernetesClientException {
    private final transient Duration retryAfter;

    RefusedException(int code, Duration retryAfter) {
      super("the API server answered " + code, code, new Status());
      this.retryAfter = retryAfter;
    }

    Duration retryAfter() {
      return retryAfter;
    }
  }
}
