// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.rollout.RolloutPhase;
import io.krypton.operator.tenant.TenantConditionSummary.TenantPhase;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TenantPhaseTest {
  @ParameterizedTest(name = "{0}, skip {1} -> {2}")
  @CsvSource({
    "none, false, PENDING",
    "ClusterReady/a=TRUE/Installed, false, READY",
    "ClusterReady/a=FALSE/NotReady, false, PENDING",
    "ClusterReady/a=TRUE/Installed ClusterError/b=TRUE/InstallFailed, false, ERROR",
    "ClusterReady/a=TRUE/Installed ClusterError/a=FALSE/Resolved, false, READY",
    "ClusterError/a=TRUE/ChartNotLoaded, false, ERROR",
    "ClusterError/a=TRUE/ChartNotLoaded, true, PENDING",
    "ClusterReady/a=TRUE/Installed ClusterError/a=TRUE/VersionNotFound, true, READY",
    "ClusterError/a=TRUE/ChartDigestMismatch, true, ERROR",
    "ClusterReady/a=TRUE/Installed ClusterProgress/a=TRUE/Upgrading, false, READY"
  })
  void errors_win_then_readiness(
      String conditions, boolean allowChartSkip, RolloutPhase rolloutPhase) {
    assertThat(TenantPhase.of(parse(conditions), allowChartSkip)).isEqualTo(rolloutPhase);
  }

  private static List<Condition> parse(String text) {
    return Arrays.stream(text.split(" "))
        .filter(word -> word.contains("="))
        .map(
            word -> {
              var status = word.indexOf('=');
              var reason = word.lastIndexOf('/');
              return Condition.of(
                  word.substring(0, status),
                  ConditionStatus.valueOf(word.substring(status + 1, reason)),
                  word.substring(reason + 1),
                  "");
            })
        .toList();
  }
}
