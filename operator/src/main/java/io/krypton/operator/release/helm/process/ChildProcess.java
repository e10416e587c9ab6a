// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/** One running child: its output is drained, and it never outlives the call that waits for it. */
public final class ChildProcess {
  public static final Duration GRACE = Duration.ofSeconds(5);
  private static final Duration LAST_OUTPUT = Duration.ofSeconds(1);

  /** How often whoever waits makes sure that this program has not been suspended. */
  private static final Duration TICK = Duration.ofSeconds(1);

  public enum EndReason {
    EXITED,
    TIMED_OUT,
    STOPPED
  }

  public record ProcessResult(EndReason endReason, int exitCode, String output, String errors) {}

  private final Process process;
  private final LongSupplier nanoTime;
  private final ProcessTree tree;
  private final CompletableFuture<Duration> stop = new CompletableFuture<>();
  private final CompletableFuture<EndReason> ended = new CompletableFuture<>();
  private final OutputBuffer outputBuffer = new OutputBuffer();
  private final OutputBuffer errors = new OutputBuffer();
  private final List<Thread> readers;
  private long lastTick;
  private boolean suspended;

  private ChildProcess(Process process, LongSupplier nanoTime) {
    this.process = process;
    this.nanoTime = nanoTime;
    this.lastTick = nanoTime.getAsLong();
    this.tree = new ProcessTree(process.toHandle());
    this.readers =
        List.of(
            Thread.startVirtualThread(() -> outputBuffer.drain(process.getInputStream())),
            Thread.startVirtualThread(() -> errors.drain(process.getErrorStream())));
  }

  public static ChildProcess start(
      List<String> command, Map<String, String> environment, Path directory) throws IOException {
    return start(command, environment, directory, System::nanoTime);
  }

  static ChildProcess start(
      List<String> command, Map<String, String> environment, Path directory, LongSupplier nanoTime)
      throws IOException {
    var builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    var process = start(builder);
    process.getOutputStream().close();
    return new ChildProcess(process, nanoTime);
  }

  /** The words of the JDK name the directory, which is another one each time. */
  private static Process start(ProcessBuilder builder) throws IOException {
    try {
      return builder.start();
    } catch (IOException e) {
      var cause = e.getCause() == null ? e : e.getCause();
      throw new IOException(
          "cannot run %s: %s".formatted(builder.command().getFirst(), cause.getMessage()), e);
    }
  }

  /** Asks it to end within the grace; whoever waits for it sees to that. */
  public void stop(Duration grace) {
    stop.complete(grace);
  }

  public void kill() {
    tree.kill();
  }

  /** Completes when nothing is left of it. */
  public CompletableFuture<EndReason> ended() {
    return ended;
  }

  /**
   * Waits for the end and brings it about when the time is up or the thread is interrupted. If this
   * program was suspended meanwhile for longer than the grace, another one may be at work in its
   * place: then the child gets no time to begin what it was about to do.
   */
  public ProcessResult await(Duration limit) {
    var endReason = EndReason.EXITED;
    try {
      awaitEndOrStop(limit);
      if (stop.isDone() && process.isAlive()) {
        endReason = EndReason.STOPPED;
        tree.terminate(stop.getNow(GRACE));
      }
    } catch (TimeoutException e) {
      endReason = EndReason.TIMED_OUT;
      terminate();
    } catch (InterruptedException e) {
      endReason = EndReason.STOPPED;
      terminate();
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("waiting for a process cannot fail", e);
    }
    drainOutput();
    ended.complete(endReason);
    return new ProcessResult(
        endReason,
        process.isAlive() ? -1 : process.exitValue(),
        outputBuffer.text(),
        errors.text());
  }

  private void awaitEndOrStop(Duration limit)
      throws InterruptedException, ExecutionException, TimeoutException {
    var end = CompletableFuture.anyOf(process.onExit(), stop);
    var deadline = nanoTime.getAsLong() + limit.toNanos();
    while (true) {
      var left = deadline - nanoTime.getAsLong();
      try {
        end.get(Math.min(left, TICK.toNanos()), TimeUnit.NANOSECONDS);
        return;
      } catch (TimeoutException e) {
        tick();
        if (left <= TICK.toNanos()) {
          throw e;
        }
      }
    }
  }

  private void tick() {
    var now = nanoTime.getAsLong();
    suspended |= now - lastTick > GRACE.toNanos();
    lastTick = now;
  }

  private void terminate() {
    tick();
    if (suspended) {
      tree.kill();
    } else {
      tree.terminate(GRACE);
    }
  }

  private void drainOutput() {
    var interrupted = Thread.interrupted();
    try {
      for (var reader : readers) {
        reader.join(LAST_OUTPUT);
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Reads a pipe to its end and keeps the last mebibyte: a pipe that nobody reads blocks the child.
   */
  static final class OutputBuffer {
    private static final int KEPT = 1 << 20;

    private byte[] bytes = new byte[4096];
    private int length;

    /** Ends when the pipe is closed on either side. */
    void drain(InputStream pipe) {
      var buffer = new byte[8192];
      try (pipe) {
        for (int count = pipe.read(buffer); count >= 0; count = pipe.read(buffer)) {
          append(buffer, count);
        }
      } catch (IOException e) {
        append(" (output cut off)".getBytes(StandardCharsets.UTF_8), 17);
      }
    }

    private synchronized void append(byte[] more, int count) {
      if (length + count > KEPT) {
        var dropped = Math.min(length, KEPT / 2);
        System.arraycopy(bytes, dropped, bytes, 0, length - dropped);
        length -= dropped;
      }
      if (length + count > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(length + count, 2 * bytes.length));
      }
      System.arraycopy(more, 0, bytes, length, count);
      length += count;
    }

    synchronized String text() {
      return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
  }

  /**
   * A process with everything it started.
   *
   * <p>Java cannot put a child into a process group of its own, and an image without a shell has no
   * {@code setsid}. The handles of descendants serve as well: they are taken before the first
   * signal, because a child whose parent is gone can no longer be found, and again before the last.
   */
  public static final class ProcessTree {
    private static final Duration AFTER_KILL = Duration.ofSeconds(2);

    private final ProcessHandle root;
    private final Set<ProcessHandle> members = ConcurrentHashMap.newKeySet();

    public ProcessTree(ProcessHandle root) {
      this.root = root;
    }

    /** SIGTERM to all, SIGKILL to those that are still there after the grace; not interruptible. */
    public void terminate(Duration grace) {
      findMembers();
      members.forEach(ProcessHandle::destroy);
      await(grace);
      kill();
    }

    public void kill() {
      findMembers();
      members.stream().filter(ProcessHandle::isAlive).forEach(ProcessHandle::destroyForcibly);
      await(AFTER_KILL);
    }

    private void findMembers() {
      members.add(root);
      root.descendants().forEach(members::add);
    }

    private void await(Duration limit) {
      var ended =
          CompletableFuture.allOf(
              members.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new));
      var deadline = System.nanoTime() + limit.toNanos();
      var interrupted = false;
      while (true) {
        try {
          ended.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
          break;
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (TimeoutException e) {
          break;
        } catch (ExecutionException e) {
          throw new IllegalStateException("waiting for a process cannot fail", e);
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
