// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.tenantclass;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.Json;
import io.krypton.api.rollout.ClassRules;
import io.krypton.api.rollout.TargetSelector;
import io.krypton.api.tenant.TenantSpec;
import io.krypton.api.tenantclass.RolloutPolicy.NewTenants;
import io.krypton.api.tenantclass.RolloutPolicy.OnFailure;
import io.krypton.api.tenantclass.TenantClassSpec.Allowed;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TenantClassJsonTest {
  private static final String FULL =
      """
      apiVersion: mesh.openkcm.io/v1alpha1
      kind: TenantClass
      metadata: {name: default, namespace: krypton}
      spec:
        chart: {repo: "oci://registry/charts", name: echo, version: 1.4.0, credentialsSecret: a, caSecret: b}
        values: {replicas: 1, gone: null}
        valuesFrom: [{kind: Secret, name: base, key: values.yaml, optional: false}]
        clusterValues: [{clusters: {matchLabels: {ring: "0"}}, values: {replicas: 2}}]
        allow:
          clusters: {matchExpressions: [{key: ring, operator: In, values: ["0"]}]}
          pinning: true
          downgrade: false
        revisionHistoryLimit: 5
        rollout:
          waves:
          - {name: canary, clusters: {matchLabels: {ring: "0"}}, tenants: {matchLabels: {tier: internal}}}
          - {name: tenth, share: 10%, maxConcurrent: 20, soak: 30m, approval: Required}
          maxConcurrent: 60
          maxFailures: 5%
          maxUnreachable: 3
          progressDeadline: 5m
          onFailure: Rollback
          requireKmsHealthy: true
          newTenants: Target
          windows: [{kind: Deny, schedule: "0 18 * * 5", duration: 62h, timeZone: Europe/Berlin}]
      status:
        observedGeneration: 3
        source: Object
        stable: {revision: 7, version: 1.3.0, hash: aa}
        target: {revision: 8, version: 1.4.0, hash: bb}
        refused: [cc]
        activeRollout: default-8
        counts: {targets: 9, onStable: 4, onTarget: 3, pinned: 1, suspended: 1, failed: 0, unreachable: 0}
        conditions: [{type: Ready, status: "True", reason: Accepted}]
      """;

  @Test
  void everything_survives_reading_and_writing() {
    assertThat(Json.tree(Json.read(FULL, TenantClass.class))).isEqualTo(Json.tree(FULL));
  }

  @Test
  void what_is_missing_has_its_default() {
    var bare = Json.read("spec: {chart: {name: echo}}", TenantClass.class);

    assertThat(bare.getSpec().policy()).isEqualTo(RolloutPolicy.DEFAULT);
    assertThat(bare.getSpec().allowed()).isEqualTo(Allowed.DEFAULT);
    assertThat(bare.getSpec().revisionHistoryLimit()).isEqualTo(10);
    assertThat(Json.read("{}", RolloutPolicy.class)).isEqualTo(RolloutPolicy.DEFAULT);
    assertThat(bare.getStatus()).isEqualTo(TenantClassStatus.EMPTY);
  }

  @Test
  void what_this_version_does_not_know_is_ignored_or_the_safe_default() {
    var policy =
        Json.read(
            """
            onFailure: Explode
            newTenants: Perhaps
            newer: 1
            waves: [{name: a, approval: Later, soak: long, newer: 1}]
            windows: [{kind: Maybe, schedule: x, newer: 1}]
            """,
            RolloutPolicy.class);

    assertThat(policy.onFailure()).isEqualTo(OnFailure.HALT);
    assertThat(policy.newTenants()).isEqualTo(NewTenants.STABLE);
    assertThat(policy.waves().getFirst().soak()).isNull();
    assertThat(policy.windows().getFirst().kind()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nothing at all      | {}                                                                | true",
        "the label           | {matchLabels: {ring: '0'}}                                        | true",
        "another value       | {matchLabels: {ring: '1'}}                                        | false",
        "a label more        | {matchLabels: {ring: '0', zone: a}}                               | false",
        "one of              | {matchExpressions: [{key: ring, operator: In, values: ['0', '1']}]} | true",
        "one of, absent      | {matchExpressions: [{key: zone, operator: In, values: [a]}]}       | false",
        "none of             | {matchExpressions: [{key: ring, operator: NotIn, values: ['0']}]}  | false",
        "none of, absent     | {matchExpressions: [{key: zone, operator: NotIn, values: [a]}]}    | true",
        "there               | {matchExpressions: [{key: ring, operator: Exists}]}               | true",
        "not there           | {matchExpressions: [{key: ring, operator: DoesNotExist}]}         | false",
        "unknown to us       | {matchExpressions: [{key: ring, operator: Gt, values: ['0']}]}     | false",
        "both kinds          | {matchLabels: {ring: '0'}, matchExpressions: [{key: ring, operator: DoesNotExist}]} | false",
      })
  void a_selector_matches_as_in_kubernetes(String rule, String selector, boolean matches) {
    var labels = Map.of("ring", "0", "tier", "internal");

    assertThat(Json.read("---\n" + selector, TargetSelector.class).matches(labels))
        .isEqualTo(matches);
  }

  @Test
  void a_class_without_an_allow_is_for_all_clusters() {
    assertThat(Allowed.DEFAULT.allowsCluster(Map.of())).isTrue();
    assertThat(
            Json.read("clusters: {matchLabels: {ring: '0'}}", Allowed.class)
                .allowsCluster(Map.of()))
        .isFalse();
  }

  @Test
  void nobody_who_names_no_class_is_without_one() {
    assertThat(TenantSpec.EMPTY.classOrDefault()).isEqualTo("default");
    assertThat(Json.read("className: gold", TenantSpec.class).classOrDefault()).isEqualTo("gold");
  }

  @ParameterizedTest
  @CsvSource({
    "1.4.0, true",
    "v1.4.0-rc.1+b.7, true",
    "1.4, false",
    "^1.4.0, false",
    "01.4.0, false",
    "'', false"
  })
  void a_version_is_exact_or_not(String version, boolean exact) {
    assertThat(ClassRules.isExactVersion(version)).isEqualTo(exact);
  }
}
