package io.krypton.cli.sandbox.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A krypton process of the demo; what it prints goes to a file of its own. */
final class Child implements AutoCloseable {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);
  private static final Duration GRACE = Duration.ofSeconds(10);

  private final Path log;
  private final Process process;

  private Child(Path log, Process process) {
    this.log = log;
    this.process = process;
  }

  static Child start(
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
    return new Child(log, builder.start());
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
      Thread.sleep(LOOK_AGAIN);
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
      if (process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
  }
}
