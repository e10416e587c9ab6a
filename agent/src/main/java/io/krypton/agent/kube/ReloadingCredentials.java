// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.kube;

import io.krypton.agent.kube.CredentialSource.CredentialState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The credentials as they are on disk now: read again when a file changed, at least every minute,
 * and when the server no longer believed them. Used by one thread.
 */
public final class ReloadingCredentials {
  static final Duration MAX_AGE = Duration.ofSeconds(60);

  private final CredentialSource source;
  private final LongSupplier nanoTime;

  private CredentialState state = new CredentialState.NotYet("credentials have not been read");
  private Map<Path, Stamp> stamps = Map.of();
  private long readAt;
  private boolean valid;

  public ReloadingCredentials(CredentialSource source, LongSupplier nanoTime) {
    this.source = source;
    this.nanoTime = nanoTime;
  }

  /** Size, time and identity of a file; a rename onto it changes the identity. */
  private record Stamp(long size, long modified, @Nullable Object key) {
    static final Stamp ABSENT = new Stamp(-1, 0, null);

    static Stamp of(Path file) {
      try {
        var attributes = Files.readAttributes(file, BasicFileAttributes.class);
        return new Stamp(
            attributes.size(), attributes.lastModifiedTime().toMillis(), attributes.fileKey());
      } catch (NoSuchFileException e) {
        return ABSENT;
      } catch (IOException e) {
        // Reading it reports why; here it only has to differ from a readable file.
        return new Stamp(-2, 0, null);
      }
    }
  }

  public CredentialState current() {
    if (!valid || isOld() || filesChanged()) {
      var reading = source.read();
      // Stamped after the read: a change in between is found by the next MAX_AGE at the latest.
      stamps = stampsOf(reading);
      state = reading.state();
      readAt = nanoTime.getAsLong();
      valid = state instanceof CredentialState.Ready;
    }
    return state;
  }

  /** The server answered 401: whatever the files' stamps say, read them before the next call. */
  public void invalidate() {
    valid = false;
  }

  private boolean isOld() {
    return nanoTime.getAsLong() - readAt >= MAX_AGE.toNanos();
  }

  private boolean filesChanged() {
    return stamps.entrySet().stream()
        .anyMatch(entry -> !Stamp.of(entry.getKey()).equals(entry.getValue()));
  }

  private static Map<Path, Stamp> stampsOf(CredentialSource.Reading reading) {
    var stamps = new HashMap<Path, Stamp>();
    reading.files().forEach(file -> stamps.put(file, Stamp.of(file)));
    return stamps;
  }
}
