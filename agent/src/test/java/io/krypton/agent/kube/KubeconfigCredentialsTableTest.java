// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.krypton.agent.kube.CredentialSource.CredentialState;
import io.krypton.agent.kube.CredentialSource.CredentialState.NotYet;
import io.krypton.agent.kube.CredentialSource.CredentialState.Ready;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class KubeconfigCredentialsTableTest {
  private static final String SECRET = "s3cr3t-t0ken";
  @TempDir Path directory;

  static Stream<Arguments> unusable() {
    return Stream.of(
        argumentSet("empty", "", "is empty"),
        argumentSet("no mapping", "- a", "is not a YAML mapping"),
        argumentSet("broken", "a: [" + SECRET, "is not valid YAML at line 1"),
        argumentSet("duplicate key", "a: 1\na: " + SECRET, "is not valid YAML at line 2"),
        argumentSet("no context", "kind: Config", "current-context is not set"),
        argumentSet(
            "dangling context",
            "current-context: " + SECRET,
            "contexts has no entry that the current context names"),
        argumentSet(
            "exec",
            config("server: https://h:1", "exec: {command: /bin/false}"),
            "exec is not supported: use tokenFile, token or a client certificate"),
        argumentSet(
            "auth-provider",
            config("server: https://h:1", "auth-provider: {name: gcp}"),
            "auth-provider is not supported: use tokenFile, token or a client certificate"),
        argumentSet(
            "password",
            config("server: https://h:1", "password: " + SECRET),
            "password is not supported: use tokenFile, token or a client certificate"),
        argumentSet(
            "proxy",
            config("{server: 'https://h:1', proxy-url: 'http://u:" + SECRET + "@p'}", "{}"),
            "proxy-url is not supported"),
        argumentSet("no server", config("{}", "{}"), "the cluster has no server"),
        argumentSet(
            "plain http", config("server: http://h:1", "{}"), "server must be an https URL"),
        argumentSet(
            "user in URL",
            config("server: https://u:" + SECRET + "@h:1", "{}"),
            "server must be https://<host>:<port> without a user"),
        argumentSet(
            "no URL", config("server: 'https://[" + SECRET + "'", "{}"), "server is not a URL"),
        argumentSet(
            "query",
            config("server: 'https://h:1?token=" + SECRET + "'", "{}"),
            "server must not have a query or a fragment"),
        argumentSet("server is a number", config("server: 7", "{}"), "server must be a string"),
        argumentSet(
            "insecure is a string",
            config("{server: 'https://h:1', insecure-skip-tls-verify: 'yes'}", "{}"),
            "insecure-skip-tls-verify must be true or false"),
        argumentSet(
            "CA is no PEM",
            config("{server: 'https://h:1', certificate-authority-data: aGVsbG8=}", "{}"),
            "certificate-authority holds no PEM certificate"),
        argumentSet(
            "certificate without key",
            config("server: https://h:1", "client-certificate-data: aGVsbG8="),
            "client-certificate and client-key must be set together"),
        argumentSet(
            "token with line break",
            config("server: https://h:1", "token: \"" + SECRET + "\\r\\nX-Evil: 1\""),
            "token holds characters that no token has"));
  }

  @ParameterizedTest
  @MethodSource("unusable")
  void an_unusable_kubeconfig_is_explained_without_its_content(String yaml, String reason)
      throws IOException {
    var state = read(yaml);

    assertThat(state)
        .isEqualTo(
            new NotYet("kubeconfig %s: %s".formatted(directory.resolve("kubeconfig"), reason)));
    assertThat(reason).doesNotContain(SECRET);
  }

  @Test
  void a_missing_file_is_named() {
    var file = directory.resolve("kubeconfig");
    assertThat(new KubeconfigCredentials(file).read().state())
        .isEqualTo(new NotYet("kubeconfig " + file + " does not exist"));
  }

  @Test
  void a_directory_in_place_of_the_file_is_named() throws IOException {
    var file = Files.createDirectory(directory.resolve("kubeconfig"));
    assertThat(new KubeconfigCredentials(file).read().state())
        .isEqualTo(new NotYet("kubeconfig " + file + " is not a regular file"));
  }

  @Test
  void a_file_without_end_is_not_read_whole() throws IOException {
    var file = Files.write(directory.resolve("kubeconfig"), new byte[(1 << 20) + 1]);
    assertThat(new KubeconfigCredentials(file).read().state())
        .isEqualTo(new NotYet("kubeconfig " + file + " is larger than 1 MiB"));
  }

  @Test
  void the_token_file_beats_the_token_and_relative_paths_start_at_the_kubeconfig()
      throws IOException {
    Files.createDirectory(directory.resolve("creds"));
    Files.writeString(directory.resolve("creds/token"), SECRET + "\n");

    var reading = reading(config("server: https://h:1", "{token: other, tokenFile: creds/token}"));

    assertThat(reading.state())
        .isInstanceOfSatisfying(
            Ready.class, ready -> assertThat(ready.access().token()).isEqualTo(SECRET));
    assertThat(reading.files())
        .containsExactlyInAnyOrder(
            directory.resolve("kubeconfig"), directory.resolve("creds/token"));
  }

  @Test
  void a_missing_token_file_is_watched_too() throws IOException {
    var reading = reading(config("server: https://h:1", "tokenFile: later"));

    assertThat(reading.state()).isInstanceOf(NotYet.class);
    assertThat(reading.files()).contains(directory.resolve("later"));
  }

  @Test
  void an_empty_token_file_is_not_a_token() throws IOException {
    Files.writeString(directory.resolve("token"), " \n");
    assertThat(read(config("server: https://h:1", "tokenFile: token")))
        .isInstanceOfSatisfying(
            NotYet.class, notYet -> assertThat(notYet.reason()).endsWith("tokenFile is empty"));
  }

  @Test
  void what_it_prints_of_itself_holds_no_secret() throws IOException {
    var state =
        read(
            config(
                "{server: 'https://h:1', tls-server-name: api.internal,"
                    + " insecure-skip-tls-verify: true}",
                "token: " + SECRET));

    assertThat(state).isInstanceOf(Ready.class);
    assertThat(state.toString()).doesNotContain(SECRET);
    assertThat(state)
        .isInstanceOfSatisfying(
            Ready.class,
            ready -> {
              assertThat(ready.access().tlsServerName()).isEqualTo("api.internal");
              assertThat(ready.access().skipTlsVerify()).isTrue();
            });
  }

  @Test
  void the_server_may_have_a_path_and_loses_its_last_slash() throws IOException {
    assertThat(read(config("server: https://h:1/k8s/clusters/c-1/", "{}")).toString())
        .contains("[https://h:1/k8s/clusters/c-1]");
    assertThat(read(config("server: https://h:1/", "{}")).toString()).contains("[https://h:1]");
  }

  private CredentialState read(String yaml) throws IOException {
    return reading(yaml).state();
  }

  private CredentialSource.Reading reading(String yaml) throws IOException {
    return new KubeconfigCredentials(Files.writeString(directory.resolve("kubeconfig"), yaml))
        .read();
  }

  private static String config(String cluster, String user) {
    return """
    current-context: here
    contexts: [{name: here, context: {cluster: c, user: u}}]
    clusters: [{name: c, cluster: %s}]
    users: [{name: u, user: %s}]
    """
        .formatted(inline(cluster), inline(user));
  }

  private static String inline(String mapping) {
    return mapping.startsWith("{") ? mapping : "{" + mapping + "}";
  }
}
