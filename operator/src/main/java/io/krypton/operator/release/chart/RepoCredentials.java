// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.multicluster.cache.ApiFailure;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.operator.release.chart.ChartRef.RepoSecrets;
import io.krypton.operator.release.helm.RepoAccess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Where the credentials of the repository are. Asked for each attempt, so they may be rotated. */
@FunctionalInterface
public interface RepoCredentials {
  RepoCredentials NONE = () -> RepoAccess.NONE;

  /**
   * What holds now.
   *
   * @throws IOException with a text for users that names the place and nothing of what it holds
   */
  RepoAccess read() throws IOException;

  /**
   * Credentials in files.
   *
   * @param directory with files named as the keys of a Secret, which is how Secrets are mounted;
   *     those that are missing are not needed
   * @param username instead of the one in the directory
   * @param files by key, instead of those in the directory; each must be there
   */
  record FileCredentials(
      @Nullable Path directory, @Nullable String username, Map<String, Named> files)
      implements RepoCredentials {
    /** A file, and the flag that named it. */
    public record Named(String flag, Path file) {}

    public FileCredentials {
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

    private static void readDirectory(Path directory, Map<String, String> parts)
        throws IOException {
      if (!Files.isDirectory(directory)) {
        throw new IOException(
            "--chart-repo-credentials-dir %s is no directory".formatted(directory));
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

  /**
   * Credentials in a Secret of home, with the keys that Flux reads.
   *
   * @param home empty as long as it has not answered
   */
  record SecretCredentials(SecretRef secret, Supplier<Optional<KubernetesClient>> home)
      implements RepoCredentials {
    @Override
    public RepoAccess read() throws IOException {
      var source = new HomeSecret(secret, "--chart-repo-credentials-secret");
      return source.access(source.parts(home));
    }
  }

  /**
   * What a class names: Secrets of home for its own repository.
   *
   * @param home empty as long as it has not answered
   */
  record ClassCredentials(RepoSecrets secrets, Supplier<Optional<KubernetesClient>> home)
      implements RepoCredentials {
    @Override
    public RepoAccess read() throws IOException {
      var parts = new HashMap<String, String>();
      var access = RepoAccess.NONE;
      if (secrets.credentials() != null) {
        var source = new HomeSecret(secrets.credentials(), "spec.chart.credentialsSecret");
        parts.putAll(source.parts(home));
        access = source.access(parts);
      }
      if (secrets.authority() != null) {
        var source = new HomeSecret(secrets.authority(), "spec.chart.caSecret");
        var authority = source.parts(home).get("ca.crt");
        if (authority == null) {
          throw new IOException(source.named("it has no key ca.crt"));
        }
        parts.put("ca.crt", authority);
        access = source.access(parts);
      }
      return access;
    }
  }

  /**
   * A Secret on home.
   *
   * @param origin the flag or field that names it
   */
  record HomeSecret(SecretRef secret, String origin) {
    Map<String, String> parts(Supplier<Optional<KubernetesClient>> home) throws IOException {
      var client =
          home.get().orElseThrow(() -> new IOException(named("home has not answered yet")));
      try {
        var found = client.secrets().inNamespace(secret.namespace()).withName(secret.name()).get();
        if (found == null) {
          throw new IOException(named("it does not exist on home"));
        }
        return known(found.getData() == null ? Map.of() : found.getData());
      } catch (KubernetesClientException refused) {
        throw new IOException(named(ApiFailure.of(refused).message()), refused);
      } catch (IllegalArgumentException notEncoded) {
        throw new IOException(named(String.valueOf(notEncoded.getMessage())), notEncoded);
      }
    }

    RepoAccess access(Map<String, String> parts) throws IOException {
      try {
        return RepoAccess.of(parts);
      } catch (IllegalArgumentException incomplete) {
        throw new IOException(named(String.valueOf(incomplete.getMessage())), incomplete);
      }
    }

    private static Map<String, String> known(Map<String, String> data) {
      var parts = new HashMap<String, String>();
      data.forEach(
          (key, value) -> {
            if (RepoAccess.KEYS.contains(key)) {
              parts.put(key, new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8));
            }
          });
      return parts;
    }

    String named(String problem) {
      return "Secret %s of %s: %s".formatted(secret, origin, problem);
    }
  }
}
