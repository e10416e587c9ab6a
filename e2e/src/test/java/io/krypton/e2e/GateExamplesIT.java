// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.sandbox.process.ReservedPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example pods of the gate, with their users and modes, on a node as installers leave it. */
class GateExamplesIT {
  private static final Path EXAMPLES = Shell.ROOT.resolve("examples/kms-gate");
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir Path node;
  private final List<Process> processes = new ArrayList<>();
  private final ReservedPort port = ReservedPort.any();

  @BeforeEach
  void prepare() throws IOException, InterruptedException {
    ExampleContainer.assumeRoot();
    var directory = Files.createDirectories(ExamplePod.host(node, "/etc/kubernetes/enc"));
    permit(directory, "rwx------");
  }

  @AfterEach
  void stop() {
    processes.forEach(process -> process.descendants().forEach(ProcessHandle::destroyForcibly));
    processes.forEach(Process::destroyForcibly);
    port.close();
  }

  @Test
  void the_static_pod_waits_for_its_plugin_and_keeps_canaries() throws Exception {
    var pod = ExamplePod.on(node, EXAMPLES.resolve("static-pod.yaml"));
    configure(pod);
    plugin(pod);
    var serving = serve(pod);

    var waited =
        pod.container("kms-gate").run(PATIENCE, "--termination-log=" + node.resolve("end"));

    assertThat(waited.exit()).as(waited.out() + waited.err()).isZero();
    assertThat(pod.volume("canaries")).isDirectoryContaining("glob:**.json");
    eventually(serving, () -> Waiting.status(port.number(), "/readyz") == 200);
    assertThat(Files.readString(serving)).doesNotContain("canaries cannot be");
  }

  @Test
  void the_native_sidecar_becomes_ready() throws Exception {
    var pod = ExamplePod.on(node, EXAMPLES.resolve("native-sidecar.yaml"));
    configure(pod);
    plugin(pod);
    var serving = serve(pod);
    eventually(serving, () -> Waiting.status(port.number(), "/readyz") == 200);
  }

  /** As kubeadm and the documentation of Kubernetes leave it: root's alone, as it may hold keys. */
  private void configure(ExamplePod pod) throws IOException {
    var file = pod.volume("enc").resolve("config.yaml");
    Files.writeString(
        file,
        """
        apiVersion: apiserver.config.k8s.io/v1
        kind: EncryptionConfiguration
        resources:
        - resources: [secrets]
          providers:
          - kms: {apiVersion: v2, name: one, endpoint: "unix://%s", timeout: 30s}
          - identity: {}
        """
            .formatted(socket(pod)));
    permit(file, "rw-------");
  }

  private void plugin(ExamplePod pod) throws IOException {
    processes.add(
        pod.container("kms-plugin")
            .startInstead(
                node.resolve("plugin.log"),
                Shell.KRYPTON.toString(),
                "plugin",
                "serve",
                "--socket=unix://" + socket(pod),
                "--key-file=" + pod.volume("kms-socket").resolve("keys.json")));
  }

  /** On a port of the test: that of the example may be taken on this machine. */
  private Path serve(ExamplePod pod) throws IOException {
    var log = node.resolve("serve.log");
    processes.add(
        pod.container("kms-gate-serve").start(log, "--listen=127.0.0.1:" + port.number()));
    return log;
  }

  private static Path socket(ExamplePod pod) {
    return pod.volume("kms-socket").resolve("kms-1.sock");
  }

  private static void eventually(Path log, Callable<Boolean> condition) {
    await(log.toString()).atMost(PATIENCE).ignoreExceptions().until(condition);
  }

  private static void permit(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }
}
