// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.agent.AgentMain;
import io.krypton.agent.lab.ChildJvm;
import io.krypton.agent.lab.ExampleContainer;
import io.krypton.agent.lab.Manifests;
import io.krypton.agent.lab.PluginMain;
import io.krypton.agent.lab.TargetObject;
import io.krypton.base.kmsreport.ReportTarget;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The files of examples/kms-reporter, together and as written: users, modes, rights, policy. */
@ExtendWith(ControlPlaneExtension.class)
class ReporterExampleIT {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final String NODE = "example-0";

  @TempDir Path directory;
  private final ControlPlane plane;
  private final TargetObject target;

  ReporterExampleIT(@Cluster("agent") ControlPlane plane) {
    this.plane = plane;
    this.target = TargetObject.install(plane, ReportTarget.KMSHEALTH);
  }

  @Test
  void plugin_and_reporter_of_the_pod_find_together_and_the_report_arrives() throws IOException {
    var pod = Manifests.read(Manifests.EXAMPLES.resolve("kube-apiserver-pod.yaml")).getFirst();
    var plugin = ExampleContainer.of(pod, "kms-plugin");
    var reporter = ExampleContainer.of(pod, "kms-health-reporter");
    assertThat(reporter.user()).as("a socket is for its owner").isEqualTo(plugin.user());
    var rights = Files.writeString(directory.resolve("rbac.yaml"), example("rbac.yaml"));
    Manifests.apply(plane, rights);
    Manifests.apply(plane, Manifests.CONFINEMENT);
    var sockets = Files.createDirectory(directory.resolve("s"));
    var credentials = credentials();
    var socket = sockets.resolve("kms-1.sock");
    try (var serving =
        ChildJvm.start(
            plugin.launcher(),
            directory,
            PluginMain.class,
            socket.toString(),
            sockets.resolve("keys").toString())) {
      await().atMost(SOON).until(() -> serving.output().contains("serving"));
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
          .isEqualTo("rw-------");
      var arguments =
          new ArrayList<>(
              List.of(
                  reporter.arguments(
                      Map.of(
                          "unix:///var/run/kmsplugin/kms-1.sock",
                          "1=unix://" + socket,
                          "/etc/krypton/reporter",
                          credentials.toString()))));
      // Another test may have the port of the example.
      arguments.add("--listen=0");
      var launcher = new ArrayList<>(reporter.launcher());
      launcher.addAll(List.of("env", "NODE_NAME=" + NODE));
      try (var reporting =
          ChildJvm.start(launcher, directory, AgentMain.class, arguments.toArray(String[]::new))) {
        await("the report")
            .atMost(SOON)
            .untilAsserted(
                () ->
                    assertThat(target.condition(NODE).path("status").asText())
                        .as(reporting.output())
                        .isEqualTo("True"));
        await("the Lease").atMost(SOON).until(() -> !target.lease(NODE).isMissingNode());
      }
    }
  }

  /** Files of root, as an installer leaves them. */
  private Path credentials() throws IOException {
    var files =
        Files.createDirectory(
            directory.resolve("c"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    var access =
        plane.access("system:krypton:kms-reporter:" + NODE, "krypton:kms-reporters").identity();
    write(files.resolve("ca.crt"), plane.caPem());
    write(files.resolve("client.crt"), access.certificatePem());
    write(files.resolve("client.key"), access.keyPem());
    write(
        files.resolve("kubeconfig"),
        example("kubeconfig.yaml").replace("localhost:6443", "localhost:" + plane.url().getPort()));
    return files;
  }

  private static void write(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  /** The example is for node master-0, which another test plays. */
  private static String example(String file) throws IOException {
    return Files.readString(Manifests.EXAMPLES.resolve(file)).replace("master-0", NODE);
  }
}
