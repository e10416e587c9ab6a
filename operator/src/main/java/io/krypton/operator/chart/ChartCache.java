package io.krypton.operator.chart;

import io.krypton.operator.helm.PrivateDirectory;
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

/** Charts on disk, named by their content, so that a file once there never changes. */
final class ChartCache {
  private final Path dataDir;

  ChartCache(Path dataDir) {
    this.dataDir = dataDir;
  }

  /** A place for files that are not verified yet; on the same disk, so that a move is atomic. */
  Path newWorkDirectory() throws IOException {
    return PrivateDirectory.createBelow(charts(), "loading-");
  }

  Path keep(Path archive, String sha256) throws IOException {
    var directory = PrivateDirectory.ensure(charts().resolve("sha256"));
    var kept = directory.resolve(sha256 + ".tgz");
    return Files.move(archive, kept, StandardCopyOption.ATOMIC_MOVE);
  }

  private Path charts() throws IOException {
    return PrivateDirectory.ensure(PrivateDirectory.ensure(dataDir).resolve("charts"));
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
