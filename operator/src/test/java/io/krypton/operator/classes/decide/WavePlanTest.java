// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WavePlanTest {
  private static final String POLICY =
      """
      waves:
      - {name: canary, clusters: {matchLabels: {ring: "0"}}, tenants: {matchLabels: {tier: internal}}}
      - {name: internal, tenants: {matchLabels: {tier: internal}}, maxConcurrent: 3}
      - {name: ring1, clusters: {matchLabels: {ring: "1"}}, soak: 30m, approval: Required}
      maxConcurrent: 7
      """;

  private final WavePlan plan = plan("default-8", POLICY);

  private static WavePlan plan(String rollout, String policy) {
    return WavePlan.of("default", rollout, RolloutSimulation.policy(policy));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "both selectors match       | 0 | internal | canary",
        "one of two does            | 2 | internal | internal",
        "the first that matches     | 1 | internal | internal",
        "by its cluster alone       | 1 | gold     | ring1",
        "no one matches             | 2 | gold     | rest",
        "the cluster is not enough  | 0 | gold     | rest",
      })
  void a_target_is_in_the_first_wave_that_matches(
      String rule, String ring, String tier, String wave) {
    assertThat(plan.name(plan.waveOf(target("acme", ring, tier)))).isEqualTo(wave);
  }

  @Test
  void a_wave_has_its_own_limits_or_those_of_all() {
    assertThat(plan.size()).isEqualTo(4);
    assertThat(plan.wave(0).maxConcurrent()).isEqualTo(7);
    assertThat(plan.wave(1).maxConcurrent()).isEqualTo(3);
    assertThat(plan.wave(2).soak()).hasMinutes(30);
    assertThat(plan.wave(2).approval()).isTrue();
    assertThat(plan.wave(3).maxConcurrent()).isEqualTo(7);
    assertThat(plan.describe(2)).isEqualTo("wave 3 of 4 (ring1)");
  }

  @Test
  void without_waves_everybody_is_in_the_last() {
    var none = plan("default-8", "{}");

    assertThat(none.size()).isEqualTo(1);
    assertThat(none.name(none.waveOf(target("acme", "0", "internal")))).isEqualTo("rest");
  }

  @Test
  void the_bucket_is_the_hash_of_class_rollout_and_place() throws NoSuchAlgorithmException {
    var hash =
        MessageDigest.getInstance("SHA-256")
            .digest("default|default-8|edge-0/team/acme".getBytes(StandardCharsets.UTF_8));

    assertThat(plan.bucketOf(target("acme", "0", "gold").key()))
        .isEqualTo(new BigInteger(1, hash).mod(BigInteger.valueOf(10_000)).intValue());
  }

  @Test
  void shares_add_up_and_differ_from_rollout_to_rollout() {
    var shares =
        """
        waves: [{name: tenth, share: 10%}, {name: third, share: 30%}, {name: all, share: 100%}]
        """;
    var count = new HashMap<String, Integer>();
    var plan8 = plan("default-8", shares);
    var plan9 = plan("default-9", shares);
    int inBothTenths = 0;
    for (var target : many(10_000)) {
      count.merge(plan8.name(plan8.waveOf(target)), 1, Integer::sum);
      if (plan8.waveOf(target) == 0 && plan9.waveOf(target) == 0) {
        inBothTenths++;
      }
    }

    assertThat(count.get("tenth")).isBetween(880, 1120);
    assertThat(count.get("third")).isBetween(1840, 2160);
    assertThat(count.get("all")).isBetween(6800, 7200);
    assertThat(count).doesNotContainKey("rest");
    assertThat(inBothTenths).isBetween(50, 150);
  }

  @Test
  void a_share_may_be_as_small_as_one_in_ten_thousand() {
    var plan = plan("default-8", "waves: [{name: few, share: 0.01%}]");

    for (var target : many(2000)) {
      assertThat(plan.waveOf(target) == 0).isEqualTo(plan.bucketOf(target.key()) == 0);
    }
  }

  @Test
  void a_share_counts_within_what_the_selectors_match() {
    var plan =
        plan(
            "default-8", "waves: [{name: half, share: 50%, tenants: {matchLabels: {tier: gold}}}]");

    assertThat(many(500)).allMatch(target -> plan.waveOf(target) == 1);
  }

  private static List<ObservedTarget> many(int count) {
    var targets = new ArrayList<ObservedTarget>();
    for (int i = 0; i < count; i++) {
      targets.add(target("tenant-" + i, String.valueOf(i % 7), "internal"));
    }
    return targets;
  }

  private static ObservedTarget target(String name, String ring, String tier) {
    var target = new RolloutSimulation("{}").installed(name, ring);
    target.labels.put("tier", tier);
    return target.observed();
  }
}
