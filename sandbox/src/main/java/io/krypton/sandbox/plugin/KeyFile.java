// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.plugin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.krypton.base.file.AtomicFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a development plugin in a JSON file that only its owner may read. Whatever is wrong
 * with it is reported without a byte of its content.
 */
public final class KeyFile {
  private static final int FORMAT = 1;
  private static final String OWNER_ONLY = "rw-------";

  private final Path path;
  private final Clock clock;
  private final ObjectMapper mapper = new ObjectMapper();

  /** The form on disk. */
  record Stored(int version, String current, List<StoredKey> keys) {}

  @SuppressWarnings("ArrayRecordComponent") // only written and read, never compared
  record StoredKey(String id, String created, byte[] material) {

    KeyRing.Key key() {
      if (!id.matches("k[0-9]{1,9}-[0-9a-f]{8}") || material.length != KeyRing.Key.BYTES) {
        throw new IllegalArgumentException("not a key of this plugin");
      }
      return new KeyRing.Key(id, Instant.parse(created), material);
    }
  }

  public KeyFile(Path path) {
    this(path, Clock.systemUTC());
  }

  KeyFile(Path path, Clock clock) {
    this.path = path;
    this.clock = clock;
  }

  public Path path() {
    return path;
  }

  /** Makes a first key if there is no file yet. */
  public void createIfMissing() throws IOException {
    if (Files.exists(path)) {
      return;
    }
    AtomicFile.requireDirectoryOf(path);
    try (var _ = KeyFileLock.of(path)) {
      if (!Files.exists(path)) {
        write(KeyRing.fresh(1, clock.instant()));
      }
    }
  }

  /** The id of the key that encrypts. */
  public String currentId() throws IOException {
    return read().current().id();
  }

  /** The ids of all keys, oldest first. */
  public List<String> ids() throws IOException {
    return read().keys().stream().map(KeyRing.Key::id).toList();
  }

  /** Adds a key, makes it current, and returns its id. The older keys go on decrypting. */
  public String rotate() throws IOException {
    try (var _ = lock()) {
      var rotated = read().rotated(clock.instant());
      write(rotated);
      return rotated.current().id();
    }
  }

  /** Removes an older key; what was encrypted under it is lost. */
  public void retire(String id) throws IOException {
    try (var _ = lock()) {
      var ring = read();
      if (ring.find(id).isEmpty()) {
        throw new IOException("%s: there is no key %s, it has %s".formatted(path, id, ids()));
      }
      if (ring.current().id().equals(id)) {
        throw new IOException("%s: %s is the current key, rotate first".formatted(path, id));
      }
      write(ring.without(id));
    }
  }

  private KeyFileLock lock() throws IOException {
    requireFile();
    return KeyFileLock.of(path);
  }

  private void requireFile() throws IOException {
    if (!Files.exists(path)) {
      throw new IOException(path + ": no such key file, a plugin makes it when it starts");
    }
  }

  KeyRing read() throws IOException {
    requireFile();
    var permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    if (!permissions.equals(OWNER_ONLY)) {
      throw new IOException("%s: mode is %s, run: chmod 600".formatted(path, permissions));
    }
    try {
      var stored = mapper.readValue(Files.readAllBytes(path), Stored.class);
      if (stored.version() != FORMAT) {
        throw new IOException("%s: format %d is unknown".formatted(path, stored.version()));
      }
      var keys = stored.keys().stream().map(StoredKey::key).toList();
      var current = keys.stream().filter(key -> key.id().equals(stored.current())).findFirst();
      return new KeyRing(current.orElseThrow(), keys);
    } catch (JsonProcessingException | RuntimeException e) {
      // The cause stays behind: parsers quote what they could not read.
      throw new IOException(path + ": not a key file of this plugin");
    }
  }

  private void write(KeyRing ring) throws IOException {
    var keys =
        ring.keys().stream()
            .map(key -> new StoredKey(key.id(), key.created().toString(), key.material()))
            .toList();
    var stored = new Stored(FORMAT, ring.current().id(), keys);
    AtomicFile.replace(path, mapper.writerWithDefaultPrettyPrinter().writeValueAsBytes(stored));
  }

  /**
   * Lets one program at a time read, change and replace a key file. The lock is on a file beside
   * it, which stays, because the key file itself is replaced by each change.
   */
  static final class KeyFileLock implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
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
        var deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (attempt(channel) == null) {
          if (System.nanoTime() - deadline > 0) {
            throw new IOException(
                "%s: another program changes the keys, try again".formatted(file));
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
}
