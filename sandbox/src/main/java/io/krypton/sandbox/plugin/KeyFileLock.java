package io.krypton.sandbox.plugin;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets one program at a time read, change and replace a key file. The lock is on a file beside it,
 * which stays, because the key file itself is replaced by each change.
 */
final class KeyFileLock implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration RETRY = Duration.ofMillis(20);

  private final FileChannel channel;

  private KeyFileLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Waits for others, but not for ever. */
  static KeyFileLock of(Path keyFile) throws IOException {
    var file = keyFile.resolveSibling(keyFile.getFileName() + ".lock");
    var channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      var deadline = System.nanoTime() + PATIENCE.toNanos();
      while (attempt(channel) == null) {
        if (System.nanoTime() - deadline > 0) {
          throw new IOException("%s: another program changes the keys, try again".formatted(file));
        }
        Thread.sleep(RETRY);
      }
      return new KeyFileLock(channel);
    } catch (InterruptedException e) {
      channel.close();
      Thread.currentThread().interrupt();
      throw new IOException(file + ": interrupted while waiting for the lock", e);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static @Nullable FileLock attempt(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // held by another thread of this process
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
