package io.krypton.multicluster.cluster.client;

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
 * The connections for one sort of requests to one API server. The server allows some hundred
 * streams on an HTTP/2 connection, and the JDK's client fails beyond that instead of opening a
 * second one. So each client gets fewer than that, and what exceeds it goes to a further client.
 */
final class Lanes {
  private static final Logger LOG = LoggerFactory.getLogger(Lanes.class);

  /** An API server allows 100; a proxy before it may allow less. */
  static final int STREAMS = 64;

  private static final int LOOKS = 2;

  private final Supplier<HttpClient> blueprint;
  private List<Lane> lanes = new ArrayList<>();
  private boolean closed;

  /**
   * One client with one connection, and how many requests are on it. It lets go of the client when
   * it ends: the JDK keeps what a client last worked on until nobody can reach that client any
   * more, and by way of the readers of its watches that includes this lane.
   */
  private static final class Lane {
    private volatile @Nullable HttpClient client;
    private int open;
    private volatile boolean heard = true;
    private boolean looking;

    Lane(HttpClient client) {
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

  Lanes(Supplier<HttpClient> blueprint) {
    this.blueprint = blueprint;
  }

  /** Sends where there is room; the room is taken until the last byte of the answer. */
  <T> CompletableFuture<HttpResponse<T>> send(
      HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    var stay = new Stay(enter());
    var client = stay.lane.client;
    if (client == null) {
      stay.end();
      return CompletableFuture.failedFuture(new IOException("the connection was just dropped"));
    }
    CompletableFuture<HttpResponse<T>> answer;
    try {
      answer = client.sendAsync(request, info -> new Tracked<>(handler.apply(info), stay));
    } catch (RuntimeException notSent) {
      stay.end();
      throw notSent;
    }
    var watched = answer.whenComplete((response, failure) -> stay.endIf(failure));
    // The JDK tells nobody of a request that was cancelled before it was sent.
    var _ = watched.whenComplete((response, failure) -> stay.endIf(failure));
    return watched;
  }

  /** The room of one request. */
  private final class Stay {
    private final Lane lane;
    private final AtomicBoolean over = new AtomicBoolean();

    Stay(Lane lane) {
      this.lane = lane;
    }

    void end() {
      if (over.compareAndSet(false, true)) {
        leave(lane);
      }
    }

    void endIf(@Nullable Throwable failure) {
      if (failure != null) {
        end();
      }
    }
  }

  private synchronized Lane enter() {
    for (var lane : lanes) {
      if (lane.open < STREAMS) {
        lane.open++;
        return lane;
      }
    }
    var lane = new Lane(blueprint.get());
    lane.open = 1;
    if (closed) {
      lane.end(HttpClient::shutdownNow); // What is sent on it fails at once.
    } else {
      lanes.add(lane);
    }
    return lane;
  }

  /** The first client stays; a further one goes when nobody uses it any more. */
  private void leave(Lane lane) {
    synchronized (this) {
      lane.open--;
      if (lane.open > 0 || lanes.indexOf(lane) < 1) {
        return;
      }
      lanes.remove(lane);
    }
    lane.end(HttpClient::shutdown);
  }

  /** One of the clients, for whoever asks how they are set up. */
  synchronized HttpClient any() {
    if (lanes.isEmpty()) {
      var client = blueprint.get();
      if (closed) {
        client.shutdownNow();
        return client;
      }
      lanes.add(new Lane(client));
    }
    return Objects.requireNonNull(lanes.getFirst().client, "a lane in the list has a client");
  }

  /** How many clients there are now. */
  synchronized int count() {
    return lanes.size();
  }

  /** Drops all connections and what is on them. */
  void replace() {
    List<Lane> old;
    synchronized (this) {
      old = lanes;
      lanes = new ArrayList<>();
    }
    old.forEach(lane -> lane.end(HttpClient::shutdownNow));
  }

  /** Nothing is sent any more. */
  void close() {
    synchronized (this) {
      closed = true;
    }
    replace();
  }

  /**
   * Looks after connections that nobody else probes. One on which something arrived since the last
   * time is alive; of another a question is asked, and after two late answers it is dropped.
   */
  void tend(
      Duration limit, Function<HttpClient, CompletableFuture<? extends HttpResponse<?>>> question) {
    for (var lane : silent()) {
      look(lane, limit, question, LOOKS);
    }
  }

  private synchronized List<Lane> silent() {
    var silent = new ArrayList<Lane>();
    for (var lane : lanes) {
      if (lane.open > 0 && !lane.looking && !lane.heard) {
        lane.looking = true;
        silent.add(lane);
      }
      lane.heard = false;
    }
    return silent;
  }

  private void look(
      Lane lane,
      Duration limit,
      Function<HttpClient, CompletableFuture<? extends HttpResponse<?>>> question,
      int looks) {
    var client = lane.client;
    if (client == null) {
      return; // It was replaced meanwhile.
    }
    var asked = question.apply(client);
    var _ =
        asked
            .copy()
            .orTimeout(limit.toNanos(), TimeUnit.NANOSECONDS)
            .whenComplete(
                (answer, failure) -> {
                  asked.cancel(true);
                  if (!isLate(failure)) {
                    looked(lane);
                  } else if (looks > 1) {
                    look(lane, limit, question, looks - 1);
                  } else {
                    drop(lane);
                  }
                });
  }

  private synchronized void looked(Lane lane) {
    lane.looking = false;
  }

  private void drop(Lane lane) {
    synchronized (this) {
      if (!lanes.remove(lane)) {
        return;
      }
    }
    LOG.info("a connection of watches gives no answer and is replaced");
    lane.end(HttpClient::shutdownNow);
  }

  private static boolean isLate(@Nullable Throwable failure) {
    var cause = failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
    return cause instanceof TimeoutException || cause instanceof HttpTimeoutException;
  }

  /** Passes everything on, and sees when something arrives and when all is over. */
  private record Tracked<T>(HttpResponse.BodySubscriber<T> reader, Stay stay)
      implements HttpResponse.BodySubscriber<T> {
    @Override
    public CompletionStage<T> getBody() {
      return reader.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      stay.lane.heard = true;
      if (stay.over.get()) {
        subscription.cancel(); // Nobody waits for it any more.
      }
      reader.onSubscribe(
          new Flow.Subscription() {
            @Override
            public void request(long count) {
              subscription.request(count);
            }

            @Override
            public void cancel() {
              stay.end();
              subscription.cancel();
            }
          });
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
      stay.lane.heard = true;
      reader.onNext(buffers);
    }

    @Override
    public void onError(Throwable failure) {
      stay.end();
      reader.onError(failure);
    }

    @Override
    public void onComplete() {
      stay.end();
      reader.onComplete();
    }
  }
}
