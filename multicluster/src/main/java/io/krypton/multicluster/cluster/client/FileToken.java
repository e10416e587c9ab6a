package io.krypton.multicluster.cluster.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A token that a file holds and somebody renews, such as a kubelet. The file is read again after
 * ten seconds at the latest; while it cannot be read the last token stays in use.
 */
public final class FileToken implements TokenSource {
  private static final Duration MAX_AGE = Duration.ofSeconds(10);
  private static final int MAX_BYTES = 64 * 1024;

  private final Path file;
  private final LongSupplier nanoClock;
  private @Nullable String token;
  private long readAt;

  public FileToken(Path file) {
    this(file, System::nanoTime);
  }

  FileToken(Path file, LongSupplier nanoClock) {
    this.file = file;
    this.nanoClock = nanoClock;
  }

  @Override
  public synchronized @Nullable String current() {
    if (token == null || nanoClock.getAsLong() - readAt > MAX_AGE.toNanos()) {
      try (var in = Files.newInputStream(file)) {
        var text = new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
        token = text.isBlank() ? token : text.strip();
        readAt = nanoClock.getAsLong();
      } catch (IOException e) {
        return token; // The API server's 401 tells more than this failure would.
      }
    }
    return token;
  }

  @Override
  public String toString() {
    return "FileToken[" + file + "]";
  }
}
