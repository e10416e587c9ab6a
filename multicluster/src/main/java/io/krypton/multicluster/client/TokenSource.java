// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Gives the bearer token for each request; must be quick and must not throw. */
@FunctionalInterface
public interface TokenSource {
  @Nullable String current();

  /** The token that the kubeconfig holds, if any. */
  static TokenSource of(ParsedKubeconfig.Accepted kubeconfig) {
    return () -> kubeconfig.credentials().token();
  }

  /**
   * A token in a file that e.g. a kubelet renews. A file that was replaced or written is read again
   * with the next request, any other after ten seconds; while it cannot be read the last token
   * stays in use.
   */
  final class FileTokenSource implements TokenSource {
    private static final Duration MAX_AGE = Duration.ofSeconds(10);
    private static final int MAX_BYTES = 64 * 1024;

    private final Path file;
    private final LongSupplier nanoClock;
    private @Nullable String token;
    private @Nullable Stamp stamp;
    private long readAt;

    /** Detects a changed file without reading it. */
    private record Stamp(@Nullable Object key, FileTime modified, long size) {}

    public FileTokenSource(Path file) {
      this(file, System::nanoTime);
    }

    FileTokenSource(Path file, LongSupplier nanoClock) {
      this.file = file;
      this.nanoClock = nanoClock;
    }

    @Override
    public synchronized @Nullable String current() {
      try {
        var now = stamp();
        if (token == null
            || !now.equals(stamp)
            || nanoClock.getAsLong() - readAt > MAX_AGE.toNanos()) {
          read();
          stamp = now;
          readAt = nanoClock.getAsLong();
        }
      } catch (IOException e) {
        return token; // The API server's 401 says more than this failure would.
      }
      return token;
    }

    private Stamp stamp() throws IOException {
      var attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return new Stamp(attributes.fileKey(), attributes.lastModifiedTime(), attributes.size());
    }

    private void read() throws IOException {
      try (var in = Files.newInputStream(file)) {
        var text = new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
        token = text.isBlank() ? token : text.strip();
      }
    }

    @Override
    public String toString() {
      return "FileTokenSource[" + file + "]";
    }
  }
}
