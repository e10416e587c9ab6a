// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.chartrollout.ChartRollout;
import io.krypton.api.chartrollout.ChartRolloutSpec;
import io.krypton.api.chartrollout.ChartRolloutSpec.Run;
import io.krypton.api.tenantclass.RolloutPolicy;
import io.krypton.api.tenantclass.TenantClassStatus.RevisionReference;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(ControlPlaneExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
class ChartRolloutRulesIT {
  private static final RolloutPolicy POLICY =
      Json.read(
          """
          waves:
          - {name: canary, clusters: {matchLabels: {ring: "0"}}}
          - {name: tenth, share: 10%, soak: 30m, approval: Required}
          maxFailures: 5%
          windows: [{kind: Deny, schedule: "0 18 * * 5", duration: 62h, timeZone: Europe/Berlin}]
          """,
          RolloutPolicy.class);
  private static final ChartRolloutSpec SPEC =
      ChartRolloutSpec.of(
          "default",
          new RevisionReference(7, "1.3.0", "a"),
          new RevisionReference(8, "1.4.0", "b"),
          POLICY,
          Run.PLANNED);

  private final Server server;

  ChartRolloutRulesIT(@Cluster("api") ControlPlane plane) {
    server = Server.withCrds(plane);
  }

  @BeforeAll
  void storeOneOfEach() {
    server
        .create("ChartRollout", "{metadata: {name: default-8}, spec: %s}".formatted(json(SPEC)))
        .orThrow();
    var first =
        ChartRolloutSpec.of(
            "default",
            null,
            new RevisionReference(1, "1.3.0", "a"),
            RolloutPolicy.DEFAULT,
            Run.RUNNING);
    server
        .create("ChartRollout", "{metadata: {name: default-1}, spec: %s}".formatted(json(first)))
        .orThrow();
    server
        .create(
            "RolloutApproval",
            "{metadata: {name: approved}, spec: {rollout: default-8, wave: tenth}}")
        .orThrow();
  }

  private static String json(Object value) {
    return Json.tree(value).toString();
  }

  @Test
  void a_snapshot_of_the_class_comes_back_as_it_was_sent() {
    var stored = Json.read(server.get("ChartRollout", "default-8").toString(), ChartRollout.class);

    assertThat(stored.getSpec().policy()).isEqualTo(POLICY);
    assertThat(stored.getSpec().from()).isEqualTo(SPEC.from());
    assertThat(stored.getSpec().to()).isEqualTo(SPEC.to());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          to go on               | default-8 | {spec: {run: Running}}                          |
          to pause               | default-8 | {spec: {run: Paused}}                           |
          to abort               | default-8 | {spec: {run: Aborted}}                          |
          something else to do   | default-8 | {spec: {run: Faster}}                           | spec.run: Unsupported value: "Faster"
          an annotation          | default-8 | {metadata: {annotations: {a: b}}}               |
          another class          | default-8 | {spec: {className: gold}}                       | of spec only run can be changed; change the TenantClass
          another wave           | default-8 | {spec: {waves: [{name: canary}]}}               | of spec only run can be changed
          no waves               | default-8 | {spec: {waves: null}}                           | of spec only run can be changed
          waves where none were  | default-1 | {spec: {waves: [{name: canary}]}}               | of spec only run can be changed
          another origin         | default-8 | {spec: {from: {version: 1.2.0}}}                | of spec only run can be changed
          no origin              | default-8 | {spec: {from: null}}                            | of spec only run can be changed
          an origin, later       | default-1 | {spec: {from: {revision: 1, version: 1.2.0, hash: a}}} | of spec only run can be changed
          another target         | default-8 | {spec: {to: {hash: c}}}                         | of spec only run can be changed
          another budget         | default-8 | {spec: {maxFailures: 100%}}                     | of spec only run can be changed
          another limit          | default-8 | {spec: {maxConcurrent: 5}}                      | of spec only run can be changed
          another tolerance      | default-8 | {spec: {maxUnreachable: 5}}                     | of spec only run can be changed
          another deadline       | default-8 | {spec: {progressDeadline: 1m}}                  | of spec only run can be changed
          another reaction       | default-8 | {spec: {onFailure: Continue}}                   | of spec only run can be changed
          another demand         | default-8 | {spec: {requireKmsHealthy: true}}               | of spec only run can be changed
          another beginning      | default-8 | {spec: {newTenants: Target}}                    | of spec only run can be changed
          no windows             | default-8 | {spec: {windows: null}}                         | of spec only run can be changed
          """)
  void a_change(String rule, String name, String patch, @Nullable String refusal) {
    Server.check(server.mergePatch("ChartRollout", name, patch), refusal);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          no class     | {to: {revision: 1, version: 1.3.0, hash: a}}            | spec.className: Required value
          no target    | {className: default}                                    | spec.to: Required value
          no hash      | {className: default, to: {revision: 1, version: 1.3.0}} | spec.to.hash: Required value
          """)
  void a_rollout_with(String rule, String spec, @Nullable String refusal) {
    var manifest = "{metadata: {name: tried}, spec: %s}".formatted(spec);
    Server.check(server.tryCreate("ChartRollout", manifest), refusal);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a cursor               | {phase: Soaking, wave: tenth, waves: [{name: tenth, total: 1, updated: 1, ready: 1, failed: 0, unreachable: 0, skipped: 0, startedAt: '2026-05-08T12:34:56Z', readySince: '2026-05-08T12:34:56Z', soaked: 5m}]} |
          an unknown phase       | {phase: Sleeping}                                         | status.phase: Unsupported value: "Sleeping"
          a wave twice           | {waves: [{name: a}, {name: a}]}                           | Duplicate value
          a failure              | {failures: [{cluster: a, object: tenant/b/c, reason: NotReady, since: '2026-05-08T12:34:56Z'}]} |
          a failure of nobody    | {failures: [{cluster: a}]}                                | status.failures[0].object: Required value
          """)
  void a_status_with(String rule, String status, @Nullable String refusal) {
    Server.check(server.tryStatus("ChartRollout", "default-8", status), refusal);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          another rollout  | {spec: {rollout: default-9}}      | spec is immutable; create another RolloutApproval
          another wave     | {spec: {wave: canary}}            | spec is immutable; create another RolloutApproval
          no wave          | {spec: {wave: null}}              | spec.wave: Required value
          the same         | {spec: {wave: tenth}}             |
          a label          | {metadata: {labels: {a: b}}}      |
          """)
  void a_change_of_an_approval(String rule, String patch, @Nullable String refusal) {
    Server.check(server.mergePatch("RolloutApproval", "approved", patch), refusal);
  }
}
