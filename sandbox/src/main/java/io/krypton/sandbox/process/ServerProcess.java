package io.krypton.sandbox.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One server that can be ended, frozen and started again with the same command, data and port. */
public final class ServerProcess {
  private static final Duration POLL = Duration.ofMillis(20);
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(10);
  private static final int TAIL_LINES = 20;

  private final String name;
  private final Guard guard;
  private final List<String> command;
  private final Readiness readiness;
  private final Duration startPatience;
  private @Nullable Process process;

  public ServerProcess(
      String name, Guard guard, List<String> command, Readiness readiness, Duration startPatience) {
    this.name = name;
    this.guard = guard;
    this.command = List.copyOf(command);
    this.readiness = readiness;
    this.startPatience = startPatience;
  }

  public String name() {
    return name;
  }

  /** Starts the server and returns when it is ready. */
  public void start() {
    launch();
    awaitReady();
  }

  /** Starts the server without waiting for anything. */
  public synchronized void launch() {
    if (isAlive()) {
      throw new IllegalStateException(name + " is running already");
    }
    try {
      process = guard.launch(command, log());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + name, e);
    }
  }

  public void awaitReady() {
    var deadline = System.nanoTime() + startPatience.toNanos();
    while (isAlive()) {
      if (readiness.isReady()) {
        return;
      }
      if (System.nanoTime() > deadline) {
        throw new StartFailed(failure("was not ready after " + startPatience.toSeconds() + " s"));
      }
      pause();
    }
    throw new StartFailed(failure("ended before it was ready"));
  }

  public void stop() {
    stop(STOP_PATIENCE);
  }

  /** SIGTERM, and SIGKILL when that does not help in time. */
  public void stop(Duration patience) {
    var running = running();
    running.destroy();
    if (!endsWithin(running, patience)) {
      kill();
    }
  }

  /** SIGKILL. Returns when the process is gone. */
  public void kill() {
    var running = running();
    running.destroyForcibly();
    if (!endsWithin(running, STOP_PATIENCE)) {
      throw new IllegalStateException("%s (pid %d) survives SIGKILL".formatted(name, pid()));
    }
  }

  /** SIGSTOP: connections stay open and nothing answers. Returns when the process stands still. */
  public void freeze() {
    Signals.stop(pid());
  }

  /** SIGCONT: takes a freeze back. */
  public void thaw() {
    Signals.resume(pid());
  }

  public void restart() {
    if (isAlive()) {
      stop();
    }
    start();
  }

  public synchronized boolean isAlive() {
    return process != null && process.isAlive();
  }

  public long pid() {
    return running().pid();
  }

  public Path log() {
    return guard.logs().resolve(name + ".log");
  }

  private synchronized Process running() {
    if (process == null) {
      throw new IllegalStateException(name + " was never started");
    }
    return process;
  }

  private static boolean endsWithin(Process process, Duration patience) {
    try {
      return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
      return true;
    }
  }

  private void pause() {
    try {
      Thread.sleep(POLL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + name + " was starting", e);
    }
  }

  private String failure(String what) {
    return "%s %s; last lines of %s:%n%s".formatted(name, what, log(), tail());
  }

  private String tail() {
    try {
      var lines = Files.readAllLines(log());
      return String.join(
          System.lineSeparator(),
          lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    } catch (IOException e) {
      return "(cannot be read: " + e.getMessage() + ")";
    }
  }
}
