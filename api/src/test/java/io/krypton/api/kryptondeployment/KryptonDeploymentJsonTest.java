// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.kryptondeployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.Json;
import io.krypton.api.kryptondeployment.KryptonDeploymentSpec.Account;
import io.krypton.api.kryptondeployment.KryptonDeploymentSpec.Region;
import org.junit.jupiter.api.Test;

class KryptonDeploymentJsonTest {
  private static final String FULL =
      """
      apiVersion: mesh.openkcm.io/v1alpha1
      kind: KryptonDeployment
      metadata: {name: payments, namespace: team}
      spec:
        account: {name: acme, displayName: Acme Inc, owner: ops}
        region:
          name: edge01
          kubeconfig: {secret: {name: edge01-kubeconfig, namespace: krypton, key: kubeconfig}}
          kubeconfigSecretName: old
        suspend: true
        values: {replicaCount: 2}
        valuesFrom: [{kind: Secret, name: extra, key: values.yaml, optional: false}]
        className: gold
        pin: 1.3.2
      status:
        observedGeneration: 3
        phase: Error
        lastMessage: Edge cluster edge01 not available
        lastAppliedChart: https://charts.example.com/echo:0.5.0
        workspace: payments
        releases: [{cluster: edge01-kubeconfig, name: ced-payments}]
        lastHandledReconcileAt: "1"
        lastHandledForceAt: "2"
        target: krypton/edge01-kubeconfig
        staleTargets: [krypton/edge02-kubeconfig]
        conditions: [{type: Ready, status: "False", reason: EdgeUnavailable}]
      """;

  @Test
  void everything_survives_reading_and_writing() {
    assertThat(Json.tree(Json.read(FULL, KryptonDeployment.class))).isEqualTo(Json.tree(FULL));
  }

  @Test
  void fields_of_other_versions_are_ignored_at_every_level() {
    var deployment =
        Json.read(
            """
            metadata: {name: payments}
            spec:
              newer: 1
              account: {name: acme, newer: 1}
              region: {name: edge01, newer: 1, kubeconfig: {newer: 1, secret: {name: s, newer: 1}}}
            status: {newer: 1, target: a/b}
            """,
            KryptonDeployment.class);

    assertThat(deployment.getSpec().account()).isEqualTo(new Account("acme", null, null));
    assertThat(deployment.getSpec().region().kubeconfig())
        .isEqualTo(new Region.Kubeconfig(new Region.SecretKey("s", null, null)));
    assertThat(deployment.getStatus().target()).isEqualTo("a/b");
  }

  @Test
  void what_is_missing_is_empty_and_never_null() {
    var deployment = Json.read("metadata: {name: bare}", KryptonDeployment.class);

    assertThat(deployment.getSpec().account().name()).isEmpty();
    assertThat(deployment.getSpec().region().name()).isEmpty();
    assertThat(deployment.getStatus()).isEqualTo(KryptonDeploymentStatus.EMPTY);
    assertThat(Json.read("{}", KryptonDeploymentSpec.class)).isEqualTo(KryptonDeploymentSpec.EMPTY);
  }
}
