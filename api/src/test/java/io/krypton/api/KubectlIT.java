// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(ControlPlaneExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
class KubectlIT {
  private static final String TIME = "lastTransitionTime: '2026-05-08T12:34:56Z'";

  private final Server server;
  private final Kubectl kubectl;

  KubectlIT(@Cluster("api") ControlPlane plane, @TempDir Path home) throws IOException {
    server = Server.withCrds(plane);
    kubectl = Kubectl.on(plane, home);
  }

  @BeforeAll
  void storeOneOfEach() {
    server.create("Tenant", "{metadata: {name: shown}}").orThrow();
    server
        .applyStatus(
            "Tenant",
            "shown",
            "t",
            """
            {phase: Ready, workspace: shown, lastAppliedChart: 'repo/echo:0.5.0', lastMessage: all good,
             conditions: [{type: Ready, status: 'True'}]}
            """)
        .orThrow();
    server
        .create(
            "KryptonDeployment",
            "{metadata: {name: routed}, spec: {account: {name: acme}, region: {name: edge01}}}")
        .orThrow();
    server
        .applyStatus(
            "KryptonDeployment",
            "routed",
            "t",
            """
            {phase: Error, lastAppliedChart: 'repo/echo:0.5.0', lastMessage: no edge,
             conditions: [{type: Ready, status: 'False'}]}
            """)
        .orThrow();
    server.create("KmsHealth", "{metadata: {name: cluster}}").orThrow();
    server
        .applyStatus(
            "KmsHealth",
            "cluster",
            "t",
            """
            {nodesHealthy: 2/3, writeKeyID: '2', convergence: {summary: False (Diverged)}, conditions: [
              {type: Degraded, status: 'True', reason: KMSPlugins_PluginError, TIME},
              {type: KMSPluginsDegraded, status: 'True', reason: PluginError, message: node a, TIME},
              {type: KMSKeysConverged, status: 'False', reason: Diverged, TIME}]}
            """
                .replace("TIME", TIME))
        .orThrow();
  }

  @BeforeAll
  void storeARolloutOfAClass() {
    server
        .create(
            "TenantClass",
            "{metadata: {name: shown}, spec: {chart: {repo: r, name: echo, version: 1.4.0}}}")
        .orThrow();
    server
        .applyStatus(
            "TenantClass",
            "shown",
            "t",
            """
            {stable: {revision: 7, version: 1.3.0, hash: a}, target: {revision: 8, version: 1.4.0, hash: b},
             activeRollout: shown-8,
             counts: {targets: 800, onStable: 680, onTarget: 120, pinned: 0, suspended: 0, failed: 2, unreachable: 0},
             conditions: [{type: Ready, status: 'True', reason: Accepted, message: rolling out, TIME}]}
            """
                .replace("TIME", TIME))
        .orThrow();
    server
        .create(
            "ChartRollout",
            """
            {metadata: {name: shown-8}, spec: {className: shown, run: Running,
              from: {revision: 7, version: 1.3.0, hash: a}, to: {revision: 8, version: 1.4.0, hash: b}}}
            """)
        .orThrow();
    server
        .applyStatus(
            "ChartRollout",
            "shown-8",
            "t",
            """
            {phase: Progressing, wave: tenth, updated: 120/800, failed: 2,
             conditions: [{type: Progressing, status: 'True', reason: Progressing, message: 'wave 2 of 3', TIME}]}
            """
                .replace("TIME", TIME))
        .orThrow();
    server
        .create("RolloutApproval", "{metadata: {name: yes}, spec: {rollout: shown-8, wave: tenth}}")
        .orThrow();
    var accepted =
        "{conditions: [{type: Accepted, status: 'True', reason: Accepted, TIME}]}"
            .replace("TIME", TIME);
    server.applyStatus("RolloutApproval", "yes", "t", accepted).orThrow();
  }

  @AfterAll
  void removeKmsHealth() {
    server.plane().admin().delete(server.path("KmsHealth", "cluster")).orThrow();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          get tn shown           | NAME,PHASE,WORKSPACE,READY,AGE               | shown,Ready,shown,True
          get tn shown -o wide   | NAME,PHASE,WORKSPACE,READY,AGE,CHART,MESSAGE | shown,Ready,shown,True,*,repo/echo:0.5.0,all good
          get kd routed          | NAME,PHASE,ACCOUNT,REGION,READY,AGE          | routed,Error,acme,edge01,False
          get kd routed -o wide  | NAME,PHASE,ACCOUNT,REGION,READY,AGE,CHART,MESSAGE | routed,Error,acme,edge01,False,*,repo/echo:0.5.0,no edge
          get tc shown           | NAME,CHART,STABLE,TARGET,ROLLOUT,READY,AGE   | shown,echo,1.3.0,1.4.0,shown-8,True
          get tc shown -o wide   | NAME,CHART,STABLE,TARGET,ROLLOUT,READY,AGE,TARGETS,MESSAGE | shown,echo,1.3.0,1.4.0,shown-8,True,*,800,rolling out
          get cro shown-8        | NAME,CLASS,FROM,TO,PHASE,WAVE,UPDATED,FAILED,AGE | shown-8,shown,1.3.0,1.4.0,Progressing,tenth,120/800,2
          get cro shown-8 -o wide | NAME,CLASS,FROM,TO,PHASE,WAVE,UPDATED,FAILED,AGE,RUN,MESSAGE | shown-8,shown,1.3.0,1.4.0,Progressing,tenth,120/800,2,*,Running,wave 2 of 3
          get roa yes            | NAME,ROLLOUT,WAVE,ACCEPTED,AGE               | yes,shown-8,tenth,True
          get kmsh               | NAME,DEGRADED,REASON,SINCE,NODES,KEY,CONVERGED,AGE | cluster,True,PluginError,*,2/3,2,False (Diverged)
          get kmsh -o wide       | NAME,DEGRADED,REASON,SINCE,NODES,KEY,CONVERGED,AGE,MESSAGE | cluster,True,PluginError,*,2/3,2,False (Diverged),*,node a
          """)
  void get_shows_these_columns(String command, String header, String row)
      throws IOException, InterruptedException {
    var table = kubectl.table(command);
    var expected = row.split(",");

    assertThat(table.get(0)).containsExactly(header.split(","));
    for (int i = 0; i < expected.length; i++) {
      if (!expected[i].equals("*")) {
        assertThat(table.get(1).get(i)).as(table.get(0).get(i)).isEqualTo(expected[i]);
      }
    }
  }

  @Test
  void get_krypton_lists_tenants_and_deployments() throws IOException, InterruptedException {
    assertThat(kubectl.run("get krypton"))
        .contains("tenant.mesh.openkcm.io/shown")
        .contains("kryptondeployment.mesh.openkcm.io/routed")
        .doesNotContain("kmshealth");
  }

  @Test
  void wait_for_ready_works() throws IOException, InterruptedException {
    assertThat(kubectl.run("wait --for=condition=Ready --timeout=5s tenant/shown"))
        .contains("condition met");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          tenant                          | one namespace with the operator's chart
          tenant.spec.workspace           | The namespace the chart is installed in
          tenant.status.conditions        | ClusterError/<cluster>
          kryptondeployment.spec.region   | Where the deployment goes
          tenantclass.spec.rollout.waves  | A release belongs to the first one that matches it
          chartrollout.status.waves.readySince | the start of its soak
          rolloutapproval.spec            | It cannot be changed
          kmshealth.spec.degradedInertia  | How long a plugin must be degraded
          kmshealth.status.encryptionStatus.healthReports.status | Healthy; Unhealthy
          """)
  void explain_describes(String field, String words) throws IOException, InterruptedException {
    assertThat(kubectl.run("explain " + field).replaceAll("\\s+", " ")).contains(words);
  }
}
