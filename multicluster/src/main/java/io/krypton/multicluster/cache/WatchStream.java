// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cache;

import io.fabric8.kubernetes.client.http.AsyncBody;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Turns the body of a watch into lines. One chunk is asked for at a time, so a slow reader slows
 * the server down instead of filling the memory.
 */
final class WatchStream implements AsyncBody.Consumer<List<ByteBuffer>>, AutoCloseable {
  private static final int MAX_LINE = 16 << 20;

  private sealed interface Part {
    record Chunk(List<ByteBuffer> buffers) implements Part {}

    record End() implements Part {}

    record Failure(Throwable cause) implements Part {}
  }

  private final BlockingQueue<Part> parts = new LinkedBlockingQueue<>();
  private final Queue<String> lines = new ArrayDeque<>();
  private final ByteArrayOutputStream unfinished = new ByteArrayOutputStream();
  private final AtomicReference<@Nullable AsyncBody> body = new AtomicReference<>();

  @Override
  public void consume(List<ByteBuffer> buffers, AsyncBody from) {
    parts.add(new Part.Chunk(buffers));
  }

  void follow(AsyncBody opened) {
    body.set(opened);
    var _ =
        opened
            .done()
            .whenComplete(
                (_, failure) ->
                    parts.add(failure == null ? new Part.End() : new Part.Failure(failure)));
  }

  /** The next line; empty at the end of the stream. Throws after the idle timeout. */
  Optional<String> next(Duration idleTimeout) throws IOException, InterruptedException {
    while (lines.isEmpty()) {
      requireOpen().consume();
      switch (parts.poll(idleTimeout.toNanos(), TimeUnit.NANOSECONDS)) {
        case null -> throw new IOException("watch idle for " + idleTimeout);
        case Part.Chunk(var buffers) -> split(buffers);
        case Part.End() -> {
          return Optional.empty();
        }
        case Part.Failure(var cause) -> throw new IOException("watch connection lost", cause);
      }
    }
    return Optional.of(lines.remove());
  }

  private AsyncBody requireOpen() {
    return Objects.requireNonNull(body.get(), "watch stream not opened");
  }

  private void split(List<ByteBuffer> buffers) throws IOException {
    for (var buffer : buffers) {
      while (buffer.hasRemaining()) {
        append(buffer.get());
      }
    }
    if (unfinished.size() > MAX_LINE) {
      throw new IOException("watch event longer than " + MAX_LINE + " bytes");
    }
  }

  private void append(byte one) {
    if (one != '\n') {
      unfinished.write(one);
    } else if (unfinished.size() > 0) {
      lines.add(unfinished.toString(StandardCharsets.UTF_8));
      unfinished.reset();
    }
  }

  /** Ends the stream, also for a reader that waits on another thread. */
  @Override
  public void close() {
    // The end first: a cancelled body reports a failure.
    parts.add(new Part.End());
    var opened = body.get();
    if (opened != null) {
      opened.cancel();
    }
  }
}
