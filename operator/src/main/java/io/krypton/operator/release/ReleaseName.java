package io.krypton.operator.release;

import io.krypton.api.Names;
import java.util.regex.Pattern;

/** A name that Helm accepts for a release. */
public record ReleaseName(String value) {
  private static final int LONGEST = 53;

  /** What is left of a name that had to be cut: a dash and twelve digits come after it. */
  private static final int UNCUT = LONGEST - 13;

  private static final Pattern VALID =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  public ReleaseName {
    if (value.length() > LONGEST || !VALID.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "release name '%s' must be a DNS name of at most %d characters"
              .formatted(value, LONGEST));
    }
  }

  public static ReleaseName ofTenant(String tenant, String cluster) {
    return new ReleaseName(Names.shorten("tenant-" + tenant + "-" + cluster, LONGEST));
  }

  /** Whether a release may be of this Tenant on some cluster; long names are cut. */
  public static boolean isOfTenant(String release, String tenant) {
    var prefix = "tenant-" + tenant + "-";
    return release.startsWith(prefix.substring(0, Math.min(prefix.length(), UNCUT)));
  }

  public static ReleaseName ofDeployment(String name) {
    return new ReleaseName(Names.shorten("ced-" + name, LONGEST));
  }

  @Override
  public String toString() {
    return value;
  }
}
