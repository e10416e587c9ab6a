package io.krypton.multicluster.cluster.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalKubeconfigTest {
  @TempDir Path directory;

  @BeforeEach
  void files() throws Exception {
    Files.writeString(directory.resolve("ca.crt"), TestKubeconfig.AUTHORITY.certificatePem());
    Files.writeString(directory.resolve("me.crt"), TestKubeconfig.USER.certificatePem());
    Files.writeString(directory.resolve("me.key"), TestKubeconfig.USER.keyPem());
    Files.writeString(directory.resolve("token"), "from-file\n");
  }

  @Test
  void files_beside_the_kubeconfig_are_inlined() throws Exception {
    var file = directory.resolve("config");
    Files.writeString(
        file,
        TestKubeconfig.with(
            "server: \"https://e.test\", certificate-authority: ca.crt",
            "client-certificate: me.crt, client-key: me.key, tokenFile: token"));

    var local = found(LocalKubeconfig.read(file, null));

    var accepted = (Kubeconfig.Accepted) local.content();
    assertThat(accepted.endpoint().authorities()).hasSize(1);
    assertThat(accepted.credentials().identity()).isNotNull();
    assertThat(accepted.credentials().token()).isEqualTo("from-file");
    assertThat(local.tokenFile()).contains(directory.resolve("token"));
    assertThat(new String(local.toYaml(), StandardCharsets.UTF_8))
        .doesNotContain("ca.crt")
        .doesNotContain("tokenFile");
  }

  @Test
  void a_named_context_beats_the_current_one() throws Exception {
    var file = directory.resolve("config");
    Files.writeString(
        file,
        """
        current-context: a
        clusters:
        - {name: a, cluster: {server: "https://a.test"}}
        - {name: b, cluster: {server: "https://b.test"}}
        contexts:
        - {name: a, context: {cluster: a}}
        - {name: b, context: {cluster: b}}
        """);

    assertThat(server(LocalKubeconfig.read(file, null))).isEqualTo(URI.create("https://a.test"));
    assertThat(server(LocalKubeconfig.read(file, "b"))).isEqualTo(URI.create("https://b.test"));
    assertThat(LocalKubeconfig.read(file, "c"))
        .isInstanceOfSatisfying(
            LocalKubeconfig.Loaded.Unusable.class,
            unusable -> assertThat(unusable.reason()).contains("contexts has no entry"));
  }

  @Test
  void credential_programs_stay_refused_by_the_policy() throws Exception {
    var file = directory.resolve("config");
    Files.writeString(
        file, TestKubeconfig.with("server: \"https://e.test\"", "exec: {command: sh}"));

    assertThat(found(LocalKubeconfig.read(file, null)).content())
        .isInstanceOf(Kubeconfig.Refused.class);
  }

  @Test
  void a_missing_file_is_a_reason_not_an_error() throws Exception {
    var file = directory.resolve("config");

    assertThat(LocalKubeconfig.read(file, null))
        .isInstanceOf(LocalKubeconfig.Loaded.Unusable.class);
    Files.writeString(
        file, TestKubeconfig.with("server: \"https://e.test\"", "tokenFile: nowhere"));
    assertThat(LocalKubeconfig.read(file, null))
        .isInstanceOfSatisfying(
            LocalKubeconfig.Loaded.Unusable.class,
            unusable -> assertThat(unusable.reason()).contains("nowhere does not exist"));
  }

  @Test
  void a_service_account_is_authority_and_token_files() throws Exception {
    var local =
        found(
            LocalKubeconfig.ofServiceAccount(
                URI.create("https://10.0.0.1:443"),
                directory.resolve("ca.crt"),
                directory.resolve("token")));

    var accepted = (Kubeconfig.Accepted) local.content();
    assertThat(accepted.credentials().token()).isEqualTo("from-file");
    assertThat(accepted.endpoint().authorities()).hasSize(1);
    assertThat(local.tokenFile()).contains(directory.resolve("token"));
    assertThat(local.toString()).doesNotContain("from-file");

    Files.writeString(directory.resolve("token"), "renewed");
    var renewed = (Kubeconfig.Accepted) local.refreshed().content();
    assertThat(renewed).isEqualTo(accepted.withToken("renewed"));
    Files.delete(directory.resolve("token"));
    assertThat(local.refreshed().content()).isEqualTo(accepted);
  }

  private static LocalKubeconfig found(LocalKubeconfig.Loaded loaded) {
    return ((LocalKubeconfig.Loaded.Found) loaded).kubeconfig();
  }

  private static URI server(LocalKubeconfig.Loaded loaded) {
    return ((Kubeconfig.Accepted) found(loaded).content()).endpoint().server();
  }
}
