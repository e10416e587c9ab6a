// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import io.krypton.multicluster.client.ClusterConnection.CircuitOpenException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP client of one cluster: rate limited, observed, with a circuit breaker, and closed by its
 * owner. It stays the same object while the clients below it are replaced, so that everything built
 * on it survives an outage. Watches have connections of their own: whatever becomes of them, a
 * probe or a write does not share it.
 */
final class ClusterTransport extends HttpClient {
  private static final String WATCH_MARK = "watch=true";

  private final String cluster;
  private final RequestRateLimiter limits;
  private final RequestObserver observer;
  private final Executor executor;
  private final ConnectionPool requests;
  private final ConnectionPool watches;
  private volatile boolean open;

  ClusterTransport(
      String cluster,
      Supplier<HttpClient> blueprint,
      RequestRateLimiter limits,
      RequestObserver observer,
      Executor executor) {
    this.cluster = cluster;
    this.limits = limits;
    this.observer = observer;
    this.executor = executor;
    this.requests = new ConnectionPool(blueprint);
    this.watches = new ConnectionPool(blueprint);
  }

  /** Opens the circuit: pending requests are ended, new ones fail at once. */
  void openCircuit() {
    open = true;
    reconnect();
  }

  /** Closes the circuit again. */
  void closeCircuit() {
    open = false;
  }

  /** Drops all connections. A dead HTTP/2 connection would otherwise take every new request. */
  void reconnect() {
    requests.replace();
    watches.replace();
  }

  /** Sends past rate limit and breaker, for the probe that decides about the breaker. */
  <T> CompletableFuture<HttpResponse<T>> sendProbe(
      HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    return counted(request, requests.send(request, handler));
  }

  /** Probes the connections of watches and drops unresponsive ones. */
  void probeWatchConnections(HttpRequest probe, Duration limit) {
    watches.probeIdle(
        limit,
        client -> counted(probe, client.sendAsync(probe, HttpResponse.BodyHandlers.discarding())));
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    return rateLimited(request, () -> poolFor(request).send(request, handler));
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request,
      HttpResponse.BodyHandler<T> handler,
      HttpResponse.@Nullable PushPromiseHandler<T> pushes) {
    // API servers do not push.
    return sendAsync(request, handler);
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    throw new UnsupportedOperationException("synchronous requests are not supported");
  }

  private <T> CompletableFuture<HttpResponse<T>> rateLimited(
      HttpRequest request, Supplier<CompletableFuture<HttpResponse<T>>> send) {
    if (open) {
      return CompletableFuture.failedFuture(new CircuitOpenException(cluster));
    }
    long wait = limits.of(request.uri()).reserveNanos();
    if (wait == 0) {
      return counted(request, send.get());
    }
    // Never a blocked thread: the library's retries run on a scheduler that all clusters share.
    var later = CompletableFuture.delayedExecutor(wait, TimeUnit.NANOSECONDS, executor);
    return CompletableFuture.runAsync(() -> {}, later)
        .thenCompose(waited -> counted(request, send.get()));
  }

  private <T> CompletableFuture<HttpResponse<T>> counted(
      HttpRequest request, CompletableFuture<HttpResponse<T>> answer) {
    return answer.whenComplete(
        (response, failure) ->
            observer.completed(
                cluster,
                verbOf(request),
                response == null ? RequestObserver.NO_ANSWER : response.statusCode()));
  }

  private static String verbOf(HttpRequest request) {
    return isWatch(request) ? "WATCH" : request.method();
  }

  private static boolean isWatch(HttpRequest request) {
    var query = request.uri().getRawQuery();
    return query != null && query.contains(WATCH_MARK);
  }

  private ConnectionPool poolFor(HttpRequest request) {
    return isWatch(request) ? watches : requests;
  }

  /** How many connections there are for watches. */
  int watchConnections() {
    return watches.count();
  }

  private HttpClient any() {
    return requests.any();
  }

  @Override
  public void shutdownNow() {
    requests.close();
    watches.close();
  }

  @Override
  public void shutdown() {
    shutdownNow();
  }

  @Override
  public void close() {
    shutdownNow();
  }

  @Override
  public boolean isTerminated() {
    return any().isTerminated();
  }

  @Override
  public boolean awaitTermination(Duration duration) throws InterruptedException {
    return any().awaitTermination(duration);
  }

  @Override
  public WebSocket.Builder newWebSocketBuilder() {
    return any().newWebSocketBuilder();
  }

  @Override
  public Optional<CookieHandler> cookieHandler() {
    return any().cookieHandler();
  }

  @Override
  public Optional<Duration> connectTimeout() {
    return any().connectTimeout();
  }

  @Override
  public Redirect followRedirects() {
    return any().followRedirects();
  }

  @Override
  public Optional<ProxySelector> proxy() {
    return any().proxy();
  }

  @Override
  public SSLContext sslContext() {
    return any().sslContext();
  }

  @Override
  public SSLParameters sslParameters() {
    return any().sslParameters();
  }

  @Override
  public Optional<Authenticator> authenticator() {
    return any().authenticator();
  }

  @Override
  public Version version() {
    return any().version();
  }

  @Override
  public Optional<Executor> executor() {
    return any().executor();
  }
}
