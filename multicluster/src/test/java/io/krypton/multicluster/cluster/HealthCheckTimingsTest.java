// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.multicluster.client.ClusterFailure;
import io.krypton.multicluster.cluster.ClusterState.Connecting;
import io.krypton.multicluster.cluster.ClusterState.Engaged;
import io.krypton.multicluster.cluster.ClusterState.Unreachable;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HealthCheckTimingsTest {
  private static final ClusterFailure LATE =
      new ClusterFailure(ClusterFailure.Kind.TIMEOUT, "late");
  private static final ClusterFailure WHO =
      new ClusterFailure(ClusterFailure.Kind.CREDENTIALS_REFUSED, "401");
  private static final HealthCheckTimings PACE = HealthCheckTimings.standard();

  @Test
  void silence_is_unreachable_within_45_seconds() {
    var worst = PACE.untilNextProbe(new Engaged(0, null));
    for (int failed = 1; failed < ClusterStateMachine.FAILURE_THRESHOLD; failed++) {
      worst = worst.plus(PACE.untilNextProbe(new Engaged(failed, LATE)));
    }

    assertThat(worst.plus(PACE.timeoutFor(new Engaged(2, LATE))))
        .isLessThan(Duration.ofSeconds(45));
  }

  @Test
  void a_probe_in_doubt_ends_before_the_next_begins() {
    assertThat(PACE.timeoutFor(new Engaged(1, LATE)))
        .isLessThan(PACE.untilNextProbe(new Engaged(1, LATE)));
  }

  @Test
  void an_answer_after_an_outage_is_noticed_within_5_seconds_however_long_it_was() {
    var longGone = new Unreachable(LATE, true, 10_000, 0);

    assertThat(PACE.timeoutFor(longGone).plus(PACE.untilNextProbe(longGone)))
        .isLessThan(Duration.ofSeconds(5));
  }

  @ParameterizedTest
  @CsvSource({"0, 5", "1, 10", "2, 20", "3, 40", "4, 60", "1000, 60"})
  void a_cluster_that_refuses_credentials_is_asked_ever_less(int probes, int seconds) {
    assertThat(PACE.untilNextProbe(new Unreachable(WHO, true, probes, 0)))
        .isEqualTo(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 5", "2, 10", "6, 160", "7, 300", "1000, 300"})
  void a_failed_preparation_is_repeated_ever_less(int attempts, int seconds) {
    assertThat(PACE.untilNextProbe(new Connecting(attempts, null)))
        .isEqualTo(Duration.ofSeconds(seconds));
  }
}
