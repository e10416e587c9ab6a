// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    var accepted = (ParsedKubeconfig.Accepted) local.content();
    assertThat(accepted.endpoint().authorities()).hasSize(1);
    assertThat(accepted.credentials().identity()).isNotNull();
    assertThat(accepted.credentials().token()).isEqualTo("from-file");
    assertThat(local.tokenFile()).contains(directory.resolve("token"));
    assertThat(new String(local.toYaml(), StandardCharsets.UTF_8))
        .doesNotContain("ca.crt")
        .doesNotContain("tokenFile");
  }

  @Test
  void several_files_are_one_and_the_first_word_counts() throws Exception {
    var first = directory.resolve("first");
    Files.writeString(
        first,
        """
        current-context: b
        clusters: [{name: a, cluster: {server: "https://a.test"}}]
        users: [{name: u, user: {token: first}}]
        """);
    var below = Files.createDirectories(directory.resolve("below"));
    Files.writeString(below.resolve("token"), "second\n");
    var second = below.resolve("second");
    Files.writeString(
        second,
        """
        current-context: a
        clusters:
        - {name: a, cluster: {server: "https://other.test"}}
        - {name: b, cluster: {server: "https://b.test"}}
        users: [{name: u, user: {token: other}}, {name: v, user: {tokenFile: token}}]
        contexts:
        - {name: a, context: {cluster: a, user: u}}
        - {name: b, context: {cluster: b, user: v}}
        """);
    var files = List.of(directory.resolve("missing"), first, second);

    var b = (ParsedKubeconfig.Accepted) found(LocalKubeconfig.read(files, null)).content();
    assertThat(b.endpoint().server()).isEqualTo(URI.create("https://b.test"));
    assertThat(b.credentials().token()).isEqualTo("second");
    var a = (ParsedKubeconfig.Accepted) found(LocalKubeconfig.read(files, "a")).content();
    assertThat(a.endpoint().server()).isEqualTo(URI.create("https://a.test"));
    assertThat(a.credentials().token()).isEqualTo("first");
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
        .isInstanceOf(ParsedKubeconfig.Refused.class);
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

    var accepted = (ParsedKubeconfig.Accepted) local.content();
    assertThat(accepted.credentials().token()).isEqualTo("from-file");
    assertThat(accepted.endpoint().authorities()).hasSize(1);
    assertThat(local.tokenFile()).contains(directory.resolve("token"));
    assertThat(local.toString()).doesNotContain("from-file");
  }

  private static LocalKubeconfig found(LocalKubeconfig.Loaded loaded) {
    return ((LocalKubeconfig.Loaded.Found) loaded).kubeconfig();
  }

  private static URI server(LocalKubeconfig.Loaded loaded) {
    return ((ParsedKubeconfig.Accepted) found(loaded).content()).endpoint().server();
  }
}
