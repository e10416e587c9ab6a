// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.access.KubeApi.ApiResponse;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(ControlPlaneExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
class KmsHealthRulesIT {
  private static final String TIME = "lastTransitionTime: '2026-05-08T12:34:56Z'";
  private static final String CHECKED = "lastCheckedTime: '2026-05-08T12:34:56Z'";

  private final Server server;

  KmsHealthRulesIT(@Cluster("api") ControlPlane plane) {
    server = Server.withCrds(plane);
  }

  @BeforeAll
  void storeTheOne() {
    server.create("KmsHealth", "{metadata: {name: cluster}, spec: {}}").orThrow();
  }

  @AfterAll
  void removeTheOne() {
    server.plane().admin().delete(server.path("KmsHealth", "cluster")).orThrow();
  }

  @Test
  void an_empty_spec_gets_the_defaults() {
    emptyTheSpec();

    assertThat(server.get("KmsHealth", "cluster").path("spec"))
        .isEqualTo(
            Json.tree(
                """
                enabled: true
                degradedInertia: 2m
                convergedFor: 5m
                """));
  }

  @Test
  void another_name_is_refused() {
    Server.check(
        server.tryCreate("KmsHealth", "{metadata: {name: main}}"), "the name must be cluster");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          named nodes             | {expectedNodes: {names: [a, b]}}                    |
          a selector              | {expectedNodes: {selector: {role: etcd}}}           |
          names and selector      | {expectedNodes: {names: [a], selector: {role: x}}}  | names and selector exclude each other
          a node twice            | {expectedNodes: {names: [a, a]}}                    | Duplicate value
          numbers of plugins      | {keyIDs: ['1', '2'], writeKeyID: '2'}               |
          a plugin with a name    | {keyIDs: [vault]}                                   | spec.keyIDs[0]
          a plugin twice          | {keyIDs: ['1', '1']}                                | Duplicate value
          a write key with a name | {writeKeyID: vault}                                 | spec.writeKeyID
          a composed duration     | {degradedInertia: 1m30s, convergedFor: 1.5h}        |
          a duration in words     | {degradedInertia: soon}                             | spec.degradedInertia
          a negative duration     | {convergedFor: -1m}                                 | spec.convergedFor
          a duration without unit | {convergedFor: '5'}                                 | spec.convergedFor
          the shortest agreement  | {convergedFor: 2m}                                  |
          too short an agreement  | {convergedFor: 119s}                                | convergedFor must be at least 2m
          a retired key           | {retiredKeyHashes: ['sha256:<hex>']}                |
          a retired key by its id | {retiredKeyHashes: [my-key]}                        | spec.retiredKeyHashes[0]
          a retired key twice     | {retiredKeyHashes: ['sha256:<hex>', 'sha256:<hex>']} | Duplicate value
          """)
  void a_spec_with(String rule, String spec, @Nullable String refusal) {
    emptyTheSpec();

    var text = "{spec: %s}".formatted(spec.replace("<hex>", "0a".repeat(32)));
    Server.check(server.mergePatch("KmsHealth", "cluster", text), refusal);
  }

  private void emptyTheSpec() {
    server.mergePatch("KmsHealth", "cluster", "{spec: null}").orThrow();
    server.mergePatch("KmsHealth", "cluster", "{spec: {}}").orThrow();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a reporter             | {type: KMSHealthReporter_node-1.example.com, status: Unknown, TIME}     |
          an empty reason        | {type: Degraded, status: 'False', reason: '', TIME}                     |
          an unqualified name    | {type: ClusterReady/x, status: 'True', TIME}                            | type
          too long a type        | {type: <317>, status: 'True', TIME}                                     | type: Too long
          no time                | {type: Degraded, status: 'True'}                                        | lastTransitionTime: Required value
          another status         | {type: Degraded, status: Perhaps, TIME}                                 | status: Unsupported value
          too long a reason      | {type: Degraded, status: 'True', reason: <1025>, TIME}                  | reason: Too long
          too long a message     | {type: Degraded, status: 'True', message: <32769>, TIME}                | message: Too long
          """)
  void a_condition_with(String rule, String condition, @Nullable String refusal) {
    var status = "{conditions: [%s]}".formatted(condition.replace("TIME", TIME));

    Server.check(server.tryStatus("KmsHealth", "cluster", status), refusal);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          no remote key yet     | {nodeName: a, keyID: '1', status: Error, CHECKED}                                |
          everything            | {nodeName: a.b, keyID: '1', status: Healthy, CHECKED, remoteKeyID: k, detail: d, cause: NotOk, intervalSeconds: 30} |
          a node with a slash   | {nodeName: a/b, keyID: '1', status: Healthy, CHECKED}                            | nodeName
          no node               | {keyID: '1', status: Healthy, CHECKED}                                           | nodeName: Required value
          no key                | {nodeName: a, status: Healthy, CHECKED}                                          | keyID: Required value
          no status             | {nodeName: a, keyID: '1', CHECKED}                                               | status: Required value
          another status        | {nodeName: a, keyID: '1', status: unhealthy, CHECKED}                            | status: Unsupported value
          no time               | {nodeName: a, keyID: '1', status: Healthy}                                       | lastCheckedTime: Required value
          an empty detail       | {nodeName: a, keyID: '1', status: Error, CHECKED, detail: ''}                    | detail
          too long a detail     | {nodeName: a, keyID: '1', status: Error, CHECKED, detail: <1025>}                | detail: Too long
          too long a remote key | {nodeName: a, keyID: '1', status: Error, CHECKED, remoteKeyID: <1025>}           | remoteKeyID: Too long
          what newer ones add   | {nodeName: a, keyID: '1', status: Healthy, CHECKED, role: Write, lease: krypton-system/kms-kmshealth-a, unreadableOldKeys: ['sha256:0000000000000000000000000000000000000000000000000000000000000000']} |
          an unknown role       | {nodeName: a, keyID: '1', status: Healthy, CHECKED, role: Admire}                | role: Unsupported value
          an old key by its id  | {nodeName: a, keyID: '1', status: Healthy, CHECKED, unreadableOldKeys: [k]}      | unreadableOldKeys[0]
          no interval           | {nodeName: a, keyID: '1', status: Error, CHECKED, intervalSeconds: 0}            | intervalSeconds
          """)
  void a_report_with(String rule, String report, @Nullable String refusal) {
    Server.check(tryReports(report.replace("CHECKED", CHECKED)), refusal);
  }

  @Test
  void two_hundred_reports_are_the_limit() {
    Server.check(tryReports(reports(200)), null);
    Server.check(tryReports(reports(201)), "must have at most 200 items");
  }

  private static String reports(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "{nodeName: n%d, keyID: '1', status: Healthy, %s}".formatted(i, CHECKED))
        .collect(Collectors.joining(", "));
  }

  private ApiResponse tryReports(String reports) {
    var status = "{encryptionStatus: {healthReports: [%s]}}".formatted(reports);
    return server.tryStatus("KmsHealth", "cluster", status);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a node                 | {nodes: [{nodeName: a, state: Waiting, source: Learned, expectedSince: '2026-05-08T12:34:56Z'}]} |
          an unknown state       | {nodes: [{nodeName: a, state: Tired}]}                                 | state: Unsupported value
          an unknown source      | {nodes: [{nodeName: a, source: Hearsay}]}                              | source: Unsupported value
          ten earlier keys       | {convergence: {previousRemoteKeyIDs: [a, b, c, d, e, f, g, h, i, j]}}    |
          eleven earlier keys    | {convergence: {previousRemoteKeyIDs: [a, b, c, d, e, f, g, h, i, j, k]}} | must have at most 10 items
          """)
  void a_status_with(String rule, String status, @Nullable String refusal) {
    Server.check(server.tryStatus("KmsHealth", "cluster", status), refusal);
  }
}
