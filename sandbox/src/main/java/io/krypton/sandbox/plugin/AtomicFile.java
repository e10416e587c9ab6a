package io.krypton.sandbox.plugin;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/** A file that is replaced as a whole, or not at all, and that only its owner may read. */
final class AtomicFile {
  private AtomicFile() {}

  static Path requireDirectoryOf(Path path) throws IOException {
    var directory = path.toAbsolutePath().getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      throw new IOException(path + ": its directory does not exist, make it first");
    }
    return directory;
  }

  static void replace(Path path, byte[] content) throws IOException {
    var directory = requireDirectoryOf(path);
    var ownerOnly =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    var fresh = Files.createTempFile(directory, ".", ".tmp", ownerOnly);
    try {
      try (var channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
        var bytes = ByteBuffer.wrap(content);
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
      Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }
}
