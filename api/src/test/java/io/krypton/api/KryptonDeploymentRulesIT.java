// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(ControlPlaneExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
class KryptonDeploymentRulesIT {
  private final Server server;

  KryptonDeploymentRulesIT(@Cluster("api") ControlPlane plane) {
    server = Server.withCrds(plane);
  }

  @BeforeAll
  void storeOne() {
    server
        .create(
            "KryptonDeployment",
            "{metadata: {name: stored}, spec: {account: {name: acme}, region: {name: edge01}}}")
        .orThrow();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          account and region         | {metadata: {name: pay}, spec: {account: {name: a}, region: {name: r}}}            |
          an empty account name      | {metadata: {name: pay}, spec: {account: {name: ''}, region: {name: r}}}           |
          the longest region         | {metadata: {name: pay}, spec: {account: {name: a}, region: {name: <242>}}}        |
          the longest name           | {metadata: {name: <63>}, spec: {account: {name: a}, region: {name: r}}}           |
          a named Secret             | {metadata: {name: pay}, spec: {account: {name: a}, region: {name: r, kubeconfig: {secret: {name: s, namespace: n, key: k}}}}} |
          the older Secret name      | {metadata: {name: pay}, spec: {account: {name: a}, region: {name: r, kubeconfigSecretName: s}}} |
          values                     | {metadata: {name: pay}, spec: {account: {name: a}, region: {name: r}, values: {x: [1]}}} |
          no spec                    | {metadata: {name: pay}}                                                           | spec: Required value
          no account                 | {metadata: {name: pay}, spec: {region: {name: r}}}                                | spec.account: Required value
          an account without name    | {metadata: {name: pay}, spec: {account: {owner: o}, region: {name: r}}}           | spec.account.name: Required value
          no region                  | {metadata: {name: pay}, spec: {account: {name: a}}}                               | spec.region: Required value
          a region without name      | {metadata: {name: pay}, spec: {account: {name: a}, region: {}}}                   | spec.region.name: Required value
          an empty region            | {metadata: {name: pay}, spec: {account: {name: a}, region: {name: ''}}}           | spec.region.name
          too long a region          | {metadata: {name: pay}, spec: {account: {name: a}, region: {name: <243>}}}        | spec.region.name: Too long
          a dotted name              | {metadata: {name: a.b}, spec: {account: {name: a}, region: {name: r}}}            | must be a DNS label of at most 63 characters
          too long a name            | {metadata: {name: <64>}, spec: {account: {name: a}, region: {name: r}}}           | must be a DNS label of at most 63 characters
          the name default           | {metadata: {name: default}, spec: {account: {name: a}, region: {name: r}}}        | this namespace is reserved
          a name with kube           | {metadata: {name: kube-x}, spec: {account: {name: a}, region: {name: r}}}         | this namespace is reserved
          the name openshift         | {metadata: {name: openshift}, spec: {account: {name: a}, region: {name: r}}}      | this namespace is reserved
          values from elsewhere      | {metadata: {name: pay}, spec: {account: {name: a}, region: {name: r}, valuesFrom: [{kind: X, name: y}]}} | kind: Unsupported value
          """)
  void a_new_deployment(String rule, String manifest, @Nullable String refusal) {
    Server.check(server.tryCreate("KryptonDeployment", manifest), refusal);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          targets                | {target: a/b, staleTargets: [c/d, e/f]}            |
          a stale target twice   | {staleTargets: [c/d, c/d]}                         | Duplicate value
          a condition            | {conditions: [{type: Ready, status: 'False', reason: EdgeUnavailable}]} |
          an unknown phase       | {phase: Perhaps}                                   | phase: Unsupported value
          """)
  void a_status_with(String rule, String status, @Nullable String refusal) {
    Server.check(server.tryStatus("KryptonDeployment", "stored", status), refusal);
  }
}
