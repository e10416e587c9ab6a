package io.krypton.operator.helm;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One running child: its output is drained, and it never outlives the call that waits for it. */
final class ChildProcess {
  static final Duration GRACE = Duration.ofSeconds(5);
  private static final Duration LAST_OUTPUT = Duration.ofSeconds(1);

  enum Ending {
    EXITED,
    TIMED_OUT,
    STOPPED
  }

  record Outcome(Ending ending, int exitCode, String output, String errors) {}

  private final Process process;
  private final ProcessTree tree;
  private final CompletableFuture<Duration> stop = new CompletableFuture<>();
  private final CompletableFuture<Ending> ended = new CompletableFuture<>();
  private final Output output = new Output();
  private final Output errors = new Output();
  private final List<Thread> readers;

  private ChildProcess(Process process) {
    this.process = process;
    this.tree = new ProcessTree(process.toHandle());
    this.readers =
        List.of(
            Thread.startVirtualThread(() -> output.drain(process.getInputStream())),
            Thread.startVirtualThread(() -> errors.drain(process.getErrorStream())));
  }

  static ChildProcess start(List<String> command, Map<String, String> environment, Path directory)
      throws IOException {
    var builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    var process = start(builder);
    process.getOutputStream().close();
    return new ChildProcess(process);
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
  void stop(Duration grace) {
    stop.complete(grace);
  }

  void kill() {
    tree.kill();
  }

  /** Completes when nothing is left of it. */
  CompletableFuture<Ending> ended() {
    return ended;
  }

  /** Waits for the end and brings it about when the time is up or the thread is interrupted. */
  Outcome await(Duration limit) {
    var ending = Ending.EXITED;
    try {
      CompletableFuture.anyOf(process.onExit(), stop).get(limit.toMillis(), TimeUnit.MILLISECONDS);
      if (stop.isDone() && process.isAlive()) {
        ending = Ending.STOPPED;
        tree.end(stop.getNow(GRACE));
      }
    } catch (TimeoutException e) {
      ending = Ending.TIMED_OUT;
      tree.end(GRACE);
    } catch (InterruptedException e) {
      ending = Ending.STOPPED;
      tree.end(GRACE);
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("waiting for a process cannot fail", e);
    }
    readToTheEnd();
    ended.complete(ending);
    return new Outcome(
        ending, process.isAlive() ? -1 : process.exitValue(), output.text(), errors.text());
  }

  private void readToTheEnd() {
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
}
