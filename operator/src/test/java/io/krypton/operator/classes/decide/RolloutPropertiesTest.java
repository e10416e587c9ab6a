// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import static io.krypton.operator.classes.decide.RolloutSimulation.STABLE;
import static io.krypton.operator.classes.decide.RolloutSimulation.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.chartrollout.ChartRolloutPhase;
import io.krypton.api.chartrollout.ChartRolloutSpec;
import io.krypton.api.chartrollout.ChartRolloutSpec.Run;
import io.krypton.api.tenantclass.RolloutPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What holds in every rollout, whatever happens in it. */
class RolloutPropertiesTest {
  private static final int ROUNDS = 40;

  private static String anyPolicy(Random random, String more) {
    var waves = new ArrayList<String>();
    for (int i = 0; i < random.nextInt(4); i++) {
      var wave = "{name: w%d, maxConcurrent: %d".formatted(i, 1 + random.nextInt(4));
      wave +=
          switch (random.nextInt(3)) {
            case 0 -> ", share: %d%%".formatted(1 + random.nextInt(60));
            case 1 -> ", clusters: {matchLabels: {ring: '%d'}}".formatted(random.nextInt(4));
            default -> ", tenants: {matchLabels: {tier: gold}}";
          };
      waves.add(wave + (random.nextBoolean() ? ", soak: 1m}" : "}"));
    }
    return """
        waves: [%s]
        maxConcurrent: %d
        maxFailures: 100%%
        maxUnreachable: 100%%
        progressDeadline: 2m
        %s
        """
        .formatted(String.join(", ", waves), 1 + random.nextInt(5), more);
  }

  private static RolloutSimulation anyRollout(Random random, String more) {
    var rollout = new RolloutSimulation(anyPolicy(random, more));
    for (int i = 0; i < 10 + random.nextInt(30); i++) {
      anyTarget(rollout, random, "t" + i, true);
    }
    return rollout;
  }

  private static void anyTarget(
      RolloutSimulation rollout, Random random, String name, boolean installed) {
    var ring = String.valueOf(random.nextInt(5));
    var target = installed ? rollout.installed(name, ring) : rollout.added(name, ring);
    if (random.nextInt(4) == 0) {
      target.labels.put("tier", "gold");
    }
    if (random.nextInt(10) == 0) {
      rollout.neverReady.add(TARGET + "/" + name);
    }
  }

  /** Something that may happen between two decisions. */
  private static void happen(RolloutSimulation rollout, Random random, int step) {
    if (rollout.targets.isEmpty()) {
      return;
    }
    var all = List.copyOf(rollout.targets.values());
    var one = all.get(random.nextInt(all.size()));
    switch (random.nextInt(24)) {
      case 0 -> anyTarget(rollout, random, "new" + step, false);
      case 1 -> rollout.targets.remove(one.key);
      case 2, 3 -> one.reachable = !one.reachable;
      case 4 -> rollout.restart();
      case 5 -> one.suspended = !one.suspended;
      case 6 -> one.breakDown();
      case 7 -> {
        if (one.revision != null) {
          one.breakDown();
          one.update(rollout.now);
        }
      }
      case 8 -> rollout.run(random.nextInt(3) == 0 ? Run.PAUSED : Run.RUNNING);
      default -> {}
    }
  }

  private static void endOfTrouble(RolloutSimulation rollout) {
    rollout.run(Run.RUNNING);
    rollout.targets.values().forEach(target -> target.reachable = true);
    rollout.targets.values().forEach(target -> target.suspended = false);
  }

  @Test
  void nobody_goes_back_or_twice_and_waves_keep_their_order() {
    var seed = System.nanoTime();
    var random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      var rollout = anyRollout(random, "");
      var plan = WavePlan.of("default", "default-8", rollout.spec.policy());
      var there = new HashSet<TargetKey>();
      for (int step = 0; step < 150; step++) {
        var why = "seed %d round %d step %d".formatted(seed, round, step);
        happen(rollout, random, step);
        rollout.pass(Duration.ofSeconds(1 + random.nextInt(20)));
        rollout.decide();
        var stableBefore = keysOn(rollout, STABLE);
        if (random.nextInt(8) != 0) { // Else the leader falls before anybody acts.
          rollout.act();
        }

        var now = keysOn(rollout, TARGET);
        there.retainAll(rollout.targets.keySet());
        assertThat(now).as(why + ": nobody goes back").containsAll(there);
        for (var target : rollout.targets.values()) {
          if (stableBefore.contains(target.key) && now.contains(target.key)) {
            assertThat(hasCome(rollout, plan, target)).as(why + ": " + target.key).isTrue();
          }
        }
        there.addAll(now);
      }
      endOfTrouble(rollout);
      assertThat(rollout.finish())
          .as("seed %d round %d", seed, round)
          .isEqualTo(ChartRolloutPhase.COMPLETED);
      rollout.after(Duration.ofMinutes(30));
      assertThat(rollout.targets.values())
          .as("seed %d round %d", seed, round)
          .allMatch(target -> TARGET.equals(target.revision));
    }
  }

  private static Set<TargetKey> keysOn(RolloutSimulation rollout, String revision) {
    var keys = new HashSet<TargetKey>();
    rollout.targets.values().stream()
        .filter(target -> revision.equals(target.revision))
        .forEach(target -> keys.add(target.key));
    return keys;
  }

  /** Every wave before that of the target has passed. */
  private static boolean hasCome(RolloutSimulation rollout, WavePlan plan, SimulatedTarget target) {
    int wave = plan.waveOf(target.observed());
    return rollout.status.waves().stream().limit(wave).allMatch(it -> it.endedAt() != null)
        && rollout.status.waves().get(wave).startedAt() != null;
  }

  @Test
  void no_more_than_the_slots_of_a_wave_are_in_flight() {
    var seed = System.nanoTime();
    var random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      var rollout = anyRollout(random, "");
      for (int step = 0; step < 100; step++) {
        if (random.nextInt(6) == 0) {
          rollout.restart();
        }
        if (random.nextInt(20) == 0) {
          anyTarget(rollout, random, "later" + step, true);
        }
        rollout.pass(Duration.ofSeconds(1 + random.nextInt(20)));
        rollout.decide();
        rollout.act();

        assertThatSlotsHold(
            rollout, TARGET, "seed %d round %d step %d".formatted(seed, round, step));
      }
    }
  }

  private static void assertThatSlotsHold(RolloutSimulation rollout, String revision, String why) {
    var plan = WavePlan.of("default", "default-8", rollout.spec.policy());
    var inFlight = new HashMap<Integer, Integer>();
    for (var target : rollout.targets.values()) {
      var isLate = target.sinceArrival().compareTo(Duration.ofMinutes(2)) > 0;
      if (revision.equals(target.revision) && !target.isReady() && !isLate) {
        inFlight.merge(plan.waveOf(target.observed()), 1, Integer::sum);
      }
    }
    inFlight.forEach(
        (wave, count) ->
            assertThat(count)
                .as(why + ": " + plan.describe(wave))
                .isLessThanOrEqualTo(plan.wave(wave).maxConcurrent()));
  }

  @Test
  void who_comes_or_goes_moves_nobody_else() {
    var seed = System.nanoTime();
    var random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      var rollout = anyRollout(random, "");
      var before = waves(rollout);
      for (int i = 0; i < 20; i++) {
        anyTarget(rollout, random, "other" + i, true);
      }
      var some = List.copyOf(before.keySet());
      var gone = some.subList(0, random.nextInt(some.size()));
      gone.forEach(rollout.targets::remove);

      var after = waves(rollout);
      after.keySet().retainAll(before.keySet());
      gone.forEach(before::remove);
      assertThat(after).as("seed %d", seed).isEqualTo(before);
    }
  }

  private static Map<TargetKey, Integer> waves(RolloutSimulation rollout) {
    var plan = WavePlan.of("default", "default-8", rollout.spec.policy());
    var waves = new HashMap<TargetKey, Integer>();
    rollout.targets.forEach((key, target) -> waves.put(key, plan.waveOf(target.observed())));
    return waves;
  }

  @Test
  void a_rollback_ends_with_everybody_on_the_stable_revision() {
    var seed = System.nanoTime();
    var random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      var rollout = anyRollout(random, "");
      rollout.spec = withRollback(rollout);
      rollout.neverReady.add(TARGET + "/t" + random.nextInt(10));
      for (int step = 0; step < 60; step++) {
        if (random.nextInt(6) == 0) {
          rollout.restart();
        }
        rollout.pass(Duration.ofSeconds(1 + random.nextInt(20)));
        rollout.decide();
        rollout.act();
        assertThatSlotsHold(
            rollout, STABLE, "seed %d round %d step %d".formatted(seed, round, step));
      }

      assertThat(rollout.finish())
          .as("seed %d round %d", seed, round)
          .isEqualTo(ChartRolloutPhase.ROLLED_BACK);
      assertThat(rollout.on(STABLE)).as("seed %d", seed).isEqualTo(rollout.targets.size());
      assertThat(rollout.targets.values())
          .as("seed %d round %d: there and back", seed, round)
          .allMatch(target -> target.timesMoved == 1 || target.timesMoved == 3);
    }
  }

  private static ChartRolloutSpec withRollback(RolloutSimulation rollout) {
    var policy = rollout.spec.policy();
    var strict = RolloutSimulation.policy("{maxFailures: 0, onFailure: Rollback}");
    return ChartRolloutSpec.of(
        "default",
        rollout.spec.from(),
        rollout.spec.to(),
        new RolloutPolicy(
            policy.waves(),
            policy.maxConcurrent(),
            strict.maxFailures(),
            policy.maxUnreachable(),
            policy.progressDeadline(),
            strict.onFailure(),
            false,
            policy.newTenants(),
            policy.windows()),
        rollout.spec.run());
  }
}
