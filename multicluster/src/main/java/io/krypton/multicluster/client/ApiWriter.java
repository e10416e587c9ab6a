// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The writes that every release needs, as text that goes straight to the HTTP client of a cluster:
 * its credentials, fence, limits and counts hold as for everything else. The library's operations
 * copy the object that they address and read each answer into a new one, which costs more than the
 * request itself.
 *
 * <p>Whatever goes wrong is a {@link KubernetesClientException}; its code is 0 without an answer.
 */
public final class ApiWriter {
  private static final JsonMapper JSON = new JsonMapper();

  private final KubernetesClient client;
  private final Duration limit;

  /** Each request has the time that the client gives to requests. */
  public ApiWriter(KubernetesClient client) {
    this(client, Duration.ofMillis(client.getConfiguration().getRequestTimeout()));
  }

  /**
   * As the other one.
   *
   * @param limit of each request, with all its retries
   */
  public ApiWriter(KubernetesClient client, Duration limit) {
    this.client = client;
    this.limit = limit;
  }

  /** What a patch is written in. */
  public enum PatchFormat {
    MERGE("application/merge-patch+json"),
    /** JSON is YAML. */
    APPLY("application/apply-patch+yaml");

    private final String contentType;

    PatchFormat(String contentType) {
      this.contentType = contentType;
    }
  }

  /** The path of an object, whose type must have its own class. */
  public static String pathOf(HasMetadata object) {
    var version = object.getApiVersion();
    var namespace = object.getMetadata().getNamespace();
    return (version.indexOf('/') < 0 ? "api/" : "apis/")
        + version
        + (namespace == null || namespace.isEmpty() ? "" : "/namespaces/" + namespace)
        + "/"
        + object.getPlural()
        + "/"
        + object.getMetadata().getName();
  }

  /** Creates an object below the path of its kind, and does not look at what comes back. */
  public void create(String path, String json) {
    var _ = send(request(path).post("application/json", json).build());
  }

  /** Answers with the object as it is now. */
  public String patch(String path, PatchFormat format, String patch) {
    return send(request(path).patch(format.contentType, patch).build());
  }

  /** As the other one, with the object read into its type. */
  public <T> T patch(String path, PatchFormat format, String patch, Class<T> type) {
    return client.getKubernetesSerialization().unmarshal(patch(path, format, patch), type);
  }

  private HttpRequest.Builder request(String path) {
    return client.getHttpClient().newHttpRequestBuilder().uri(client.getMasterUrl() + path);
  }

  private String send(HttpRequest request) {
    var pending = client.getHttpClient().sendAsync(request, String.class);
    try {
      var response = pending.get(limit.toNanos(), TimeUnit.NANOSECONDS);
      if (!response.isSuccessful()) {
        throw refusal(request, response);
      }
      return response.body();
    } catch (TimeoutException late) {
      throw noAnswer("no response within " + limit.toMillis() + " ms", late);
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof KubernetesClientException known
          ? known
          : noAnswer(String.valueOf(failed.getMessage()), failed.getCause());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw noAnswer("interrupted while waiting for the API server", stopped);
    } finally {
      pending.cancel(true);
    }
  }

  private static KubernetesClientException noAnswer(String message, @Nullable Throwable cause) {
    return new KubernetesClientException(message, cause, 0, null, null);
  }

  /** With the words of the API server, where it said any; a proxy before it may not have. */
  private static KubernetesClientException refusal(
      HttpRequest request, HttpResponse<String> response) {
    var said = statusOf(response);
    return new KubernetesClientException(
        "%s %s: %s".formatted(request.method(), request.uri().getPath(), said.getMessage()),
        response.code(),
        said);
  }

  private static Status statusOf(HttpResponse<String> response) {
    var status = new Status();
    status.setCode(response.code());
    status.setMessage("answered with status " + response.code());
    try {
      var said = JSON.readTree(response.body());
      if (said.path("message").isTextual()) {
        status.setMessage(said.path("message").asText());
        status.setReason(said.path("reason").asText(null));
      }
    } catch (JsonProcessingException notJson) {
      // The code says enough.
    }
    return status;
  }
}
