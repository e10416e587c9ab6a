// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.sandbox.Assets;
import io.krypton.sandbox.Assets.Binary;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The operator's own chart, as an administrator installs it. */
@ExtendWith(ControlPlaneExtension.class)
class OperatorChartIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String CHART = Shell.ROOT.resolve("charts/krypton-operator").toString();
  private static final String NAMESPACE = "krypton-operator";
  private static final String ACCOUNT = "krypton-krypton-operator";

  @TempDir Path directory;
  private String helm = "";

  @BeforeEach
  void find() {
    helm = Assets.fromEnvironment().find(Binary.HELM).toString();
  }

  @Test
  void it_lints_and_renders_with_every_option_on() throws Exception {
    assertThat(helm("lint", "--strict", CHART).exit()).isZero();

    var all =
        helm(
            "template",
            "krypton",
            CHART,
            "--set=podDisruptionBudget.enabled=true,networkPolicy.enabled=true",
            "--set=metrics.serviceMonitor.enabled=true,metrics.servingSecret=tls",
            "--set=prometheusRules.enabled=true,grafanaDashboards.enabled=true",
            "--set=chart.values.greeting=hello,image.digest=sha256:" + "a".repeat(64),
            "--set=watchCluster.secretName=mesh,reporter.enabled=true",
            "--set=chart.repoCredentialsSecret=charts-login");

    assertThat(all.exit()).as(all.err()).isZero();
    assertThat(all.out())
        .contains("kind: PodDisruptionBudget", "kind: NetworkPolicy", "kind: ServiceMonitor")
        .contains("--chart-values-file=/etc/krypton/chart/values.yaml", "greeting: hello")
        .contains("--chart-repo-credentials-dir=/etc/krypton/chart-repo")
        .contains("secretName: charts-login", "mountPath: /etc/krypton/chart-repo")
        .contains("--watch-kubeconfig-secret=mesh", "image: krypton@sha256:aaa")
        .contains("kind: DaemonSet", "kind: ValidatingAdmissionPolicyBinding")
        .contains("kind: PrometheusRule", "cannot work on cluster {{ $labels.cluster }}")
        .contains("grafana_dashboard: \"1\"", "\"uid\": \"krypton\"")
        .contains("system:serviceaccount:default:krypton-krypton-operator-kms-reporter");
  }

  @Test
  void for_an_edge_it_renders_rights_and_crds_alone() throws Exception {
    var edge = helm("template", "krypton", CHART, "--set=installMode.crdsRbacOnly=true");

    assertThat(edge.exit()).as(edge.err()).isZero();
    assertThat(edge.out())
        .contains("kind: CustomResourceDefinition", "kind: ClusterRole")
        .doesNotContain("kind: Deployment\n", "kind: Service\n");
  }

  @Test
  void leases_have_a_namespace_of_their_own_wherever_the_release_goes() throws Exception {
    var elsewhere =
        helm("template", "krypton", CHART, "--namespace=fleet", "--set=reporter.enabled=true");

    assertThat(elsewhere.exit()).as(elsewhere.err()).isZero();
    assertThat(elsewhere.out())
        .contains("kind: Namespace\nmetadata:\n  name: krypton-system\n")
        .contains("--kms-lease-namespace=krypton-system", "--lease-namespace=krypton-system")
        .contains("expression: \"'krypton-system'\"");

    var renamed =
        helm("template", "krypton", CHART, "--set=reporter.enabled=true,kms.leaseNamespace=beats");
    assertThat(renamed.out())
        .contains("kind: Namespace\nmetadata:\n  name: beats\n")
        .contains("--kms-lease-namespace=beats", "--lease-namespace=beats")
        .contains("expression: \"'beats'\"");

    var given = helm("template", "krypton", CHART, "--set=kms.createLeaseNamespace=false");
    assertThat(given.out()).doesNotContain("kind: Namespace\nmetadata:\n  name: krypton-system\n");
  }

  @Test
  void a_service_monitor_verifies_or_says_so() throws Exception {
    var monitor = "--set=metrics.serviceMonitor.enabled=true";
    var verified = helm("template", "krypton", CHART, monitor, "--set=metrics.servingSecret=tls");
    assertThat(verified.out())
        .contains("serverName: krypton-krypton-operator.default.svc", "key: ca.crt")
        .doesNotContain("insecureSkipVerify");

    var nothingToVerify = helm("template", "krypton", CHART, monitor);
    assertThat(nothingToVerify.exit()).isNotZero();
    assertThat(nothingToVerify.err())
        .contains("metrics.servingSecret", "metrics.serviceMonitor.insecureSkipVerify=true");

    var asked =
        helm(
            "template",
            "krypton",
            CHART,
            monitor,
            "--set=metrics.serviceMonitor.insecureSkipVerify=true");
    assertThat(asked.out()).contains("insecureSkipVerify: true");
  }

  @Test
  void a_value_that_does_not_exist_is_refused_by_name() throws Exception {
    var wrong = helm("template", "krypton", CHART, "--set=operator.driftDetecton=warn");

    assertThat(wrong.exit()).isNotZero();
    assertThat(wrong.err()).contains("driftDetecton");
  }

  @Test
  void its_rights_are_enough_for_the_operator_and_uninstalling_it_keeps_the_crds(
      @Cluster("chart") ControlPlane home) throws Exception {
    var kubeconfig = Files.writeString(directory.resolve("admin"), home.adminKubeconfig());
    var install =
        helm(
            "install",
            "krypton",
            CHART,
            "--kubeconfig=" + kubeconfig,
            "--namespace=" + NAMESPACE,
            "--create-namespace",
            "--set=chart.repo=%s,chart.name=echo,chart.version=0.1.0"
                .formatted(Operators.chart("echo")),
            "--set=operator.logFormat=text,operator.watchNamespaces=" + NAMESPACE,
            "--set=metrics.auth=none",
            "--set-json=rbac.extraRules=[{\"apiGroups\":[\"apps\"],\"resources\":[\"deployments\"],"
                + "\"verbs\":[\"create\",\"update\",\"patch\",\"delete\"]}]");
    assertThat(install.exit()).as(install.err()).isZero();
    assertThat(install.out()).contains("Register a cluster", "merge examples/kms-gate");

    var before = home.audit().mark();
    try (var operator =
        Operator.start(directory, accountKubeconfig(home), generatedArguments(home))) {
      eventually(
          "home engaged by its own account",
          () -> assertThat(operator.hasEngaged("self-cluster")).as(operator.log()).isTrue());
      var tenants = new Tenants(home, NAMESPACE, "self-cluster");
      tenants.create("charted", "{}");
      eventually(
          "rolled out",
          () -> assertThat(tenants.phase("charted")).as(operator.log()).isEqualTo("Ready"));
      home.admin()
          .delete(
              "/apis/mesh.openkcm.io/v1alpha1/namespaces/%s/tenants/charted".formatted(NAMESPACE));
      eventually("gone", () -> assertThat(tenants.exists("charted")).isFalse());
      assertThat(operator.terminate().exit()).isEqualTo(143);
    }
    var refused =
        home.audit()
            .since(before)
            .by("system:serviceaccount:%s:%s".formatted(NAMESPACE, ACCOUNT))
            .only(request -> request.code() == 403);
    assertThat(refused.records()).as("requests that the chart's rights do not cover").isEmpty();

    var uninstall =
        helm("uninstall", "krypton", "--kubeconfig=" + kubeconfig, "--namespace=" + NAMESPACE);
    assertThat(uninstall.exit()).as(uninstall.err()).isZero();
    assertThat(
            home.admin()
                .get(
                    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/tenants.mesh.openkcm.io")
                .status())
        .isEqualTo(200);
  }

  /** The arguments of the container, without those that only suit a pod. */
  private String[] generatedArguments(ControlPlane home) {
    var arguments = new ArrayList<String>();
    home.admin()
        .get("/apis/apps/v1/namespaces/%s/deployments/%s".formatted(NAMESPACE, ACCOUNT))
        .orThrow()
        .at("/spec/template/spec/containers/0/args")
        .forEach(argument -> arguments.add(argument.asText()));
    assertThat(arguments).isNotEmpty();
    arguments.removeIf(argument -> argument.startsWith("--metrics-auth="));
    arguments.add("--data-dir=" + directory.resolve("data"));
    return arguments.toArray(String[]::new);
  }

  private static String accountKubeconfig(ControlPlane home) {
    var token =
        home.admin()
            .post(
                "/api/v1/namespaces/%s/serviceaccounts/%s/token".formatted(NAMESPACE, ACCOUNT),
                "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\",\"spec\":{}}")
            .orThrow()
            .at("/status/token")
            .asText();
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: home
      cluster: {server: "%s", certificate-authority-data: "%s"}
    users:
    - name: operator
      user: {token: "%s"}
    contexts:
    - name: home
      context: {cluster: home, user: operator}
    current-context: home
    """
        .formatted(
            home.url(),
            Base64.getEncoder().encodeToString(home.caPem().getBytes(StandardCharsets.US_ASCII)),
            token);
  }

  private Shell.Result helm(String... arguments) throws Exception {
    var command = new ArrayList<>(List.of(helm));
    command.addAll(Arrays.asList(arguments));
    return new Shell(directory).run(LIMIT, command.toArray(String[]::new));
  }
}
