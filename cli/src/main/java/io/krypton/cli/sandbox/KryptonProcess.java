// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A krypton process of the demo; what it prints goes to a file of its own. */
final class KryptonProcess implements AutoCloseable {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(100);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

  private final Path log;
  private final Process process;

  private KryptonProcess(Path log, Process process) {
    this.log = log;
    this.process = process;
  }

  static KryptonProcess start(
      Path launcher, Path directory, Path log, Map<String, String> settings, List<String> arguments)
      throws IOException {
    var command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(arguments);
    var builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().putAll(settings);
    return new KryptonProcess(log, builder.start());
  }

  /** The first line of its output that fits; an end without one is a failure. */
  String awaitLine(Predicate<String> fits, Duration limit)
      throws IOException, InterruptedException {
    var deadline = System.nanoTime() + limit.toNanos();
    while (true) {
      var ended = !process.isAlive();
      var line = Files.readString(log, StandardCharsets.UTF_8).lines().filter(fits).findFirst();
      if (line.isPresent()) {
        return line.get();
      }
      if (ended || System.nanoTime() > deadline) {
        throw new IOException(
            ended
                ? "it ended with %d, see %s".formatted(process.exitValue(), log)
                : "it did not say so within %d s, see %s".formatted(limit.toSeconds(), log));
      }
      Thread.sleep(POLL_INTERVAL);
    }
  }

  /** Its exit code, and the last line it printed. */
  String awaitSuccess(Duration limit) throws IOException, InterruptedException {
    if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IOException("it did not end within %d s, see %s".formatted(limit.toSeconds(), log));
    }
    if (process.exitValue() != 0) {
      throw new IOException("it ended with %d, see %s".formatted(process.exitValue(), log));
    }
    return Files.readString(log, StandardCharsets.UTF_8).lines().reduce("", (all, last) -> last);
  }

  long pid() {
    return process.pid();
  }

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Asks it to end, and does not ask for long. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (process.waitFor(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
  }

  /** The command that started this process, to start others like it. */
  public static final class Launcher {
    private static final String HOME = "krypton.home";

    private Launcher() {}

    public static Path path() {
      return home().resolve("bin").resolve("krypton");
    }

    /** The installed distribution. */
    public static Path home() {
      return Path.of(
          Objects.requireNonNull(
              System.getProperty(HOME), "start krypton by its launcher bin/krypton"));
    }
  }
}
