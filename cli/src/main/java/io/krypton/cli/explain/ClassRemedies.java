// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.explain;

import io.krypton.api.chartrollout.ChartRolloutStatus.ChartRolloutReasons;
import io.krypton.api.tenantclass.TenantClassStatus.ClassReasons;
import java.util.Map;
import java.util.Optional;

/** One sentence for each reason of a condition of a TenantClass or a ChartRollout. */
public final class ClassRemedies {
  private static final Map<String, String> OF_CLASS =
      Map.of(
          ClassReasons.ACCEPTED,
          "Nothing to do.",
          ClassReasons.ROLLING_OUT,
          "Wait: a change is rolled out; 'kubectl get chartrollouts' shows how far it is.",
          ClassReasons.CLASS_INVALID,
          "Correct the field that the message names; what is installed stays as it is until then.",
          ClassReasons.CHART_UNAVAILABLE,
          "Check spec.chart and its Secrets, and that the operator reaches the repository; it goes"
              + " on trying.",
          ClassReasons.VERSION_REPUSHED,
          "Publish the chart under a new version and name that: the one in spec.chart.version has"
              + " another content than before.",
          ClassReasons.REVISION_REFUSED,
          "This chart with these values was rolled back: correct spec, or annotate its ChartRollout"
              + " with a new mesh.openkcm.io/retryAt to try it again.",
          ClassReasons.CLASS_IN_USE,
          "Delete the Tenants and KryptonDeployments that the message names, or annotate the class"
              + " with mesh.openkcm.io/deletion-policy=orphan.");

  private static final Map<String, String> OF_ROLLOUT =
      Map.ofEntries(
          Map.entry(
              ChartRolloutReasons.PLANNED,
              "Look at what would change, then set spec.run to Running, or to Aborted."),
          Map.entry(
              ChartRolloutReasons.PENDING,
              "Wait: a window of the class must open; the message says when."),
          Map.entry(ChartRolloutReasons.PROGRESSING, "Wait: releases of the wave are updated."),
          Map.entry(
              ChartRolloutReasons.SOAKING, "Wait: the wave must stay ready for its soak time."),
          Map.entry(
              ChartRolloutReasons.AWAITING_APPROVAL,
              "Look at the wave, then create a RolloutApproval for it, or set spec.run to Aborted."),
          Map.entry(ChartRolloutReasons.PAUSED, "Set spec.run to Running to go on."),
          Map.entry(
              ChartRolloutReasons.HALTED,
              "Look at status.failures; then correct the class, which makes a new rollout, or go on"
                  + " with a new value of the annotation mesh.openkcm.io/retryAt, or set spec.run"
                  + " to Aborted."),
          Map.entry(
              ChartRolloutReasons.ROLLING_BACK,
              "Wait: releases go back to the stable revision; status.failures says why."),
          Map.entry(
              ChartRolloutReasons.ROLLED_BACK,
              "Correct the class, which makes a new rollout; what was rolled back is not tried again"
                  + " unless somebody sets mesh.openkcm.io/retryAt."),
          Map.entry(ChartRolloutReasons.COMPLETED, "Nothing to do."),
          Map.entry(ChartRolloutReasons.SUPERSEDED, "Nothing to do: a newer rollout took over."),
          Map.entry(
              ChartRolloutReasons.ABORTED,
              "Change the class to make a new rollout; releases stay where they are until then."),
          Map.entry(
              ChartRolloutReasons.TOO_MANY_FAILED,
              "Look at status.failures: 'krypton explain' with each object says what it lacks."),
          Map.entry(
              ChartRolloutReasons.TOO_MANY_UNREACHABLE,
              "Bring the clusters back that 'krypton clusters' shows as unreachable; the wave passes"
                  + " once no more than maxUnreachable are missing."),
          Map.entry(ChartRolloutReasons.WITHIN_BUDGET, "Nothing to do."));

  private ClassRemedies() {}

  /** For a TenantClass. */
  public static Optional<String> of(String reason) {
    return Optional.ofNullable(OF_CLASS.get(reason));
  }

  /** For a ChartRollout. */
  public static Optional<String> ofRollout(String reason) {
    return Optional.ofNullable(OF_ROLLOUT.get(reason));
  }
}
