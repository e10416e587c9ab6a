// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.revision;

import io.krypton.api.tenantclass.TenantClassStatus.RevisionReference;
import io.krypton.base.crypto.Sha256;
import io.krypton.operator.release.RevisionSource.ReleaseRevision;
import io.krypton.operator.release.RevisionSource.RevisionIdentity;
import io.krypton.operator.release.chart.ChartRef;
import java.util.Map;

/**
 * What a class rolled out, or is to roll out: it never changes under its number.
 *
 * @param digest of the chart as it was accepted
 * @param hash of repository, name, version and digest of the chart, and of the values
 */
public record ClassRevision(
    String className,
    int number,
    ChartRef chart,
    String digest,
    CentralValues values,
    String hash) {

  /** Of what a class asks for, under a number. */
  public static ClassRevision of(
      String className, int number, ChartRef chart, String digest, CentralValues values) {
    return new ClassRevision(className, number, chart, digest, values, hash(chart, digest, values));
  }

  private static String hash(ChartRef chart, String digest, CentralValues values) {
    var sha256 = new Sha256();
    for (var part : new String[] {chart.repo(), chart.name(), chart.version(), digest}) {
      sha256.add(part).add((byte) 0);
    }
    values.addTo(sha256);
    return sha256.hex();
  }

  /** As status names it. */
  public RevisionReference reference() {
    return new RevisionReference(number, chart.version(), hash);
  }

  /** What releases on a cluster get. */
  public ReleaseRevision on(Map<String, String> clusterLabels) {
    return new ReleaseRevision(chart, values.on(clusterLabels), new RevisionIdentity(hash, digest));
  }

  /** The same, of whatever content the version has: nobody accepted one. */
  public ReleaseRevision onWithAnyContent(Map<String, String> clusterLabels) {
    return new ReleaseRevision(
        chart, values.on(clusterLabels), new RevisionIdentity(hash, null));
  }

  /** What is written on each release of it. */
  public String label() {
    return new RevisionIdentity(hash, digest).label();
  }

  /** Whether another revision names the same chart, and it is not the same any more. */
  public boolean isPublishedAgainIn(ChartRef other, String otherDigest) {
    return chart.repo().equals(other.repo())
        && chart.name().equals(other.name())
        && chart.version().equals(other.version())
        && !digest.equals(otherDigest);
  }

  @Override
  public String toString() {
    return "%s-r%d (%s)".formatted(className, number, chart);
  }
}
