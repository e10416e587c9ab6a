package io.krypton.operator.release;

import io.krypton.operator.values.Values;
import java.util.regex.Pattern;

/** Names chart and values of a release; while it stays the same there is nothing to roll out. */
public record Fingerprint(String hex) {
  private static final Pattern VALID = Pattern.compile("[0-9a-f]{64}");
  private static final int LONGEST_LABEL = 63;

  public Fingerprint {
    if (!VALID.matcher(hex).matches()) {
      throw new IllegalArgumentException("a fingerprint is 64 hex digits, not '" + hex + "'");
    }
  }

  /** {@code version} as it was asked for, or the resolved one if none was. */
  public static Fingerprint of(String repo, String chart, String version, Values values) {
    var text = new StringBuilder(repo).append('|').append(chart).append('|').append(version);
    values.canonicalLeaves().forEach(leaf -> text.append('|').append(leaf));
    return new Fingerprint(Sha256.hex(text.toString()));
  }

  /** As much of it as a label value may hold. */
  public String label() {
    return hex.substring(0, LONGEST_LABEL);
  }

  @Override
  public String toString() {
    return hex;
  }
}
