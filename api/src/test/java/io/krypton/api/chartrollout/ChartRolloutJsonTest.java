// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.chartrollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.Json;
import io.krypton.api.chartrollout.ChartRolloutSpec.Run;
import io.krypton.api.rolloutapproval.RolloutApproval;
import io.krypton.api.tenantclass.RolloutPolicy;
import io.krypton.api.tenantclass.TenantClassStatus.RevisionReference;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

class ChartRolloutJsonTest {
  private static final String FULL =
      """
      apiVersion: mesh.openkcm.io/v1alpha1
      kind: ChartRollout
      metadata: {name: default-8, namespace: krypton}
      spec:
        className: default
        from: {revision: 7, version: 1.3.0, hash: aa}
        to: {revision: 8, version: 1.4.0, hash: bb}
        waves: [{name: canary, clusters: {matchLabels: {ring: "0"}}}]
        maxConcurrent: 60
        maxFailures: 5%
        maxUnreachable: 3
        progressDeadline: 5m
        onFailure: Rollback
        requireKmsHealthy: true
        newTenants: Target
        windows: [{kind: Deny, schedule: "0 18 * * 5", duration: 62h, timeZone: Europe/Berlin}]
        run: Paused
      status:
        observedGeneration: 3
        phase: Soaking
        wave: canary
        rollbackStartedAt: "2026-05-08T12:34:56Z"
        updated: 120/800
        failed: 2
        startedAt: "2026-05-08T12:34:56Z"
        completedAt: "2026-05-08T12:34:56Z"
        retriedAt: "2026-05-08T12:34:56Z"
        lastHandledRetryAt: "1"
        waves:
        - {name: canary, total: 3, updated: 2, ready: 1, failed: 1, unreachable: 0, skipped: 0,
           startedAt: "2026-05-08T12:34:56Z", readySince: "2026-05-08T12:34:56Z", soaked: 5m,
           endedAt: "2026-05-08T12:34:56Z"}
        failures: [{cluster: a, object: tenant/b/c, reason: NotReady, since: "2026-05-08T12:34:56Z"}]
        alreadyFailing: [{cluster: a, object: tenant/b/d, reason: NotReady}]
        plan: {changed: 1, unchanged: 2, cannotRender: 3}
        conditions: [{type: Progressing, status: "True", reason: Soaking}]
      """;

  @Test
  void everything_survives_reading_and_writing() {
    assertThat(Json.tree(Json.read(FULL, ChartRollout.class))).isEqualTo(Json.tree(FULL));
  }

  @Test
  void the_snapshot_is_the_policy_of_the_class() {
    var policy = Json.read(FULL, ChartRollout.class).getSpec().policy();
    var to = new RevisionReference(1, "1.0.0", "aa");

    assertThat(ChartRolloutSpec.of("default", null, to, policy, Run.RUNNING).policy())
        .isEqualTo(policy);
    assertThat(ChartRolloutSpec.EMPTY.policy()).isEqualTo(RolloutPolicy.DEFAULT);
  }

  @Test
  void an_unknown_phase_does_not_hide_the_rest() {
    var status = Json.read("phase: Sleeping\nwave: canary", ChartRolloutStatus.class);

    assertThat(status.phase()).isNull();
    assertThat(status.wave()).isEqualTo("canary");
    assertThat(Json.read("run: Faster", ChartRolloutSpec.class).run()).isEqualTo(Run.RUNNING);
  }

  @Test
  void four_phases_are_the_last() {
    var last = EnumSet.allOf(ChartRolloutPhase.class);
    last.removeIf(phase -> !phase.isFinal());

    assertThat(last)
        .containsExactlyInAnyOrder(
            ChartRolloutPhase.COMPLETED,
            ChartRolloutPhase.ROLLED_BACK,
            ChartRolloutPhase.SUPERSEDED,
            ChartRolloutPhase.ABORTED);
  }

  @Test
  void an_approval_survives_reading_and_writing() {
    var approval =
        """
        apiVersion: mesh.openkcm.io/v1alpha1
        kind: RolloutApproval
        metadata: {name: yes}
        spec: {rollout: default-8, wave: canary}
        status: {observedGeneration: 1, conditions: [{type: Accepted, status: "True"}]}
        """;

    assertThat(Json.tree(Json.read(approval, RolloutApproval.class)))
        .isEqualTo(Json.tree(approval));
  }
}
