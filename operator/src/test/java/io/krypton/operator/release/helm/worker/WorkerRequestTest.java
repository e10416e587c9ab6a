// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.helm.ChartRenderer;
import io.krypton.operator.release.helm.HelmOperation;
import io.krypton.operator.release.helm.HelmOperation.ChartArchive;
import io.krypton.operator.release.helm.HelmOperation.HelmKubeconfig;
import io.krypton.operator.release.helm.RepoAccess;
import io.krypton.operator.release.helm.TestOperations;
import io.krypton.operator.release.values.ChartValues;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WorkerRequestTest {
  private static final HelmKubeconfig KUBECONFIG =
      new HelmKubeconfig("users: [{user: {token: hunter2}}]");

  private final TestOperations release =
      TestOperations.on("edge", "acme", "r", "ignored").within(Duration.ofMillis(1500));

  @Test
  void an_install_names_all_that_the_command_line_gets_by_flags_and_files() throws IOException {
    var json = json(release.install(Path.of("/c.tgz"), Map.of("a", Map.of("b", 1))));
    assertThat(json.path("id").asLong()).isEqualTo(7);
    assertThat(json.path("method").asText()).isEqualTo("install");
    assertThat(fields(json.path("params")))
        .containsExactlyInAnyOrder(
            "cluster",
            "kubeconfig",
            "namespace",
            "release",
            "timeoutMillis",
            "chart",
            "chartDigest",
            "values",
            "labels",
            "validate",
            "historyMax");
    assertThat(json.at("/params/cluster").asText()).isEqualTo("edge");
    assertThat(json.at("/params/kubeconfig").asText()).isEqualTo(KUBECONFIG.yaml());
    assertThat(json.at("/params/timeoutMillis").asLong()).isEqualTo(1500);
    assertThat(json.at("/params/chart").asText()).isEqualTo("/c.tgz");
    assertThat(json.at("/params/values/a/b").asInt()).isEqualTo(1);
    assertThat(json.at("/params/labels/mesh.openkcm.io~1instance").asText())
        .isEqualTo(TestOperations.INSTANCE);
    assertThat(json.at("/params/validate").asBoolean()).isTrue();
    assertThat(json.at("/params/historyMax").asInt()).isEqualTo(5);
  }

  @Test
  void an_upgrade_tells_whether_it_may_install() throws IOException {
    var upgrade = json(release.upgrade(Path.of("/c.tgz"), Map.of()));
    assertThat(upgrade.at("/params/installIfMissing").isBoolean()).isTrue();
    assertThat(upgrade.at("/params/installIfMissing").asBoolean()).isFalse();
    var either = json(release.upgradeOrInstall(Path.of("/c.tgz")));
    assertThat(either.path("method").asText()).isEqualTo("upgrade");
    assertThat(either.at("/params/installIfMissing").asBoolean()).isTrue();
  }

  @Test
  void rollback_and_uninstall_need_little() throws IOException {
    var rollback = json(release.rollback(3));
    assertThat(rollback.at("/params/revision").asInt()).isEqualTo(3);
    assertThat(rollback.at("/params/historyMax").asInt()).isEqualTo(5);
    assertThat(fields(json(release.uninstall()).path("params")))
        .containsExactlyInAnyOrder(
            "cluster", "kubeconfig", "namespace", "release", "timeoutMillis");
  }

  @Test
  void a_pull_holds_logins_and_certificates_and_no_files_of_them() throws IOException {
    var access = new RepoAccess("ann", "hunter2", "CA", "CERT", "KEY", null);
    var reference = "oci://charts.test/web";
    var pull = json(WorkerRequest.pull(reference, "1.2.3", access, Path.of("/into")));
    assertThat(pull.at("/params/registryConfig").asText()).contains("charts.test");
    assertThat(pull.at("/params/caPem").asText()).isEqualTo("CA");
    assertThat(pull.at("/params/certPem").asText()).isEqualTo("CERT");
    assertThat(pull.at("/params/keyPem").asText()).isEqualTo("KEY");
    assertThat(pull.at("/params/plainHttp").asBoolean()).isFalse();
    assertThat(pull.at("/params/into").asText()).isEqualTo("/into");
    var open = WorkerRequest.pull("oci://localhost:5000/web", "", RepoAccess.NONE, Path.of("/i"));
    assertThat(json(open).at("/params/registryConfig").isNull()).isTrue();
    assertThat(json(open).at("/params/plainHttp").asBoolean()).isTrue();
  }

  @Test
  void a_rendering_names_what_the_cluster_serves() throws IOException {
    var request =
        new ChartRenderer.Request(
            new ReleaseName("r"),
            "acme",
            new ChartArchive(Path.of("/c.tgz"), "abc"),
            ChartValues.of(Map.of("a", 1)),
            "v1.36.3",
            List.of("v1", "apps/v1/Deployment"),
            true);
    var json = json(WorkerRequest.render(request));
    assertThat(json.path("method").asText()).isEqualTo("render");
    assertThat(json.at("/params/apiVersions").toString())
        .isEqualTo("[\"v1\",\"apps/v1/Deployment\"]");
    assertThat(json.at("/params/upgrade").asBoolean()).isTrue();
    assertThat(json.at("/params/chartDigest").asText()).isEqualTo("abc");
  }

  @Test
  void nothing_secret_shows_in_its_text() {
    var install = release.install(Path.of("/c.tgz"), Map.of("password", "swordfish"));
    assertThat(WorkerRequest.of(install, KUBECONFIG, 5)).hasToString("WorkerRequest(install)");
  }

  private static JsonNode json(HelmOperation operation) throws IOException {
    return json(WorkerRequest.of(operation, KUBECONFIG, 5));
  }

  private static JsonNode json(WorkerRequest request) throws IOException {
    return new ObjectMapper().readTree(new String(request.encode(7), UTF_8));
  }

  private static Stream<String> fields(JsonNode params) {
    return params.propertyStream().map(Map.Entry::getKey);
  }
}
