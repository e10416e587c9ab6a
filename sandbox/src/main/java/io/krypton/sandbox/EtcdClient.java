// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;

/** The two questions a control plane asks its etcd, over etcd's JSON gateway. */
final class EtcdClient implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final URI endpoint;
  private final HttpClient http;

  EtcdClient(URI endpoint) {
    this.endpoint = endpoint;
    this.http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  boolean isHealthy() {
    try {
      return send(request("/health").GET()).statusCode() == 200;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  Optional<byte[]> read(String key) {
    var encoded = Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8));
    var body = JSON.createObjectNode().put("key", encoded).toString();
    var response = send(request("/v3/kv/range").POST(BodyPublishers.ofString(body)));
    try {
      var value = JSON.readTree(response.body()).at("/kvs/0/value");
      return value.isMissingNode() ? Optional.empty() : Optional.of(value.binaryValue());
    } catch (IOException e) {
      throw new UncheckedIOException("etcd gave an unreadable answer for " + key, e);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(endpoint.resolve(path)).timeout(TIMEOUT);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return http.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new InterruptedIOException("interrupted while waiting"));
    }
  }
}
