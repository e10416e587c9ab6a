// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cache;

import io.fabric8.kubernetes.api.model.PartialObjectMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.base.time.Backoff;
import io.krypton.multicluster.cache.ApiFailure.WatchFailureLog;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Lists and watches the metadata of objects on one virtual thread until it is closed. It keeps no
 * objects, but passes them to a sink.
 */
final class MetadataWatch implements AutoCloseable {
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(200), 2, Duration.ofSeconds(5), 0.2);

  /** The server sends a bookmark each minute, so a longer idle time means a dead connection. */
  static final Duration IDLE_TIMEOUT = Duration.ofSeconds(150);

  /** A watch that ends sooner and without events counts as failed, whatever its status code. */
  private static final Duration SHORT_WATCH = Duration.ofSeconds(1);

  private final MetadataClient api;
  private final Sink sink;
  private final CompletableFuture<Void> synced = new CompletableFuture<>();
  private final WatchFailureLog failureLog;
  private final Duration idleTimeout;
  private final Thread thread;
  private final Semaphore reconnects = new Semaphore(0);
  private final AtomicReference<@Nullable WatchStream> stream = new AtomicReference<>();
  private volatile boolean closed;

  /** Used by the thread only: the resource version to watch from, and failures in a row. */
  private String version = "";

  private int failures;
  private int expirations;

  /** Receives objects and events, always on the same thread. */
  interface Sink {
    /** A list begins; if it fails half way, another one begins later. */
    Pages beginList();

    void put(PartialObjectMetadata object);

    void remove(PartialObjectMetadata object);
  }

  /** The pages of one list. */
  interface Pages {
    void add(List<PartialObjectMetadata> page);

    /** The list is complete: other objects do not exist. */
    void complete();
  }

  /**
   * A watch that has yet to be started.
   *
   * @param name of the watch in log lines, e.g. {@code cluster/kind}
   */
  MetadataWatch(
      String name,
      KubernetesClient client,
      MetadataSelection selection,
      Sink sink,
      Duration idleTimeout) {
    this.api = new MetadataClient(client, selection);
    this.sink = sink;
    this.failureLog = new WatchFailureLog(name);
    this.idleTimeout = idleTimeout;
    this.thread = Thread.ofVirtual().name("watch " + name).unstarted(this::listAndWatchUntilClosed);
  }

  void start() {
    thread.start();
  }

  private void listAndWatchUntilClosed() {
    try {
      while (!closed) {
        var retryAfter = Duration.ZERO;
        try {
          var useful = listAndWatch();
          failures = useful ? 0 : failures + 1;
          expirations = useful ? 0 : expirations;
        } catch (IOException | RuntimeException failed) {
          failureLog.failed(failed);
          retryAfter = prepareRetry(failed);
        }
        if (failures > 0 && !closed) {
          pause(retryAfter);
        }
      }
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns whether the watch lived long enough, or received events, to count as a success. */
  private boolean listAndWatch() throws IOException, InterruptedException {
    if (version.isEmpty()) {
      version = relist();
      synced.complete(null);
    }
    var begun = System.nanoTime();
    var before = version;
    watch();
    var lived = Duration.ofNanos(System.nanoTime() - begun);
    return lived.compareTo(SHORT_WATCH) > 0 || !before.equals(version);
  }

  private String relist() throws InterruptedException {
    var pages = sink.beginList();
    var listed =
        api.list(
            page -> {
              page.forEach(MetadataWatch::strip);
              pages.add(page);
            });
    pages.complete();
    return listed;
  }

  private void watch() throws IOException, InterruptedException {
    var serverLimit = Duration.ofSeconds(300 + ThreadLocalRandom.current().nextInt(300));
    try (var opened = api.watch(version, serverLimit)) {
      stream.set(opened);
      if (closed) {
        return;
      }
      failureLog.recovered();
      for (var line = opened.next(idleTimeout); line.isPresent(); line = opened.next(idleTimeout)) {
        apply(api.parse(line.get()));
      }
    } finally {
      stream.set(null);
    }
  }

  private void apply(MetadataClient.WatchEvent watchEvent) {
    var object = strip(watchEvent.object());
    switch (watchEvent.type()) {
      case "ADDED", "MODIFIED" -> sink.put(object);
      case "DELETED" -> sink.remove(object);
      case "BOOKMARK" -> {}
      default -> throw new IllegalStateException("unknown watch event type: " + watchEvent.type());
    }
    version = object.getMetadata().getResourceVersion();
  }

  /** Drops fieldsV1, often the largest part of the metadata; managers and times stay. */
  private static PartialObjectMetadata strip(PartialObjectMetadata object) {
    var writers = object.getMetadata().getManagedFields();
    if (writers != null) {
      writers.forEach(writer -> writer.setFieldsV1(null));
    }
    return object;
  }

  /**
   * An expired resource version requires a relist, soon: the server is healthy again. After any
   * other failure the watch continues from the last version.
   */
  private Duration prepareRetry(Exception failed) {
    if (ApiFailure.of(failed).code() == HttpURLConnection.HTTP_GONE) {
      version = "";
      failures = ++expirations;
    } else {
      failures++;
    }
    return failed instanceof MetadataClient.RefusedException refused
        ? refused.retryAfter()
        : Duration.ZERO;
  }

  private void pause(Duration atLeast) throws InterruptedException {
    var backoff = BACKOFF.delay(failures, ThreadLocalRandom.current());
    var longer = backoff.compareTo(atLeast) > 0 ? backoff : atLeast;
    if (reconnects.tryAcquire(longer.toNanos(), TimeUnit.NANOSECONDS)) {
      reconnects.drainPermits();
    }
  }

  void reconnect() {
    reconnects.release();
    var opened = stream.get();
    if (opened != null) {
      opened.close();
    }
  }

  @Override
  public void close() {
    closed = true;
    synced.cancel(false);
    reconnect();
    thread.interrupt();
  }

  CompletableFuture<Void> synced() {
    return synced;
  }

  boolean isRunning() {
    return thread.isAlive();
  }

  Optional<ApiFailure> failure() {
    return failureLog.current();
  }
}
