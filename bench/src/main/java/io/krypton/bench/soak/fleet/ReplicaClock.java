// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak.fleet;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The wall clock of one operator's Java process, which may jump: a small library before libc adds
 * an offset that stands in a file. Programs without libc, such as Helm, keep the true time.
 */
public final class ReplicaClock {
  private static final String SOURCE = "wallclock.c";
  private static final long COMPILER_SECONDS = 60;

  private final Path offset;
  private final Map<String, String> environment;

  private ReplicaClock(Path offset, Map<String, String> environment) {
    this.offset = offset;
    this.environment = environment;
  }

  /** Without a C compiler, no clock jumps. */
  public static ReplicaClock in(Path directory) throws IOException, InterruptedException {
    var offset = directory.resolve("clock");
    write(offset, Duration.ZERO);
    var library = directory.resolve("wallclock.so");
    return new ReplicaClock(
        offset,
        isCompiled(directory, library)
            ? Map.of("LD_PRELOAD", library.toString(), "SOAK_CLOCK_FILE", offset.toString())
            : Map.of());
  }

  private static boolean isCompiled(Path directory, Path library)
      throws IOException, InterruptedException {
    var source = directory.resolve(SOURCE);
    try (InputStream in = ReplicaClock.class.getResourceAsStream(SOURCE)) {
      if (in == null) {
        throw new IllegalStateException(SOURCE + " is not on the class path");
      }
      Files.write(source, in.readAllBytes());
    }
    try {
      var compiler =
          new ProcessBuilder(
                  "cc", "-O2", "-shared", "-fPIC", "-o", library.toString(), source.toString())
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("cc.log").toFile())
              .start();
      return compiler.waitFor(COMPILER_SECONDS, TimeUnit.SECONDS) && compiler.exitValue() == 0;
    } catch (IOException noCompiler) {
      return false;
    }
  }

  public boolean canJump() {
    return !environment.isEmpty();
  }

  /** What a process must be started with to have this clock. */
  Map<String, String> environment() {
    return environment;
  }

  /** From now on it differs by this much from the true time. */
  void set(Duration ahead) throws IOException {
    write(offset, ahead);
  }

  /** In place, since processes have mapped the file. */
  private static void write(Path file, Duration ahead) throws IOException {
    var bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    bytes.putLong(ahead.toNanos()).flip();
    try (var channel =
        Files.newByteChannel(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(bytes);
    }
  }
}
