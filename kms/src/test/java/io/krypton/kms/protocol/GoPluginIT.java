package io.krypton.kms.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.kms.probe.PluginProbe;
import io.krypton.kms.probe.PluginSpec;
import io.krypton.kms.probe.ProbeTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Our client against a plugin that we did not write: Kubernetes' own server for KMS v2, in Go.
 * {@code make interop} builds it and sets the variable.
 */
@EnabledIfEnvironmentVariable(named = "KRYPTON_GO_PLUGIN", matches = ".+")
class GoPluginIT {
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  @TempDir Path directory;
  private final PluginConnections connections = new PluginConnections();
  private Path said;
  private Process process;
  private Endpoint endpoint;

  @BeforeEach
  void start() throws IOException {
    var socket = directory.resolve("go.sock");
    said = directory.resolve("said");
    process =
        new ProcessBuilder(System.getenv("KRYPTON_GO_PLUGIN"), socket.toString())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    await().atMost(Duration.ofSeconds(20)).until(() -> Files.exists(socket));
    endpoint = Endpoint.ofAddress(socket.toString());
  }

  @AfterEach
  void stop() {
    connections.close();
    process.destroyForcibly();
  }

  @Test
  void it_is_probed_as_any_other_and_sees_what_kube_apiserver_would_send() throws Exception {
    try (var connection = connections.open(endpoint, () -> {})) {
      var probe =
          new PluginProbe(
              new PluginSpec("1", KmsApi.V2, endpoint, DEADLINE),
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
}
