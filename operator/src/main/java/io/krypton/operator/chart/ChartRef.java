package io.krypton.operator.chart;

import java.util.regex.Pattern;

/**
 * The chart that flags name.
 *
 * @param repo as given; it is part of fingerprints
 * @param version empty means the newest stable one
 */
public record ChartRef(String repo, ChartSource source, String name, String version) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

  public ChartRef {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "--chart-name '" + name + "': give letters, digits, '.', '_' and '-' only");
    }
  }

  public static ChartRef of(String repo, String name, String version) {
    return new ChartRef(repo, ChartSource.parse(repo), name, version);
  }

  /** Whether the version names one chart, and not a range or nonsense. */
  public boolean hasExactVersion() {
    return ChartVersion.isExact(version);
  }

  @Override
  public String toString() {
    return repo + "/" + name + ":" + version;
  }
}
