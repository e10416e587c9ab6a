// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.krypton.cli.fleet.ClusterSummary.PhaseCounts;
import io.krypton.cli.fleet.ClusterSummary.ReportedState;
import io.krypton.cli.fleet.FleetReader.Fleet;
import io.krypton.cli.view.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A cluster by what the operator said about it and what it says itself. */
class ClusterSummaryTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  private static @Nullable ReportedState news(@Nullable String state) {
    return state == null ? null : new ReportedState(state, "the operator's words", NOW);
  }

  private static FleetProbeResult look(String word) {
    return switch (word) {
      case "answers" -> new FleetProbeResult.Reachable("v1.36.3", List.of(), null, "");
      case "dead" -> new FleetProbeResult.Unreachable("connection refused");
      case "refused" -> new FleetProbeResult.Rejected("kubeconfig uses exec");
      default -> new FleetProbeResult.NotProbed();
    };
  }

  @ParameterizedTest
  @CsvSource({
    "Engaged, answers, Engaged, ''",
    ", answers, Reachable, ''",
    "Unreachable, answers, Unreachable, the operator said: the operator's words; it answers from here",
    "Rejected, answers, Rejected, the operator said: the operator's words; it answers from here",
    "Engaged, dead, Unreachable, connection refused",
    ", dead, Unreachable, connection refused",
    "Engaged, refused, Rejected, kubeconfig uses exec",
    "Engaged, not asked, Engaged, ''",
    "Unreachable, not asked, Unreachable, the operator's words",
    ", not asked, Unknown, ''"
  })
  void the_worse_of_both_is_shown(
      @Nullable String said, String live, String state, String message) {
    var view = ClusterSummary.of("edge", null, news(said), look(live));

    assertThat(view.state()).isEqualTo(state);
    assertThat(view.message()).isEqualTo(message);
  }

  private static Event event(String reason, int second) {
    return new EventBuilder()
        .withNewMetadata()
        .withName(reason + second)
        .endMetadata()
        .withNewInvolvedObject()
        .withKind("Secret")
        .withNamespace("krypton")
        .withName("edge")
        .endInvolvedObject()
        .withReason(reason)
        .withMessage(reason)
        .withLastTimestamp("2026-01-02T03:04:%02dZ".formatted(second))
        .build();
  }

  @ParameterizedTest
  @CsvSource({
    "ClusterEngaged 1 ClusterUnreachable 2, Unreachable",
    "ClusterUnreachable 2 ClusterRecovered 3, Engaged",
    "ClusterUnreachable 3 ClusterRecovered 3, Engaged",
    "ClusterRejected 1, Rejected",
    "ClusterEngaged 1 ClusterDuplicate 2, Engaged",
    "ClusterEngaged 1 ClusterCredentialsExpiring 2, Engaged",
    "CRDIncompatible 4, NotPrepared"
  })
  void the_newest_event_that_speaks_of_a_state_counts(String events, String state) {
    var words = events.split(" ");
    var list = new ArrayList<Event>();
    for (var i = 0; i < words.length; i += 2) {
      list.addFirst(event(words[i], Integer.parseInt(words[i + 1])));
    }

    assertThat(ReportedState.latestBySecret(list).get("krypton/edge"))
        .extracting(ReportedState::state)
        .isEqualTo(state);
  }

  @Test
  void the_status_tells_all_clusters_in_one_line_and_each_in_one_row() {
    var fleet =
        new Fleet(
            List.of(
                ClusterSummary.of("edge-1", NOW, news("Engaged"), look("answers")),
                ClusterSummary.of("edge-2", NOW, null, look("dead"))),
            List.of());

    var look = FleetViews.status("https://home", fleet, new PhaseCounts(1, 0, 2));

    assertThat(look.heading())
        .containsExactly(
            "Home      https://home",
            "Clusters  2: 1 Engaged, 1 Unreachable",
            "Tenants   none",
            "KryptonDeployments  3: 1 Ready, 2 Error",
            "KMS       2: 2 unknown",
            "");
    assertThat(look.table().lines(new Table.Layout(false, true, false)))
        .containsExactly(
            "CLUSTER   STATE         VERSION   READY   PENDING   ERROR   KMS   MESSAGE",
            "edge-1    Engaged       v1.36.3   0       0         0       -     -",
            "edge-2    Unreachable   -         -       -         -       -     connection refused");
  }
}
