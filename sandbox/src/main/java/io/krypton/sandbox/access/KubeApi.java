// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.access;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Raw JSON over HTTP to one API server, as one user. */
public final class KubeApi implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final URI server;
  private final HttpClient http;
  private final Duration timeout;

  public KubeApi(SandboxKubeconfig access) {
    this(access, Duration.ofSeconds(20));
  }

  /** The timeout bounds each request, from connecting to the last byte of the answer's head. */
  public KubeApi(SandboxKubeconfig access, Duration timeout) {
    this.server = access.server();
    this.timeout = timeout;
    this.http = HttpClient.newBuilder().sslContext(access.tls()).connectTimeout(timeout).build();
  }

  public ApiResponse get(String path) {
    return send(request(path).GET());
  }

  public ApiResponse post(String path, String json) {
    return send(json(request(path), "application/json").POST(BodyPublishers.ofString(json)));
  }

  public ApiResponse put(String path, String json) {
    return send(json(request(path), "application/json").PUT(BodyPublishers.ofString(json)));
  }

  /** A JSON merge patch. */
  public ApiResponse merge(String path, String json) {
    return send(
        json(request(path), "application/merge-patch+json")
            .method("PATCH", BodyPublishers.ofString(json)));
  }

  /** Server-side apply of YAML or JSON. */
  public ApiResponse apply(String path, String fieldManager, String manifest) {
    var target = path + "?force=true&fieldManager=" + fieldManager;
    return send(
        json(request(target), "application/apply-patch+yaml")
            .method("PATCH", BodyPublishers.ofString(manifest)));
  }

  public ApiResponse delete(String path) {
    return send(request(path).DELETE());
  }

  /** A request to refine and {@link #send}. */
  public HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(server.resolve(path)).timeout(timeout);
  }

  public ApiResponse send(HttpRequest.Builder request) {
    try {
      return read(http.send(request.build(), BodyHandlers.ofString()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new InterruptedIOException("interrupted while waiting"));
    }
  }

  /**
   * What a watch delivers from a version on, in a second: what has happened until now, at least.
   */
  public List<JsonNode> watch(String path, String fromVersion) {
    var target = "%s?watch=true&resourceVersion=%s&timeoutSeconds=1".formatted(path, fromVersion);
    try {
      var response = http.send(request(target).GET().build(), BodyHandlers.ofString());
      try (var events = JSON.readerFor(JsonNode.class).<JsonNode>readValues(response.body())) {
        return events.readAll();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new InterruptedIOException("interrupted while waiting"));
    }
  }

  /**
   * What a watch delivers from a version on, each event as it comes. It ends when the server ends
   * it, or with an exception when this API is closed.
   */
  public Stream<JsonNode> follow(String path, String fromVersion) {
    var target = "%s?watch=true&resourceVersion=%s".formatted(path, fromVersion);
    try {
      var response = http.send(request(target).GET().build(), BodyHandlers.ofLines());
      return response.body().map(KubeApi::event);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new InterruptedIOException("interrupted while waiting"));
    }
  }

  private static JsonNode event(String line) {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }

  private static HttpRequest.Builder json(HttpRequest.Builder request, String contentType) {
    return request.header("Content-Type", contentType);
  }

  private static ApiResponse read(HttpResponse<String> response) throws JsonProcessingException {
    var isJson =
        response.headers().firstValue("Content-Type").orElse("").startsWith("application/json");
    JsonNode body = isJson ? JSON.readTree(response.body()) : TextNode.valueOf(response.body());
    return new ApiResponse(response.statusCode(), response.headers(), body);
  }

  /** What an API server answered; a refusal is a value, because tests are about refusals. */
  public record ApiResponse(int status, HttpHeaders headers, JsonNode body) {

    public boolean ok() {
      return status / 100 == 2;
    }

    public Optional<String> header(String name) {
      return headers.firstValue(name);
    }

    public JsonNode orThrow() {
      if (!ok()) {
        throw new IllegalStateException("the API server answered %d: %s".formatted(status, body));
      }
      return body;
    }
  }
}
