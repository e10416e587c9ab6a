// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.kube;

import io.krypton.agent.json.JsonTree;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The JDK's HTTP client with the trust and the identity of one {@link ApiClientConfig}. */
final class ApiClient implements AutoCloseable {
  static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

  /** No object in etcd is larger. */
  private static final int MAX_BODY = 2 << 20;

  private final ApiClientConfig access;
  private final URI base;
  private final HttpClient http;
  private final ExecutorService executor;

  private ApiClient(ApiClientConfig access, URI base, HttpClient http, ExecutorService executor) {
    this.access = access;
    this.base = base;
    this.http = http;
    this.executor = executor;
  }

  static ApiClient connectTo(ApiClientConfig access) throws UnusableCredentialsException {
    var tls = ServerTls.of(access);
    var executor = Executors.newVirtualThreadPerTaskExecutor();
    // HTTP/1.1: one request at a time needs no multiplexing, and a broken connection ends with it.
    var http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .proxy(HttpClient.Builder.NO_PROXY)
            .sslContext(tls.context())
            .sslParameters(tls.parameters())
            .executor(executor)
            .build();
    return new ApiClient(access, tls.base(), http, executor);
  }

  ApiClientConfig access() {
    return access;
  }

  ApiResult send(ApiRequest call, Duration limit) throws InterruptedException {
    var pending =
        http.sendAsync(request(call), BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BODY));
    try {
      // The client's own request timeout ends with the headers; a stalled body needs this one.
      return ResponseClassifier.classify(pending.get(limit.toNanos(), TimeUnit.NANOSECONDS));
    } catch (ExecutionException e) {
      return new ApiResult.Unreachable(
          ResponseClassifier.explain(e.getCause() == null ? e : e.getCause()));
    } catch (TimeoutException e) {
      return new ApiResult.Unreachable("no answer within " + limit.toMillis() + " ms");
    } finally {
      pending.cancel(true);
    }
  }

  private HttpRequest request(ApiRequest call) {
    var request =
        HttpRequest.newBuilder(URI.create(base + call.pathAndQuery()))
            .header("Accept", "application/json")
            .header("User-Agent", "krypton-agent");
    var body = call.body();
    if (body == null) {
      request.method(call.method(), BodyPublishers.noBody());
    } else {
      request.header("Content-Type", ApiRequest.APPLY_TYPE);
      request.method(call.method(), BodyPublishers.ofString(JsonTree.write(body)));
    }
    var token = access.token();
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    return request.build();
  }

  @Override
  public void close() {
    http.shutdownNow();
    executor.shutdownNow();
  }
}
