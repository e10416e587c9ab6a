// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import io.krypton.operator.release.helm.process.PrivateDirectory;
import io.krypton.operator.release.helm.process.RunDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Charts on disk, named by their content, so that a file once there never changes. They belong to
 * this run of the program: the next one loads anew, so whatever stayed would only fill the disk.
 */
final class ChartCache implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ChartCache.class);

  private final Path dataDir;
  private @Nullable RunDirectory run;
  private boolean closed;

  ChartCache(Path dataDir) {
    this.dataDir = dataDir;
    try {
      directory(); // At once: it removes what earlier runs left.
    } catch (IOException e) {
      log.atWarn().log("no directory for charts yet: {}", e.toString());
    }
  }

  /** A place for files that are not verified yet; on the same disk, so that a move is atomic. */
  Path newWorkDirectory() throws IOException {
    return PrivateDirectory.createBelow(directory(), "loading-");
  }

  Path store(Path archive, String sha256) throws IOException {
    var directory = PrivateDirectory.ensure(directory().resolve("sha256"));
    var kept = directory.resolve(sha256 + ".tgz");
    return Files.move(archive, kept, StandardCopyOption.ATOMIC_MOVE);
  }

  /** A cleaner of temporary files may have taken it away. */
  private synchronized Path directory() throws IOException {
    if (closed) {
      throw new IOException("closed");
    }
    var known = run;
    if (known == null || Files.notExists(known.path())) {
      known = RunDirectory.open(dataDir, "charts");
      run = known;
    }
    return known.path();
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (run != null) {
      run.close();
    }
  }

  static String sha256(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      var digest = MessageDigest.getInstance("SHA-256");
      new DigestInputStream(in, digest).transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
