// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Owns a directory and the processes launched in it: when this JVM closes the guard, or ends in any
 * way, all of them are killed and the directory is removed.
 */
public final class ProcessGuard implements AutoCloseable {
  private static final long TIMEOUT_SECONDS = 10;

  private final Path directory;
  private final Process watcher;
  private final Set<Process> running = ConcurrentHashMap.newKeySet();

  private ProcessGuard(Path directory, Process watcher) {
    this.directory = directory;
    this.watcher = watcher;
  }

  /** A guard over a new private directory in the directory for temporary files. */
  public static ProcessGuard forNewDirectory(String prefix) {
    try {
      var directory = Files.createTempDirectory(prefix);
      Files.createDirectory(directory.resolve("pids"));
      Files.createDirectory(directory.resolve("logs"));
      Files.createDirectory(directory.resolve("state"));
      Files.createFile(directory.resolve("open"));
      var builder =
          new ProcessBuilder(
              "/bin/sh", "-c", script("guard.sh"), "krypton-guard", directory.toString());
      builder.redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD);
      return new ProcessGuard(directory, builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot guard a directory for " + prefix, e);
    }
  }

  public Path directory() {
    return directory;
  }

  /** Where everything lives that is removed in any case. */
  public Path state() {
    return directory.resolve("state");
  }

  public Path logs() {
    return directory.resolve("logs");
  }

  /**
   * Starts a process with an environment that has no more than a home of its own, its output
   * appended to the log.
   */
  Process launch(List<String> command, Path log) throws IOException {
    var line = new ArrayList<String>();
    line.addAll(List.of("/bin/sh", "-c", script("launch.sh"), "krypton-launch"));
    line.add(directory.toString());
    line.addAll(command);
    var builder = new ProcessBuilder(line);
    builder.environment().clear();
    // Without one, some programs read settings below the shared directory for temporary files.
    builder.environment().put("HOME", state().toString());
    builder
        .redirectErrorStream(true)
        .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
        .redirectOutput(Redirect.appendTo(log.toFile()));
    var process = builder.start();
    running.add(process);
    var _ = process.onExit().thenAccept(this::unregister);
    return process;
  }

  /** From now on closing leaves the logs behind. */
  public void keepLogs() {
    try {
      watcher.getOutputStream().write("keep-logs\n".getBytes(StandardCharsets.US_ASCII));
      watcher.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException("the guard of " + directory + " is gone", e);
    }
  }

  /** Closing takes the same way as the death of this JVM, so that way is walked every day. */
  @Override
  public void close() {
    try {
      watcher.getOutputStream().close();
      awaitEnd(watcher);
      for (var process : running) {
        awaitEnd(process);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the guard of " + directory + " is gone", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void awaitEnd(Process process) throws InterruptedException {
    if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("process " + process.pid() + " does not end");
    }
  }

  /** A number of an ended process must not stay registered: the system may give it out again. */
  private void unregister(Process ended) {
    running.remove(ended);
    try {
      Files.deleteIfExists(directory.resolve("pids").resolve(Long.toString(ended.pid())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String script(String name) throws IOException {
    try (InputStream in = ProcessGuard.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is not on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
