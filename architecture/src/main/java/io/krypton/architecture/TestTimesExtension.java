// SPDX-License-Identifier: Apache-2.0
package io.krypton.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Writes the processor time of each test class to {@code target/test-times}, in milliseconds, for
 * {@code make test-times}: that of this JVM, of the servers and programs it has started, and of
 * theirs. Servers that several classes share are paid by whoever runs while they work. JUnit finds
 * it by itself; outside of Maven it writes nothing.
 */
public final class TestTimesExtension implements BeforeAllCallback, AfterAllCallback {
  private static final Namespace STORE = Namespace.create(TestTimesExtension.class);
  private static final Path PROCESSES = Path.of("/proc");

  /** Linux tells processor time in hundredths of a second to every program. */
  private static final int MILLIS_OF_A_TICK = 10;

  @Override
  public void beforeAll(ExtensionContext context) {
    context.getStore(STORE).put(context.getUniqueId(), processorTime().toMillis());
  }

  @Override
  public void afterAll(ExtensionContext context) {
    var testClass = context.getRequiredTestClass();
    var module = System.getProperty("basedir");
    if (module == null || testClass.getEnclosingClass() != null) {
      return;
    }
    var begin = context.getStore(STORE).getOrDefault(context.getUniqueId(), Long.class, 0L);
    var folder = Path.of(module, "target", "test-times");
    write(folder.resolve(testClass.getName()), processorTime().toMillis() - begin);
  }

  private static void write(Path file, long millis) {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, millis + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Duration processorTime() {
    var self = ProcessHandle.current();
    return Stream.concat(Stream.of(self), self.descendants())
        .map(TestTimesExtension::processorTime)
        .reduce(Duration.ZERO, Duration::plus);
  }

  /** On Linux with all that its children, now gone, have used. */
  private static Duration processorTime(ProcessHandle process) {
    if (!Files.isDirectory(PROCESSES)) {
      return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }
    try {
      return fromStat(Files.readString(PROCESSES.resolve(process.pid() + "/stat")));
    } catch (NoSuchFileException e) {
      return Duration.ZERO; // It has ended since; its parent tells its time from now on.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Four numbers: its own time as a user and in the kernel, and the same of its late children. */
  static Duration fromStat(String stat) {
    // The name in brackets may hold anything; eleven fields stand between it and the times.
    var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    var ticks = Stream.of(fields).skip(11).limit(4).mapToLong(Long::parseLong).sum();
    return Duration.ofMillis(ticks * MILLIS_OF_A_TICK);
  }
}
