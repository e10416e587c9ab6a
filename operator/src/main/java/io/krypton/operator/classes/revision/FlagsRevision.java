// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.revision;

import io.krypton.api.tenantclass.TenantClassStatus.ClassReasons;
import io.krypton.operator.classes.revision.RevisionDraft.Complete;
import io.krypton.operator.release.RevisionSource.ReleaseRevision;
import io.krypton.operator.release.chart.ChartRef;
import io.krypton.operator.release.chart.ChartResult;
import io.krypton.operator.release.chart.ChartStore;
import io.krypton.operator.release.values.ChartValues;
import java.util.List;

/**
 * What flags say, as a revision of the class {@code default}: where the first rollout of an object
 * of that name begins, if flags have rolled out anything.
 */
public record FlagsRevision(ChartRef chart, ChartValues values) {

  /** As flags answer for whoever names no class. */
  public ReleaseRevision release() {
    return new ReleaseRevision(chart, values);
  }

  /** With the version that the newest chart turned out to have. */
  public RevisionDraft draft(ChartStore charts) {
    return switch (charts.chart(chart)) {
      case ChartResult.Loaded loaded ->
          new Complete(
              chart.version().isEmpty() ? chart.withVersion(loaded.version()) : chart,
              loaded.digest(),
              new CentralValues(ChartValues.empty(), List.of(), values));
      case ChartResult.Loading loading -> new RevisionDraft.Loading();
      case ChartResult other ->
          new RevisionDraft.Unusable(
              ClassReasons.CHART_UNAVAILABLE,
              "the chart of the flags, from which the rollout is to begin: " + other.describe());
    };
  }
}
