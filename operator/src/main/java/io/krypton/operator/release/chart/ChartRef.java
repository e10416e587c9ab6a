// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import io.krypton.multicluster.cluster.SecretRef;
import java.net.URI;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A chart that flags or a class name.
 *
 * @param repo as given; it is part of fingerprints
 * @param version empty means the newest stable one
 * @param secrets what opens the repository; null means what flags say
 */
public record ChartRef(
    String repo, ChartSource source, String name, String version, @Nullable RepoSecrets secrets) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

  public ChartRef {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "--chart-name '" + name + "': give letters, digits, '.', '_' and '-' only");
    }
  }

  public static ChartRef of(String repo, String name, String version) {
    return new ChartRef(repo, ChartSource.parse(repo), name, version, null);
  }

  /** Another version from the same place. */
  public ChartRef withVersion(String other) {
    return new ChartRef(repo, source, name, other, secrets);
  }

  /** The same chart, with secrets of its own. */
  public ChartRef openedBy(@Nullable RepoSecrets own) {
    return new ChartRef(repo, source, name, version, own);
  }

  /**
   * Secrets of home that open a repository.
   *
   * @param credentials with the keys that Flux reads
   * @param authority whose key {@code ca.crt} holds who is trusted
   */
  public record RepoSecrets(@Nullable SecretRef credentials, @Nullable SecretRef authority) {}

  /** Whether the version names one chart, and not a range or nonsense. */
  public boolean hasExactVersion() {
    return ChartVersion.isExact(version);
  }

  /** Whether it is an earlier version of the same chart. */
  public boolean isOlderThan(ChartRef other) {
    return name.equals(other.name) && ChartVersion.isOlder(version, other.version);
  }

  @Override
  public String toString() {
    return repo + "/" + name + ":" + version;
  }

  /** Where charts come from: what {@code --chart-repo} may say. */
  public sealed interface ChartSource {

    /** A repository with an {@code index.yaml}. */
    record IndexRepo(URI uri) implements ChartSource {}

    /** A registry; the chart's name follows the reference. */
    record OciRepo(String reference) implements ChartSource {}

    /** A packed chart, a chart's directory, or a directory with charts. */
    record LocalPath(Path path) implements ChartSource {}

    /** Reads the flag; the message of the exception names it and says what to do. */
    static ChartSource parse(String repo) {
      var isHttp = repo.startsWith("https://") || repo.startsWith("http://");
      if (!isHttp && !repo.startsWith("oci://")) {
        if (repo.isBlank() || repo.contains("://")) {
          throw refused(repo, "give https://, http:// or oci://, a directory or a .tgz file");
        }
        return new LocalPath(Path.of(repo));
      }
      URI uri;
      try {
        uri = URI.create(repo);
      } catch (IllegalArgumentException e) {
        throw refused(repo, "it is not a URL");
      }
      if (uri.getUserInfo() != null) {
        // Status and logs show the repository.
        throw refused("…@" + uri.getHost(), "leave credentials out of it");
      }
      if (uri.getHost() == null || uri.getQuery() != null || uri.getFragment() != null) {
        throw refused(repo, "it needs a host and neither '?' nor '#'");
      }
      return isHttp ? new IndexRepo(uri) : new OciRepo(withoutSlash(repo));
    }

    private static IllegalArgumentException refused(String repo, String remedy) {
      return new IllegalArgumentException("--chart-repo '" + repo + "': " + remedy);
    }

    private static String withoutSlash(String text) {
      return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }
  }
}
