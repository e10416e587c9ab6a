// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.cli.view.KubeconfigLocation.KubeconfigContexts;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which file leads to the cluster, and which context of it. */
class KubeconfigLocationTest {
  private static final String TWO =
      """
      current-context: blue
      contexts:
      - {name: blue, context: {cluster: b, user: b}}
      - {name: green, context: {cluster: g, user: g, namespace: team}}
      """;

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(directory.resolve("config"), TWO);
  }

  private KubeconfigLocation choose(String flag, Map<String, String> environment) {
    return KubeconfigLocation.of(flag, environment, directory.resolve("home"));
  }

  @Test
  void the_flag_wins_over_the_variable() {
    assertThat(choose(file.toString(), Map.of("KUBECONFIG", "/elsewhere")))
        .isEqualTo(new KubeconfigLocation.FromFiles(List.of(file)));
  }

  @Test
  void of_a_list_of_files_those_that_exist_count() {
    var list = "/elsewhere" + File.pathSeparator + file;

    assertThat(choose("", Map.of("KUBECONFIG", list)))
        .isEqualTo(new KubeconfigLocation.FromFiles(List.of(file)));
  }

  @Test
  void the_users_file_comes_before_the_pod_we_run_in() throws IOException {
    var inPod = Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1");
    assertThat(choose("", inPod)).isEqualTo(new KubeconfigLocation.InCluster());

    var usual = Files.createDirectories(directory.resolve("home/.kube")).resolve("config");
    Files.copy(file, usual);

    assertThat(choose("", inPod)).isEqualTo(new KubeconfigLocation.FromFiles(List.of(usual)));
  }

  @Test
  void nothing_at_all_is_bad_usage_with_the_remedy() {
    refused(() -> choose("", Map.of()), "no kubeconfig:", "--kubeconfig");
    refused(() -> choose("/nope", Map.of()), "--kubeconfig /nope does not exist");
    refused(() -> choose(directory.toString(), Map.of()), "is not a file");
    refused(() -> choose("", Map.of("KUBECONFIG", "/nope")), "KUBECONFIG /nope does not exist");
  }

  @Test
  void a_context_brings_its_namespace() {
    var contexts = KubeconfigContexts.read(List.of(file));

    assertThat(contexts.choose(null)).isEqualTo(new KubeconfigContexts.Chosen("blue", "default"));
    assertThat(contexts.choose("green")).isEqualTo(new KubeconfigContexts.Chosen("green", "team"));
  }

  @Test
  void an_unknown_context_is_told_with_those_that_exist() {
    refused(
        () -> KubeconfigContexts.read(List.of(file)).choose("red"),
        "context 'red' is not in " + file,
        "--context: blue, green");
  }

  @Test
  void a_file_without_a_current_context_or_without_sense_is_told() throws IOException {
    Files.writeString(file, TWO.replace("current-context: blue", ""));
    refused(() -> KubeconfigContexts.read(List.of(file)).choose(null), "names no current-context");

    Files.writeString(file, "users: [{token: s3cr3t");
    assertThatThrownBy(() -> KubeconfigContexts.read(List.of(file)))
        .hasMessageContaining("is not YAML")
        .hasMessageNotContaining("s3cr3t");

    Files.writeString(file, "");
    refused(() -> KubeconfigContexts.read(List.of(file)), "is empty");
  }

  private static void refused(ThrowingCallable call, String... words) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            CliException.class, error -> assertThat(error.exitCode()).isEqualTo(2))
        .message()
        .contains(words)
        .doesNotContain("\n");
  }
}
