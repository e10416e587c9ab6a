package io.krypton.sandbox.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The two signals that the JDK cannot send. */
final class Signals {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private Signals() {}

  static void stop(long pid) {
    send("STOP", pid);
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!isStopped(pid)) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("process %d does not freeze".formatted(pid));
      }
      Thread.onSpinWait();
    }
  }

  static void resume(long pid) {
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
      if (!kill.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS) || kill.exitValue() != 0) {
        throw new IllegalStateException("cannot send SIG%s to process %d".formatted(signal, pid));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot send SIG" + signal, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The state letter follows the program's name, which is in parentheses and may hold anything. */
  private static boolean isStopped(long pid) {
    try {
      var stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
    } catch (IOException e) {
      throw new UncheckedIOException("process " + pid + " is gone", e);
    }
  }
}
