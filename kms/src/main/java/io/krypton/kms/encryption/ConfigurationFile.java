package io.krypton.kms.encryption;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Gets the bytes of the file. They hold keys: whoever gets them forgets them after use. */
final class ConfigurationFile {
  /** More than any API object can hold, so that nobody means to have a larger one. */
  static final int MAX_BYTES = 1 << 20;

  private ConfigurationFile() {}

  /** At most one byte more than allowed; the reasons of failures are kube-apiserver's. */
  static byte[] load(Path path) throws Rejected {
    try (var in = Files.newInputStream(path)) {
      return in.readNBytes(MAX_BYTES + 1);
    } catch (NoSuchFileException e) {
      throw unreadable(path, "open", "no such file or directory");
    } catch (AccessDeniedException e) {
      throw unreadable(path, "open", "permission denied");
    } catch (FileSystemException e) {
      throw unreadable(path, "open", e.getReason());
    } catch (IOException e) {
      throw unreadable(path, "read", e.getMessage());
    }
  }

  private static Rejected unreadable(Path path, String operation, @Nullable String why) {
    var reason = Objects.requireNonNullElse(why, "input/output error").toLowerCase(Locale.ROOT);
    return new Rejected(
        "error reading encryption provider configuration file %s: %s %s: %s"
            .formatted(GoText.quote(path.toString()), operation, path, reason));
  }

  static String hash(byte[] bytes) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return "sha256:" + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
