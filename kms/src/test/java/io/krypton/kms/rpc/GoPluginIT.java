// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.kms.probe.PluginProbe;
import io.krypton.kms.probe.PluginProbe.PluginSpec;
import io.krypton.kms.probe.PluginProbe.ProbeTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Our client against a plugin that we did not write: Kubernetes' own server for KMS v2, in Go.
 * {@code make interop} builds it and sets the variable.
 */
@EnabledIfEnvironmentVariable(named = "KRYPTON_GO_PLUGIN", matches = ".+")
class GoPluginIT {
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  @TempDir Path directory;
  private final PluginConnectionPool connections = new PluginConnectionPool();
  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void stop() {
    connections.close();
    processes.forEach(Process::destroyForcibly);
  }

  @ParameterizedTest
  @ValueSource(strings = {"path", "abstract"})
  void it_is_probed_as_any_other_and_sees_what_kube_apiserver_would_send(String kind)
      throws Exception {
    var endpoint =
        Endpoint.ofAddress(
            kind.equals("path")
                ? directory.resolve("go.sock").toString()
                : "@krypton-go-" + UUID.randomUUID());
    var said = start(endpoint);
    try (var connection = connections.open(endpoint, () -> {})) {
      await().atMost(Duration.ofSeconds(20)).until(() -> connection.checkSocket().isEmpty());
      var probe =
          new PluginProbe(
              new PluginSpec("1", KmsApiVersion.V2, endpoint, DEADLINE),
              connection,
              ProbeTools.standard());
      var status = probe.status();
      assertThat(status.isGood()).isTrue();
      assertThat(status.keyId()).isEqualTo("go-key-1");
      assertThat(probe.deep().isGood()).isTrue();
    }
    var uid = " uid=[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
    var headers = " authority=\\[localhost] deadline=true";
    List<String> lines = Files.readAllLines(said);
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).matches("Status" + headers + " uid=");
    assertThat(lines.get(1)).matches("Encrypt" + headers + uid);
    assertThat(lines.get(2)).matches("Decrypt" + headers + uid);
  }

  /** Returns the file in which it tells what it sees. */
  private Path start(Endpoint endpoint) throws IOException {
    var said = directory.resolve("said");
    processes.add(
        new ProcessBuilder(System.getenv("KRYPTON_GO_PLUGIN"), endpoint.address())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start());
    return said;
  }
}
