// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.decide;

import io.krypton.operator.release.values.ChartValues;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** Names chart and values of a release; while it stays the same there is nothing to roll out. */
public record Fingerprint(String hex) {
  private static final Pattern VALID = Pattern.compile("[0-9a-f]{64}");
  private static final int MAX_LABEL_LENGTH = 63;

  public Fingerprint {
    if (!VALID.matcher(hex).matches()) {
      throw new IllegalArgumentException("a fingerprint is 64 hex digits, not '" + hex + "'");
    }
  }

  /** {@code version} as it was asked for, or the resolved one if none was. */
  public static Fingerprint of(String repo, String chart, String version, ChartValues chartValues) {
    var text = new StringBuilder(repo).append('|').append(chart).append('|').append(version);
    chartValues.canonicalLeaves().forEach(leaf -> text.append('|').append(leaf));
    return new Fingerprint(Sha256.hex(text.toString()));
  }

  /** As much of it as a label value may hold. */
  public String label() {
    return hex.substring(0, MAX_LABEL_LENGTH);
  }

  @Override
  public String toString() {
    return hex;
  }

  static final class Sha256 {
    private Sha256() {}

    static String hex(String text) {
      try {
        var digest = MessageDigest.getInstance("SHA-256");
        return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every JDK has SHA-256", e);
      }
    }
  }
}
