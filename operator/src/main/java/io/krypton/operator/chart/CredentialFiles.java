package io.krypton.operator.chart;

import io.krypton.operator.helm.RepoAccess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Credentials in files.
 *
 * @param directory with files named as the keys of a Secret, which is how Secrets are mounted;
 *     those that are missing are not needed
 * @param username instead of the one in the directory
 * @param files by key, instead of those in the directory; each must be there
 */
public record CredentialFiles(
    @Nullable Path directory, @Nullable String username, Map<String, Named> files)
    implements RepoCredentials {
  /** A file, and the flag that named it. */
  public record Named(String flag, Path file) {}

  public CredentialFiles {
    files = Map.copyOf(files);
  }

  @Override
  public RepoAccess read() throws IOException {
    var parts = new HashMap<String, String>();
    if (directory != null) {
      readDirectory(directory, parts);
    }
    if (username != null) {
      parts.put("username", username);
    }
    for (var file : files.entrySet()) {
      var named = file.getValue();
      parts.put(file.getKey(), content(named.flag() + " " + named.file(), named.file()));
    }
    try {
      return RepoAccess.of(parts);
    } catch (IllegalArgumentException incomplete) {
      throw new IOException(
          "credentials of the chart repository: " + incomplete.getMessage(), incomplete);
    }
  }

  private static void readDirectory(Path directory, Map<String, String> parts) throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new IOException("--chart-repo-credentials-dir %s is no directory".formatted(directory));
    }
    for (var key : RepoAccess.KEYS) {
      var file = directory.resolve(key);
      if (Files.exists(file)) {
        parts.put(key, content(file.toString(), file));
      }
    }
  }

  /** Without the end of its last line, which editors and {@code echo} add. */
  private static String content(String name, Path file) throws IOException {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).stripTrailing();
    } catch (NoSuchFileException missing) {
      throw new IOException(name + " does not exist", missing);
    } catch (IOException unreadable) {
      throw new IOException(name + " cannot be read", unreadable);
    }
  }
}
