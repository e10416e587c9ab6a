// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.sandbox.Assets;
import io.krypton.sandbox.Assets.Binary;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.audit.AuditTrail;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The aggregator with exactly the rights that we tell users to give: everything it does is allowed,
 * on a cluster that serves both kinds of objects.
 */
@ExtendWith(ControlPlaneExtension.class)
class AggregatorRightsIT {
  private static final Path EXAMPLE = Shell.ROOT.resolve("examples/kms-aggregator");
  private static final Path CRDS = Shell.ROOT.resolve("e2e/src/test/resources/openshift");
  private static final String PLUGINS = "KMSPluginsDegraded";
  private static final String WELL = "status=healthy lastChecked=2026-01-01T00:00:00Z";
  private static final String UNWELL =
      "status=unhealthy lastChecked=2026-01-01T00:00:00Z cause=NotOk";
  private static final String CHART_NAMESPACE = "krypton-operator";
  private static final String CHART_ACCOUNT = "krypton-krypton-operator";

  @TempDir Path directory;
  private ControlPlane home;
  private ControlPlane edge;

  @BeforeEach
  void remember(
      @Cluster("home") ControlPlane homePlane, @Cluster("rights") ControlPlane edgePlane) {
    home = homePlane;
    edge = edgePlane;
  }

  @Test
  void nothing_it_does_is_forbidden() throws Exception {
    Leases.namespace(edge);
    for (var crd : new String[] {"kubeapiservers", "clusteroperators", "apiservers"}) {
      KmsObject.define(edge, CRDS.resolve(crd + ".yaml"));
    }
    installChart();
    doesAllOfItsWork(
        "chart",
        Fleet.kubeconfig(edge, chartToken()),
        "system:serviceaccount:%s:%s".formatted(CHART_NAMESPACE, CHART_ACCOUNT));

    for (var file : new String[] {"rbac.yaml", "rbac-openshift.yaml"}) {
      for (var document : Files.readString(EXAMPLE.resolve(file)).split("(?m)^---\n")) {
        apply(document);
      }
    }
    doesAllOfItsWork("example", edge.kubeconfigFor("confined", "krypton:operators"), "confined");
  }

  private void doesAllOfItsWork(String rights, String kubeconfig, String user) throws Exception {
    var namespace = "rights-" + rights;
    Fleet.namespace(home, namespace);
    Fleet.register(home, namespace, "edge-" + rights, kubeconfig);
    var kms = KmsObject.kmsHealth(edge);
    var source =
        new KmsObject(
            edge, "operator.openshift.io/v1", "KubeAPIServer", "kubeapiservers", "cluster");
    var sum =
        new KmsObject(
            edge,
            "config.openshift.io/v1",
            "ClusterOperator",
            "clusteroperators",
            "kube-apiserver");
    edge.admin().delete(kms.path());
    eventually("served", source::create);
    edge.admin()
        .apply(
            "/apis/config.openshift.io/v1/apiservers/cluster",
            "platform",
            """
            {"apiVersion":"config.openshift.io/v1","kind":"APIServer","metadata":{"name":"cluster"},
             "spec":{"encryption":{"type":"KMS"}}}
            """)
        .orThrow();
    var mark = edge.audit().mark();
    try (var operator =
        Operators.start(
            directory,
            home,
            namespace,
            "echo",
            "--controllers=kmshealth",
            "--leader-elect=false",
            "--kms-discovery-interval=1s",
            "--kms-recovery-hold=1s",
            "--kms-orphan-after=3s")) {
      eventually("the object is made", () -> assertThat(kms.version()).isNotEmpty());
      kms.merge("{\"spec\":{\"enabled\":true,\"expectedNodes\":{\"names\":[\"r-0\"]}}}");
      source
          .applyStatus(
              "platform", "{\"nodeStatuses\":[{\"nodeName\":\"r-0\",\"currentRevision\":1}]}")
          .orThrow();
      eventually(
          "said and summed up, once the operator has seen them beat",
          () -> {
            report(kms, "kmshealth", "r-0", "kms-health-reporter-r-0", WELL);
            report(source, "kubeapiserver", "r-0", "kms-health-reporter-r-0", WELL);
            assertThat(kms.says("Degraded")).as(operator.log()).isEqualTo("False/AsExpected");
            assertThat(sum.says("Degraded")).as(operator.log()).isEqualTo("False/AsExpected");
          });
      report(kms, "kmshealth", "r-0", "kms-health-reporter-r-0", UNWELL);
      eventually(
          "announced",
          () -> {
            assertThat(kms.says(PLUGINS)).isEqualTo("True/PluginUnhealthy");
            assertThat(kms.events()).contains(PLUGINS);
          });

      // One entry of a reporter, one that somebody else wrote in the name of a node.
      report(kms, "kmshealth", "r-1", "kms-health-reporter-r-1", WELL);
      report(kms, "kmshealth", "r-2", "somebody", WELL);
      eventually(
          "what nobody expects is removed",
          () -> {
            assertThat(kms.condition("KMSHealthReporter_r-1").isMissingNode()).isTrue();
            assertThat(kms.condition("KMSHealthReporter_r-2").isMissingNode()).isTrue();
            assertThat(kms.leases("kmshealth")).containsExactly("kms-kmshealth-r-0");
          });
      kms.merge("{\"spec\":{\"enabled\":false}}");
      eventually(
          "nothing is left",
          () -> {
            assertThat(kms.read().at("/status/conditions")).as(operator.log()).isEmpty();
            assertThat(kms.leases("kmshealth")).isEmpty();
          });
      edge.admin().delete(source.path());
      eventually(
          "the sum went with its source",
          () -> assertThat(edge.admin().get(sum.path()).status()).isEqualTo(404));
    }
    var done = edge.audit().since(mark).by(user);
    assertThat(done.only(it -> it.code() == 403).records())
        .as("with rights of " + rights)
        .isEmpty();
    didEverything(done);
  }

  /** Otherwise what is not forbidden was perhaps not tried. */
  private static void didEverything(AuditTrail done) {
    assertThat(done.per(it -> it.verb() + " " + it.resource() + "/" + it.subresource()))
        .containsKeys(
            "create kmshealths/",
            "patch kmshealths/status",
            "patch kubeapiservers/status",
            "create clusteroperators/",
            "patch clusteroperators/status",
            "delete clusteroperators/",
            "delete leases/",
            "watch leases/",
            "create events/");
  }

  private void report(KmsObject about, String target, String node, String manager, String line) {
    about
        .applyStatus(
            manager,
            """
            {"conditions":[{"type":"KMSHealthReporter_%s","status":"True","reason":"AsExpected",
             "lastTransitionTime":"2026-01-01T00:00:00Z","message":"keyID=1 %s"}]}
            """
                .formatted(node, line))
        .orThrow();
    Leases.renew(edge, target, node, 0);
  }

  private void apply(String document) {
    var kind = field(document, "(?m)^kind: (\\S+)");
    var name = field(document, "(?m)^  name: (\\S+)");
    var rbac = "/apis/rbac.authorization.k8s.io/v1/";
    var path =
        switch (kind) {
          case "Namespace" -> "/api/v1/namespaces/";
          case "ClusterRole" -> rbac + "clusterroles/";
          case "ClusterRoleBinding" -> rbac + "clusterrolebindings/";
          case "Role" -> rbac + "namespaces/krypton-system/roles/";
          case "RoleBinding" -> rbac + "namespaces/krypton-system/rolebindings/";
          default -> throw new IllegalArgumentException("an example with a " + kind);
        };
    edge.admin().apply(path + name, "e2e", document).orThrow();
  }

  private static String field(String document, String pattern) {
    var matcher = Pattern.compile(pattern).matcher(document);
    assertThat(matcher.find()).as(document).isTrue();
    return matcher.group(1);
  }

  private void installChart() throws IOException, InterruptedException {
    var kubeconfig = Files.writeString(directory.resolve("admin"), edge.adminKubeconfig());
    var install =
        new Shell(directory)
            .run(
                Duration.ofSeconds(60),
                Assets.fromEnvironment().find(Binary.HELM).toString(),
                "install",
                "krypton",
                Shell.ROOT.resolve("charts/krypton-operator").toString(),
                "--kubeconfig=" + kubeconfig,
                "--namespace=" + CHART_NAMESPACE,
                "--create-namespace",
                "--set=installMode.crdsRbacOnly=true");
    assertThat(install.exit()).as(install.err()).isZero();
  }

  private String chartToken() {
    return edge.admin()
        .post(
            "/api/v1/namespaces/%s/serviceaccounts/%s/token"
                .formatted(CHART_NAMESPACE, CHART_ACCOUNT),
            "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\",\"spec\":{}}")
        .orThrow()
        .at("/status/token")
        .asText();
  }
}
