// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.ReleaseInspector.InspectionResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RolloutInspectionTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final InspectionResult READY = InspectionResult.NONE;
  private static final InspectionResult STARTING =
      result(List.of(), List.of("Deployment/x (0/1 available)"), List.of(), true);

  private final ReleaseChanges changes = new ReleaseChanges();

  private static InspectionResult result(
      List<String> missing, List<String> pending, List<String> failed, boolean complete) {
    return new InspectionResult(missing, List.of(), pending, failed, List.of(), complete);
  }

  /** Each inspection finds the next of these, and something changes after it. */
  private InspectionResult inspect(Duration limit, InspectionResult... results)
      throws IOException, InterruptedException {
    Queue<InspectionResult> all = new ArrayDeque<>(List.of(results));
    try (var waiter = changes.waiter("ns", "web")) {
      var found =
          RolloutInspection.untilReady(
              waiter,
              limit,
              () -> {
                changes.changed("ns", "web");
                return all.remove();
              });
      assertThat(all).as("not inspected").isEmpty();
      return found;
    }
  }

  @Test
  void workloads_that_are_ready_at_once_are_never_reported_as_starting() throws Exception {
    assertThat(inspect(LONG, STARTING, STARTING, READY)).isEqualTo(READY);
  }

  @Test
  void caches_that_sync_at_once_are_waited_for() throws Exception {
    assertThat(inspect(LONG, result(List.of(), List.of(), List.of(), false), READY))
        .isEqualTo(READY);
  }

  @Test
  void workloads_that_take_longer_are_reported_as_they_are() throws Exception {
    assertThat(inspect(Duration.ZERO, STARTING)).isEqualTo(STARTING);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void what_waiting_does_not_cure_is_reported_at_once(String rule, InspectionResult found)
      throws Exception {
    assertThat(inspect(LONG, found)).as(rule).isEqualTo(found);
  }

  static Stream<Arguments> what_waiting_does_not_cure_is_reported_at_once() {
    return Stream.of(
        Arguments.of("ready", READY),
        Arguments.of("failed", result(List.of(), List.of("x"), List.of("Job/y (failed)"), true)),
        Arguments.of("drift", result(List.of("ConfigMap/z"), List.of("x"), List.of(), true)));
  }
}
