// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import static io.krypton.operator.classes.decide.RolloutSimulation.TARGET;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.krypton.api.chartrollout.ChartRolloutPhase;
import io.krypton.api.chartrollout.ChartRolloutStatus;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RolloutScaleTest {
  private static final int TARGETS = 10_000;
  private static final int MOST_BYTES = 32 * 1024;

  @Test
  void a_hundred_decisions_on_ten_thousand_targets_are_quick() {
    var rollout =
        new RolloutSimulation(
            """
            waves:
            - {name: canary, clusters: {matchLabels: {ring: "0"}}, maxConcurrent: 100}
            - {name: tenth, share: 10%, soak: 1m}
            - {name: third, share: 33%, soak: 1m}
            maxConcurrent: 500
            """);
    for (int i = 0; i < TARGETS; i++) {
      rollout.installed("t" + i, String.valueOf(i % 40));
    }
    var observed = rollout.targets.values().stream().map(SimulatedTarget::observed).toList();
    var begun = System.nanoTime();
    for (int i = 0; i < 100; i++) {
      RolloutDecider.decide(
          rollout.input(),
          observed,
          rollout.memory,
          new DeciderMemory.ClockReading(rollout.now, i));
    }
    var took = Duration.ofNanos(System.nanoTime() - begun);

    assertThat(took).isLessThan(Duration.ofSeconds(30));
    rollout.settle();
    assertThat(rollout.on(TARGET)).isEqualTo(100);
  }

  @Test
  void the_status_of_the_largest_rollout_with_the_longest_names_is_below_32_kb() {
    var waves =
        IntStream.range(0, 20)
            .mapToObj(
                i ->
                    "{name: %s, share: %d%%, soak: 8h}"
                        .formatted("w".repeat(38) + (10 + i), i * 5 + 5))
            .collect(Collectors.joining(", "));
    var rollout = new RolloutSimulation("waves: [%s]\nmaxConcurrent: 10000\n".formatted(waves));
    var longest = "n".repeat(240);
    for (int i = 0; i < 1000; i++) {
      rollout.installed(longest + i, "0".repeat(248) + i % 10);
    }
    rollout.targets.values().stream().limit(500).forEach(SimulatedTarget::breakDown);
    rollout.pass(Duration.ofMinutes(1));
    rollout.neverReady.add(TARGET);
    rollout.settle();
    rollout.after(Duration.ofMinutes(11));

    assertThat(rollout.phase()).isEqualTo(ChartRolloutPhase.HALTED);
    assertThat(rollout.status.failures()).hasSize(ChartRolloutStatus.MOST_FAILURES);
    assertThat(rollout.status.alreadyFailing()).hasSize(ChartRolloutStatus.MOST_ALREADY_FAILING);
    assertThat(new KubernetesSerialization().asJson(rollout.status).getBytes(UTF_8).length)
        .isLessThan(MOST_BYTES);
  }
}
