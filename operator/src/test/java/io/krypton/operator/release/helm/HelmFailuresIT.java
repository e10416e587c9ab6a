// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.decide.Revision.ReleaseStatus;
import io.krypton.operator.release.helm.HelmClient.HelmResult;
import io.krypton.operator.release.helm.HelmOperation.Install;
import io.krypton.operator.release.helm.RealHelm.Engine;
import io.krypton.operator.release.values.ChartValues;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What users get to read when Helm fails. */
@ExtendWith(ControlPlaneExtension.class)
@ParameterizedClass(name = "{0}")
@EnumSource(Engine.class)
class HelmFailuresIT {
  private final Engine which;
  private RealHelm helm;

  HelmFailuresIT(Engine which) {
    this.which = which;
  }

  @BeforeEach
  void start(@Cluster("helm") TestNamespace namespace, @TempDir Path directory) {
    helm = RealHelm.in(namespace, directory, which);
  }

  @AfterEach
  void stop() {
    if (helm != null) {
      helm.close();
    }
  }

  @Test
  void a_template_names_itself_and_its_line() {
    assertThat(failure(helm.release("r").install(TestCharts.BROKEN)))
        .isEqualTo(
            "INSTALLATION FAILED: execution error at (broken/templates/configmap.yaml:1:4):"
                + " this chart is broken on purpose");
  }

  @Test
  void a_field_that_does_not_exist_is_named() {
    var unknown = Map.of("extra", Map.of("replicaas", 3));
    assertThat(failure(helm.release("r").install(TestCharts.WORKLOAD, unknown)))
        .contains("Deployment", "replicaas");
  }

  @Test
  void a_quota_is_named() {
    var path = helm.namespace().path() + "/resourcequotas/none";
    var quota =
        """
        {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "none"},
         "%s": {"hard": {"count/deployments.apps": "0"}%s}}
        """;
    var admin = helm.namespace().controlPlane().admin();
    admin.apply(path, "test", quota.formatted("spec", "")).orThrow();
    // The controller would count as well; this way nobody waits for it.
    var counted = ", \"used\": {\"count/deployments.apps\": \"0\"}";
    admin.apply(path + "/status", "test", quota.formatted("status", counted)).orThrow();
    assertThat(failure(helm.release("r").install(TestCharts.WORKLOAD)))
        .contains("exceeded quota: none", "count/deployments.apps");
    assertThat(helm.history("r").latest().orElseThrow().status()).isEqualTo(ReleaseStatus.FAILED);
  }

  @Test
  void what_credentials_may_not_do_is_named() {
    var nobody = helm.namespace().controlPlane().kubeconfigFor("nobody");
    assertThat(failure(helm.as("r", nobody).install(TestCharts.CONFIGMAP)))
        .contains("User \"nobody\" cannot", helm.namespace().name());
  }

  @Test
  void a_cluster_that_does_not_answer_is_no_failure_of_the_release() {
    var deadEnd =
        helm.namespace()
            .controlPlane()
            .adminKubeconfig()
            .replaceAll("https://127.0.0.1:[0-9]+", "https://127.0.0.1:1");
    var operations = helm.as("r", deadEnd);
    assertThat(helm.client().run(operations.install(TestCharts.CONFIGMAP)))
        .isInstanceOf(HelmResult.Unreachable.class);
    assertThat(helm.client().run(operations.uninstall()))
        .isInstanceOf(HelmResult.Unreachable.class);
  }

  @Test
  void a_value_from_a_secret_is_not_repeated_by_the_error_about_it() {
    var strategy = Map.of("strategy", Map.of("type", "swordfish"));
    var chartValues = ChartValues.of(Map.of("extra", strategy)).asSecret();
    var releaseSpec = TestOperations.rollout(TestCharts.WORKLOAD, chartValues, 1);
    assertThat(failure(new Install(helm.release("r").target(), releaseSpec)))
        .contains("spec.strategy: Unsupported value", "***")
        .doesNotContain("swordfish");
  }

  @Test
  void the_same_failure_has_the_same_words_each_time() {
    var install = helm.release("r").install(TestCharts.WORKLOAD, Map.of("replicas", "many"));
    var first = failure(install);
    helm.client().run(helm.release("r").uninstall());
    assertThat(failure(install)).isEqualTo(first);
  }

  private String failure(HelmOperation operation) {
    var result = helm.client().run(operation);
    assertThat(result).isInstanceOf(HelmResult.Failed.class);
    return ((HelmResult.Failed) result).message();
  }
}
