// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.lab;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program of this class path in a JVM of its own, which can be signalled and killed. */
public final class ChildJvm implements Closeable {
  /** The options that the distribution starts a reporter with. */
  private static final Path OPTIONS = Path.of("../cli/src/main/dist/libexec/reporter.jvm");

  private final Process process;
  private final Path output;

  private ChildJvm(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  public static ChildJvm start(Path directory, Class<?> main, String... arguments) {
    return start(List.of(), directory, main, arguments);
  }

  /** The same by another program, which gets the command as its last arguments. */
  public static ChildJvm start(
      List<String> launcher, Path directory, Class<?> main, String... arguments) {
    // Whoever runs the tests in the background has SIGINT ignored, and children inherit that.
    var command = new ArrayList<>(launcher);
    command.addAll(List.of("env", "--default-signal=INT"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("@" + OPTIONS);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    try {
      var output = Files.createTempFile(directory, main.getSimpleName(), ".log");
      return new ChildJvm(
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start(),
          output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** SIGKILL, and waits until it has happened. */
  public void kill() {
    process.destroyForcibly();
    exitWithin(Duration.ofSeconds(30));
  }

  public void signal(String name) {
    try {
      var kill = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start();
      kill.waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The exit code; it is an error if it takes longer. */
  public int exitWithin(Duration limit) {
    try {
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("still alive after " + limit + ":\n" + output());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  public String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    kill();
  }
}
