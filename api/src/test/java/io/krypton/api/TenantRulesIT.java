// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.util.Collections;
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
class TenantRulesIT {
  private final Server server;

  TenantRulesIT(@Cluster("api") ControlPlane plane) {
    server = Server.withCrds(plane);
  }

  @BeforeAll
  void storeTenants() {
    server.create("Tenant", "{metadata: {name: placed}, spec: {workspace: here}}").orThrow();
    server.create("Tenant", "{metadata: {name: unplaced}}").orThrow();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          no spec                        | {metadata: {name: acme}}                                              |
          the longest name               | {metadata: {name: <63>}}                                              |
          a dotted name with a workspace | {metadata: {name: a.b}, spec: {workspace: ws}}                        |
          a reserved name, own workspace | {metadata: {name: kube-system}, spec: {workspace: ws}}                |
          an empty workspace is no one   | {metadata: {name: acme}, spec: {workspace: ''}}                       |
          the longest workspace          | {metadata: {name: acme}, spec: {workspace: <63>}}                     |
          a name that begins alike       | {metadata: {name: defaults}}                                          |
          an empty clusterRef            | {metadata: {name: acme}, spec: {clusterRef: {}}}                      |
          values of any shape            | {metadata: {name: acme}, spec: {values: {a: [1, {b: null}], c: x, d: 1.5}}} |
          the chart of older Tenants     | {metadata: {name: acme}, spec: {chart: {name: echo}}}                 |
          a dotted name                  | {metadata: {name: a.b}}                                               | must be a DNS label of at most 63 characters
          a dotted name, empty workspace | {metadata: {name: a.b}, spec: {workspace: ''}}                        | must be a DNS label of at most 63 characters
          too long a name                | {metadata: {name: <64>}}                                              | must be a DNS label of at most 63 characters
          the name default               | {metadata: {name: default}}                                           | this namespace is reserved
          the name kube-system           | {metadata: {name: kube-system}}                                       | this namespace is reserved
          a name with openshift          | {metadata: {name: openshift-x}}                                       | this namespace is reserved
          the workspace default          | {metadata: {name: acme}, spec: {workspace: default}}                  | this namespace is reserved
          the workspace kube-public      | {metadata: {name: acme}, spec: {workspace: kube-public}}              | this namespace is reserved
          the workspace openshift        | {metadata: {name: acme}, spec: {workspace: openshift}}                | this namespace is reserved
          an upper-case workspace        | {metadata: {name: acme}, spec: {workspace: Acme}}                     | spec.workspace in body should match
          a workspace with a dash ahead  | {metadata: {name: acme}, spec: {workspace: -a}}                       | spec.workspace in body should match
          a dotted workspace             | {metadata: {name: acme}, spec: {workspace: a.b}}                      | spec.workspace in body should match
          too long a workspace           | {metadata: {name: acme}, spec: {workspace: <64>}}                     | spec.workspace: Too long
          too long a cluster             | {metadata: {name: acme}, spec: {clusterRef: {secretName: <254>}}}     | spec.clusterRef.secretName: Too long
          too long a cluster namespace   | {metadata: {name: acme}, spec: {clusterRef: {secretNamespace: <64>}}} | spec.clusterRef.secretNamespace: Too long
          suspend as a word              | {metadata: {name: acme}, spec: {suspend: 'yes'}}                      | spec.suspend
          values that are no map         | {metadata: {name: acme}, spec: {values: [1]}}                         | spec.values
          values from elsewhere          | {metadata: {name: acme}, spec: {valuesFrom: [{kind: Vault, name: a}]}} | spec.valuesFrom[0].kind: Unsupported value
          values from nowhere            | {metadata: {name: acme}, spec: {valuesFrom: [{kind: Secret}]}}        | spec.valuesFrom[0].name: Required value
          values of an empty name        | {metadata: {name: acme}, spec: {valuesFrom: [{kind: Secret, name: ''}]}} | spec.valuesFrom[0].name
          values without a kind          | {metadata: {name: acme}, spec: {valuesFrom: [{name: a}]}}             | spec.valuesFrom[0].kind: Required value
          """)
  void a_new_tenant(String rule, String manifest, @Nullable String refusal) {
    Server.check(server.tryCreate("Tenant", manifest), refusal);
  }

  @Test
  void sixteen_sources_of_values_are_enough() {
    Server.check(server.tryCreate("Tenant", withSources(16)), null);
    Server.check(server.tryCreate("Tenant", withSources(17)), "must have at most 16 items");
  }

  private static String withSources(int count) {
    var sources = String.join(", ", Collections.nCopies(count, "{kind: ConfigMap, name: a}"));
    return "{metadata: {name: acme}, spec: {valuesFrom: [%s]}}".formatted(sources);
  }

  @Test
  void defaults_are_filled_in_and_unknown_fields_dropped() {
    var spec =
        server
            .tryCreate(
                "Tenant",
                "{metadata: {name: acme}, spec: {chart: {}, valuesFrom: [{kind: Secret, name: a}]}}")
            .orThrow()
            .path("spec");

    assertThat(spec)
        .isEqualTo(
            Json.tree(
                """
                suspend: false
                valuesFrom: [{kind: Secret, name: a, key: values.yaml, optional: false}]
                """));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          another workspace            | placed   | {spec: {workspace: there}} | spec.workspace is immutable
          no workspace any more        | placed   | {spec: {workspace: null}}  | spec.workspace is immutable
          an empty workspace           | placed   | {spec: {workspace: ''}}    | spec.workspace is immutable
          no spec any more             | placed   | {spec: null}               | spec.workspace is immutable
          the same workspace           | placed   | {spec: {workspace: here}}  |
          something else of the spec   | placed   | {spec: {suspend: true}}    |
          a workspace where none was   | unplaced | {spec: {workspace: there}} | spec.workspace is immutable
          the name, where none was     | unplaced | {spec: {workspace: unplaced}} | spec.workspace is immutable
          an empty one where none was  | unplaced | {spec: {workspace: ''}}    |
          a label                      | unplaced | {metadata: {labels: {a: b}}} |
          """)
  void a_change_of(String rule, String tenant, String patch, @Nullable String refusal) {
    Server.check(server.mergePatch("Tenant", tenant, patch), refusal);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a type with a cluster name  | {conditions: [{type: ClusterReady/edge.example.com, status: 'True'}]}  |
          the longest type            | {conditions: [{type: <316>, status: Unknown}]}                         |
          too long a type             | {conditions: [{type: <317>, status: Unknown}]}                         | type: Too long
          an empty type               | {conditions: [{type: '', status: 'True'}]}                             | type
          another status              | {conditions: [{type: Ready, status: Maybe}]}                           | status: Unsupported value
          no status                   | {conditions: [{type: Ready}]}                                          | status: Required value
          an empty reason             | {conditions: [{type: Ready, status: 'True', reason: ''}]}              | reason
          too long a reason           | {conditions: [{type: Ready, status: 'True', reason: <1025>}]}          | reason: Too long
          the longest message         | {conditions: [{type: Ready, status: 'True', message: <32768>}]}        |
          too long a message          | {conditions: [{type: Ready, status: 'True', message: <32769>}]}        | message: Too long
          a time that is none         | {conditions: [{type: Ready, status: 'True', lastTransitionTime: now}]} | must be of type date-time
          a known phase               | {phase: Pending}                                                       |
          an unknown phase            | {phase: Deleting}                                                      | phase: Unsupported value
          a release                   | {releases: [{cluster: a, name: b, namespace: c, revision: 1, fingerprint: d}]} |
          a release without cluster   | {releases: [{name: b}]}                                                | cluster: Required value
          """)
  void a_status_with(String rule, String status, @Nullable String refusal) {
    Server.check(server.tryStatus("Tenant", "placed", status), refusal);
  }
}
