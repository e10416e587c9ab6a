package io.krypton.operator.chart;

import java.nio.file.Path;
import java.util.Set;

/** What is known about a chart. */
public sealed interface ChartResult {

  /** The value of the metrics label {@code result}. */
  default String word() {
    return switch (this) {
      case Loaded loaded -> "loaded";
      case Loading loading -> "loading";
      case VersionNotFound notFound -> "not_found";
      case DigestMismatch mismatch -> "digest_mismatch";
      case VersionInvalid invalid -> "failed";
      case NotLoaded notLoaded -> "failed";
    };
  }

  /**
   * It is on disk and verified.
   *
   * @param archive a file that never changes, named by its content
   * @param version the chart's own
   * @param valueKeys top-level keys of the chart's default values
   */
  record Loaded(Path archive, String sha256, String version, Set<String> valueKeys)
      implements ChartResult {
    public Loaded {
      valueKeys = Set.copyOf(valueKeys);
    }
  }

  /** Asked for the first time; whoever listens hears of the outcome. */
  record Loading() implements ChartResult {}

  /** Not an exact version; only other flags help. */
  record VersionInvalid(String version) implements ChartResult {}

  /** The source answered and does not have it. */
  record VersionNotFound(String message) implements ChartResult {}

  /** What came is not what the index promised. */
  record DigestMismatch(String message) implements ChartResult {}

  /** The source gave no usable answer. */
  record NotLoaded(String message) implements ChartResult {}
}
