// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import java.nio.file.Path;
import java.util.Set;

/** What is known about a chart. */
public sealed interface ChartResult {

  /** The value of the metrics label {@code result}. */
  default String value() {
    return switch (this) {
      case Loaded loaded -> "loaded";
      case Loading loading -> "loading";
      case VersionNotFound notFound -> "not_found";
      case DigestMismatch mismatch -> "digest_mismatch";
      case VersionInvalid invalid -> "failed";
      case NotLoaded notLoaded -> "failed";
      case ToolUnusable unusable -> "failed";
    };
  }

  /** For people who read a log. */
  default String describe() {
    return switch (this) {
      case Loaded(var archive, var sha256, var version, var keys, var digest) ->
          "version %s is loaded (sha256 %s)".formatted(version, sha256);
      case Loading loading -> "is being loaded";
      case VersionNotFound(var message) -> "is not there: " + message;
      case DigestMismatch(var message) -> "is refused: " + message;
      case VersionInvalid(var version) -> "'%s' is not an exact version".formatted(version);
      case NotLoaded(var message) -> "is not loaded: " + message;
      case ToolUnusable(var message) -> "is not loaded, Helm cannot be used: " + message;
    };
  }

  /**
   * It is on disk and verified.
   *
   * @param archive a file that never changes, named by its content
   * @param version the chart's own
   * @param valueKeys top-level keys of the chart's default values
   * @param digest of the files in it: the same for a chart that was only packed anew
   */
  record Loaded(Path archive, String sha256, String version, Set<String> valueKeys, String digest)
      implements ChartResult {
    public Loaded {
      valueKeys = Set.copyOf(valueKeys);
    }

    /** Of a chart whose archive tells it from all others. */
    public Loaded(Path archive, String sha256, String version, Set<String> valueKeys) {
      this(archive, sha256, version, valueKeys, sha256);
    }
  }

  /** Requested for the first time; the listener is called with the outcome. */
  record Loading() implements ChartResult {}

  /** Not an exact version; only other flags help. */
  record VersionInvalid(String version) implements ChartResult {}

  /** The source answered and does not have it. */
  record VersionNotFound(String message) implements ChartResult {}

  /** What came is not what the index promised. */
  record DigestMismatch(String message) implements ChartResult {}

  /** The source gave no usable answer. */
  record NotLoaded(String message) implements ChartResult {}

  /** The source was not asked: Helm, which would fetch or pack the chart, does not run. */
  record ToolUnusable(String message) implements ChartResult {}
}
