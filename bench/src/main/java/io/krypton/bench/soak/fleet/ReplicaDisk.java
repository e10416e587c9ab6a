// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;

/**
 * The data directory of one operator, which may be full: a small file system in memory. Who may not
 * mount one gets a directory that nothing can be written to.
 */
public final class ReplicaDisk implements AutoCloseable {
  private static final String SIZE = "64m";
  private static final long TIMEOUT_SECONDS = 10;
  private static final int BLOCK = 64 * 1024;

  private final Path directory;
  private final boolean mounted;

  private ReplicaDisk(Path directory, boolean mounted) {
    this.directory = directory;
    this.mounted = mounted;
  }

  static ReplicaDisk at(Path directory) throws IOException {
    Files.createDirectories(directory);
    return new ReplicaDisk(
        directory,
        succeeds("mount", "-t", "tmpfs", "-o", "size=" + SIZE, "krypton-soak", directory + ""));
  }

  /** Whether the disk gets really full; otherwise it only refuses to be written to. */
  public boolean isReal() {
    return mounted;
  }

  void fill() throws IOException {
    if (mounted) {
      try (var file = Files.newOutputStream(ballast())) {
        var block = new byte[BLOCK];
        while (true) {
          file.write(block);
        }
      } catch (IOException full) {
        // As it should be.
      }
    } else {
      permit("r-x------");
    }
  }

  void clear() throws IOException {
    if (mounted) {
      Files.deleteIfExists(ballast());
    } else {
      permit("rwx------");
    }
  }

  private Path ballast() {
    return directory.resolve("ballast");
  }

  private void permit(String mode) throws IOException {
    try (var all = Files.walk(directory, 2)) {
      for (var path : all.filter(Files::isDirectory).toList()) {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
      }
    }
  }

  @Override
  public void close() throws IOException {
    clear();
    if (mounted) {
      succeeds("umount", "--lazy", directory.toString());
    }
  }

  private static boolean succeeds(String... command) {
    try {
      var process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException noSuchProgram) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
