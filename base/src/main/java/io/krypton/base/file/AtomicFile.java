// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/** Writes a file as a whole or not at all, on disk before it has its name, for its owner only. */
public final class AtomicFile {
  private AtomicFile() {}

  /**
   * Replaces the file, or creates it.
   *
   * @throws IOException with a text for users if the directory does not exist
   */
  public static void replace(Path file, byte[] content) throws IOException {
    var ownerOnly =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    var fresh = Files.createTempFile(requireDirectoryOf(file), ".", ".tmp", ownerOnly);
    try {
      try (var channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
        var bytes = ByteBuffer.wrap(content);
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  /** The directory that the file is in, which must exist. */
  public static Path requireDirectoryOf(Path file) throws IOException {
    var directory = file.toAbsolutePath().getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      throw new IOException(file + ": its directory does not exist, make it first");
    }
    return directory;
  }
}
