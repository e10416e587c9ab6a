// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One server that can be ended, frozen and started again with the same command, data and port. */
public final class ServerProcess {
  private static final Duration POLL = Duration.ofMillis(20);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);
  private static final int TAIL_LINES = 20;

  private final String name;
  private final ProcessGuard processGuard;
  private final List<String> command;
  private final ReadinessProbe readinessProbe;
  private final Duration startTimeout;
  private @Nullable Process process;

  public ServerProcess(
      String name,
      ProcessGuard processGuard,
      List<String> command,
      ReadinessProbe readinessProbe,
      Duration startPatience) {
    this.name = name;
    this.processGuard = processGuard;
    this.command = List.copyOf(command);
    this.readinessProbe = readinessProbe;
    this.startTimeout = startPatience;
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
      process = processGuard.launch(command, log());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + name, e);
    }
  }

  public void awaitReady() {
    var deadline = System.nanoTime() + startTimeout.toNanos();
    while (isAlive()) {
      if (readinessProbe.isReady()) {
        return;
      }
      if (System.nanoTime() > deadline) {
        throw new StartFailedException(
            failure("was not ready after " + startTimeout.toSeconds() + " s"));
      }
      pause();
    }
    throw new StartFailedException(failure("ended before it was ready"));
  }

  public void stop() {
    stop(STOP_TIMEOUT);
  }

  /** SIGTERM, and SIGKILL when that does not help in time. */
  public void stop(Duration timeout) {
    var running = running();
    running.destroy();
    if (!endsWithin(running, timeout)) {
      kill();
    }
  }

  /** SIGKILL. Returns when the process is gone. */
  public void kill() {
    var running = running();
    running.destroyForcibly();
    if (!endsWithin(running, STOP_TIMEOUT)) {
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
    return processGuard.logs().resolve(name + ".log");
  }

  private synchronized Process running() {
    if (process == null) {
      throw new IllegalStateException(name + " was never started");
    }
    return process;
  }

  private static boolean endsWithin(Process process, Duration timeout) {
    try {
      return process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
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

  /** Asks a server once whether it is ready; an unreachable server is not ready. */
  @FunctionalInterface
  public interface ReadinessProbe {
    boolean isReady();
  }

  /** The two signals that the JDK cannot send. */
  public static final class Signals {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private Signals() {}

    /** Returns when the process stands still. */
    public static void stop(long pid) {
      send("STOP", pid);
      var deadline = System.nanoTime() + TIMEOUT.toNanos();
      while (!isStopped(pid)) {
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException("process %d does not freeze".formatted(pid));
        }
        Thread.onSpinWait();
      }
    }

    public static void resume(long pid) {
      send("CONT", pid);
    }

    private static void send(String signal, long pid) {
      var command = List.of("/bin/sh", "-c", "kill -\"$1\" \"$2\"", "kill", signal, "" + pid);
      try {
        var kill =
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.DISCARD)
                .start();
        if (!kill.waitFor(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS) || kill.exitValue() != 0) {
          throw new IllegalStateException("cannot send SIG%s to process %d".formatted(signal, pid));
        }
      } catch (IOException e) {
        throw new UncheckedIOException("cannot send SIG" + signal, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    /**
     * The state letter follows the program's name, which is in parentheses and may hold anything.
     */
    private static boolean isStopped(long pid) {
      try {
        var stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
      } catch (IOException e) {
        throw new UncheckedIOException("process " + pid + " is gone", e);
      }
    }
  }

  /** A server did not become ready; the message ends with the last lines of its log. */
  public static final class StartFailedException extends RuntimeException {
    StartFailedException(String message) {
      super(message);
    }
  }
}
