// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.decide;

import io.krypton.api.NameShortener;
import java.util.regex.Pattern;

/** A name that Helm accepts for a release. */
public record ReleaseName(String value) {
  private static final int MAX_LENGTH = 53;

  /** What is left of a name that had to be cut: a dash and twelve digits come after it. */
  private static final int KEPT_LENGTH = MAX_LENGTH - 13;

  private static final Pattern VALID =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  public ReleaseName {
    if (value.length() > MAX_LENGTH || !VALID.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "release name '%s' must be a DNS name of at most %d characters"
              .formatted(value, MAX_LENGTH));
    }
  }

  public static ReleaseName ofTenant(String tenant, String cluster) {
    return new ReleaseName(NameShortener.shorten("tenant-" + tenant + "-" + cluster, MAX_LENGTH));
  }

  /** Whether a release may be of this Tenant on some cluster; long names are cut. */
  public static boolean isOfTenant(String release, String tenant) {
    var prefix = "tenant-" + tenant + "-";
    return release.startsWith(prefix.substring(0, Math.min(prefix.length(), KEPT_LENGTH)));
  }

  public static ReleaseName ofDeployment(String name) {
    return new ReleaseName(NameShortener.shorten("ced-" + name, MAX_LENGTH));
  }

  @Override
  public String toString() {
    return value;
  }
}
