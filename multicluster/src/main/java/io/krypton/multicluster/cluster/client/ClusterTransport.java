package io.krypton.multicluster.cluster.client;

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
 * The HTTP client of one cluster: paced, counted, with a circuit breaker, and closed for good by
 * its owner. It stays the same object while the client below it is replaced, so that everything
 * built on it survives an outage.
 */
final class ClusterTransport extends HttpClient {
  private static final String WATCH_MARK = "watch=true";

  private final String cluster;
  private final Supplier<HttpClient> blueprint;
  private final RequestLimits limits;
  private final RequestObserver observer;
  private final Executor executor;
  private HttpClient current;
  private volatile boolean open;
  private volatile boolean closed;

  ClusterTransport(
      String cluster,
      Supplier<HttpClient> blueprint,
      RequestLimits limits,
      RequestObserver observer,
      Executor executor) {
    this.cluster = cluster;
    this.blueprint = blueprint;
    this.limits = limits;
    this.observer = observer;
    this.executor = executor;
    this.current = blueprint.get();
  }

  /** Opens the circuit: what hangs is ended, what comes fails at once. */
  void trip() {
    open = true;
    reconnect();
  }

  /** Closes the circuit again. */
  void mend() {
    open = false;
  }

  /** Drops all connections. A dead HTTP/2 connection would otherwise take every new request. */
  void reconnect() {
    HttpClient old;
    synchronized (this) {
      if (closed) {
        return;
      }
      old = current;
      current = blueprint.get();
    }
    old.shutdownNow();
  }

  /** Sends past rate limit and breaker, for the probe that decides about the breaker. */
  <T> CompletableFuture<HttpResponse<T>> sendProbe(
      HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    return counted(request, current().sendAsync(request, handler));
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    return paced(request, () -> current().sendAsync(request, handler));
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request,
      HttpResponse.BodyHandler<T> handler,
      HttpResponse.@Nullable PushPromiseHandler<T> pushes) {
    return paced(request, () -> current().sendAsync(request, handler, pushes));
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    throw new UnsupportedOperationException("requests to a cluster are sent asynchronously");
  }

  private <T> CompletableFuture<HttpResponse<T>> paced(
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
    var query = request.uri().getRawQuery();
    return query != null && query.contains(WATCH_MARK) ? "WATCH" : request.method();
  }

  private synchronized HttpClient current() {
    return current;
  }

  @Override
  public void shutdownNow() {
    HttpClient last;
    synchronized (this) {
      closed = true;
      last = current;
    }
    last.shutdownNow();
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
    return current().isTerminated();
  }

  @Override
  public boolean awaitTermination(Duration duration) throws InterruptedException {
    return current().awaitTermination(duration);
  }

  @Override
  public WebSocket.Builder newWebSocketBuilder() {
    return current().newWebSocketBuilder();
  }

  @Override
  public Optional<CookieHandler> cookieHandler() {
    return current().cookieHandler();
  }

  @Override
  public Optional<Duration> connectTimeout() {
    return current().connectTimeout();
  }

  @Override
  public Redirect followRedirects() {
    return current().followRedirects();
  }

  @Override
  public Optional<ProxySelector> proxy() {
    return current().proxy();
  }

  @Override
  public SSLContext sslContext() {
    return current().sslContext();
  }

  @Override
  public SSLParameters sslParameters() {
    return current().sslParameters();
  }

  @Override
  public Optional<Authenticator> authenticator() {
    return current().authenticator();
  }

  @Override
  public Version version() {
    return current().version();
  }

  @Override
  public Optional<Executor> executor() {
    return current().executor();
  }
}
