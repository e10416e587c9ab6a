// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections for one kind of requests to one API server. The server allows about a hundred
 * streams on an HTTP/2 connection, and the JDK's client fails beyond that instead of opening a
 * second one. So each client gets fewer streams, and a further client takes the rest.
 */
final class ConnectionPool {
  private static final Logger log = LoggerFactory.getLogger(ConnectionPool.class);

  /** An API server allows 100; a proxy before it may allow less. */
  static final int MAX_STREAMS = 64;

  private static final int PROBES = 2;

  private final Supplier<HttpClient> blueprint;
  private List<PooledConnection> connections = new ArrayList<>();
  private boolean closed;

  /**
   * One client with one connection, and how many requests are on it. It drops the client when it
   * ends: the JDK keeps what a client last worked on until nobody can reach that client any more,
   * and by way of the readers of its watches that includes this connection.
   */
  private static final class PooledConnection {
    private volatile @Nullable HttpClient client;
    private int open;
    private volatile boolean active = true;
    private boolean probing;

    PooledConnection(HttpClient client) {
      this.client = client;
    }

    void end(Consumer<HttpClient> how) {
      var last = client;
      client = null;
      if (last != null) {
        how.accept(last);
      }
    }
  }

  ConnectionPool(Supplier<HttpClient> blueprint) {
    this.blueprint = blueprint;
  }

  /**
   * Sends on a connection with a free stream, which is taken until the last byte of the response.
   */
  <T> CompletableFuture<HttpResponse<T>> send(
      HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    var requestStream = new RequestStream(acquire());
    var client = requestStream.pooledConnection.client;
    if (client == null) {
      requestStream.end();
      return CompletableFuture.failedFuture(new IOException("connection was dropped"));
    }
    CompletableFuture<HttpResponse<T>> answer;
    try {
      answer =
          client.sendAsync(
              request, info -> new TrackedSubscriber<>(handler.apply(info), requestStream));
    } catch (RuntimeException notSent) {
      requestStream.end();
      throw notSent;
    }
    var watched = answer.whenComplete((response, failure) -> requestStream.endIf(failure));
    // The JDK does not report a request that was cancelled before it was sent.
    var _ = watched.whenComplete((response, failure) -> requestStream.endIf(failure));
    return watched;
  }

  /** The stream of one request. */
  private final class RequestStream {
    private final PooledConnection pooledConnection;
    private final AtomicBoolean over = new AtomicBoolean();

    RequestStream(PooledConnection pooledConnection) {
      this.pooledConnection = pooledConnection;
    }

    void end() {
      if (over.compareAndSet(false, true)) {
        release(pooledConnection);
      }
    }

    void endIf(@Nullable Throwable failure) {
      if (failure != null) {
        end();
      }
    }
  }

  private synchronized PooledConnection acquire() {
    for (var pooledConnection : connections) {
      if (pooledConnection.open < MAX_STREAMS) {
        pooledConnection.open++;
        return pooledConnection;
      }
    }
    var pooledConnection = new PooledConnection(blueprint.get());
    pooledConnection.open = 1;
    if (closed) {
      pooledConnection.end(HttpClient::shutdownNow); // What is sent on it fails at once.
    } else {
      connections.add(pooledConnection);
    }
    return pooledConnection;
  }

  /** The first client stays; a further one goes when nobody uses it any more. */
  private void release(PooledConnection pooledConnection) {
    synchronized (this) {
      pooledConnection.open--;
      if (pooledConnection.open > 0 || connections.indexOf(pooledConnection) < 1) {
        return;
      }
      connections.remove(pooledConnection);
    }
    pooledConnection.end(HttpClient::shutdown);
  }

  /** One of the clients, to read their settings. */
  synchronized HttpClient any() {
    if (connections.isEmpty()) {
      var client = blueprint.get();
      if (closed) {
        client.shutdownNow();
        return client;
      }
      connections.add(new PooledConnection(client));
    }
    return Objects.requireNonNull(
        connections.getFirst().client, "a pooled connection has a client");
  }

  /** How many clients there are now. */
  synchronized int count() {
    return connections.size();
  }

  /** Drops all connections and the requests on them. */
  void replace() {
    List<PooledConnection> old;
    synchronized (this) {
      old = connections;
      connections = new ArrayList<>();
    }
    old.forEach(pooledConnection -> pooledConnection.end(HttpClient::shutdownNow));
  }

  /** Nothing is sent any more. */
  void close() {
    synchronized (this) {
      closed = true;
    }
    replace();
  }

  /**
   * Probes connections that nobody else probes. One that received something since the last call is
   * alive; another one is probed, and dropped after two timeouts.
   */
  void probeIdle(
      Duration limit, Function<HttpClient, CompletableFuture<? extends HttpResponse<?>>> probe) {
    for (var pooledConnection : idleConnections()) {
      probe(pooledConnection, limit, probe, PROBES);
    }
  }

  private synchronized List<PooledConnection> idleConnections() {
    var idle = new ArrayList<PooledConnection>();
    for (var pooledConnection : connections) {
      if (pooledConnection.open > 0 && !pooledConnection.probing && !pooledConnection.active) {
        pooledConnection.probing = true;
        idle.add(pooledConnection);
      }
      pooledConnection.active = false;
    }
    return idle;
  }

  private void probe(
      PooledConnection pooledConnection,
      Duration limit,
      Function<HttpClient, CompletableFuture<? extends HttpResponse<?>>> probe,
      int probesLeft) {
    var client = pooledConnection.client;
    if (client == null) {
      return; // It was replaced meanwhile.
    }
    var asked = probe.apply(client);
    var _ =
        asked
            .copy()
            .orTimeout(limit.toNanos(), TimeUnit.NANOSECONDS)
            .whenComplete(
                (answer, failure) -> {
                  asked.cancel(true);
                  if (!isLate(failure)) {
                    probed(pooledConnection);
                  } else if (probesLeft > 1) {
                    probe(pooledConnection, limit, probe, probesLeft - 1);
                  } else {
                    drop(pooledConnection);
                  }
                });
  }

  private synchronized void probed(PooledConnection pooledConnection) {
    pooledConnection.probing = false;
  }

  private void drop(PooledConnection pooledConnection) {
    synchronized (this) {
      if (!connections.remove(pooledConnection)) {
        return;
      }
    }
    log.info("watch connection unresponsive, reconnecting");
    pooledConnection.end(HttpClient::shutdownNow);
  }

  private static boolean isLate(@Nullable Throwable failure) {
    var cause = failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
    return cause instanceof TimeoutException || cause instanceof HttpTimeoutException;
  }

  /** Delegates, and tracks activity and the end of the response. */
  private record TrackedSubscriber<T>(HttpResponse.BodySubscriber<T> reader, RequestStream stream)
      implements HttpResponse.BodySubscriber<T> {
    @Override
    public CompletionStage<T> getBody() {
      return reader.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      stream.pooledConnection.active = true;
      if (stream.over.get()) {
        subscription.cancel(); // The request was cancelled.
      }
      reader.onSubscribe(
          new Flow.Subscription() {
            @Override
            public void request(long count) {
              subscription.request(count);
            }

            @Override
            public void cancel() {
              stream.end();
              subscription.cancel();
            }
          });
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
      stream.pooledConnection.active = true;
      reader.onNext(buffers);
    }

    @Override
    public void onError(Throwable failure) {
      stream.end();
      reader.onError(failure);
    }

    @Override
    public void onComplete() {
      stream.end();
      reader.onComplete();
    }
  }
}
