// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import java.util.Collection;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.semver4j.Semver;

/** Exact versions; ranges are not for charts that a fingerprint names. */
final class ChartVersion {
  private ChartVersion() {}

  static boolean isExact(String version) {
    return parse(version) != null;
  }

  /** Equal up to an optional {@code v} in front. */
  static boolean isSame(String one, String other) {
    var left = parse(one);
    var right = parse(other);
    return left != null && right != null && left.isEqualTo(right);
  }

  /** False where one of them is no version. */
  static boolean isOlder(String one, String other) {
    var left = parse(one);
    var right = parse(other);
    return left != null && right != null && left.isLowerThan(right);
  }

  static Optional<String> newestStable(Collection<String> versions) {
    return versions.stream()
        .map(version -> new Candidate(version, parse(version)))
        .filter(it -> it.parsed != null && it.parsed.isStable())
        .max(Comparator.comparing(it -> Objects.requireNonNull(it.parsed)))
        .map(Candidate::text);
  }

  private record Candidate(String text, @Nullable Semver parsed) {}

  private static @Nullable Semver parse(String version) {
    return Semver.parse(version.startsWith("v") ? version.substring(1) : version);
  }
}
