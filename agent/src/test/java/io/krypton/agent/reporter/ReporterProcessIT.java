// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.agent.AgentMain;
import io.krypton.agent.lab.ChildJvm;
import io.krypton.agent.lab.LocalPage;
import io.krypton.agent.lab.Plugins;
import io.krypton.agent.lab.TargetObject;
import io.krypton.base.kmsreport.ReportTarget;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.fault.FaultProxy;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.plugin.PluginFault;
import io.krypton.sandbox.process.ReservedPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The agent as a process of its own, with the flags of its image. */
@ExtendWith(ControlPlaneExtension.class)
class ReporterProcessIT {
  private static final Duration SOON = Duration.ofMinutes(2);

  @TempDir Path directory;
  private final ControlPlane plane;
  private final TargetObject target;
  private final FaultProxy proxy;
  private final String node = "node-" + UUID.randomUUID().toString().substring(0, 8);
  private final List<AutoCloseable> running = new ArrayList<>();

  ReporterProcessIT(@Cluster("agent") ControlPlane plane) {
    this.plane = plane;
    this.target = TargetObject.install(plane, ReportTarget.KMSHEALTH);
    this.proxy = plane.proxy();
  }

  @AfterEach
  void stop() throws Exception {
    for (var each : running.reversed()) {
      each.close();
    }
    proxy.close();
  }

  @Test
  void an_absent_api_server_delays_no_probe_and_gets_the_newest_state_after_its_return()
      throws IOException {
    proxy.refuse();
    var plugin = plugins().start(1);
    var port = ReservedPort.any();
    running.add(port);
    var mark = plane.audit().mark();
    var reporter = reporter("--interval=1s", "--listen=127.0.0.1:" + port.number());

    // Nothing but the plugin has answered yet.
    await().atMost(SOON).until(() -> page(port, "/healthz").contains("keyID 1 healthy"));
    assertThat(page(port, "/healthz")).contains("last publish: never");

    plugin.use(new PluginFault.Unhealthy("first"));
    await().atMost(SOON).until(() -> page(port, "/healthz").contains("keyID 1 unhealthy"));
    plugin.use(new PluginFault.None());
    await().atMost(SOON).until(() -> page(port, "/healthz").contains("healthy (was unhealthy)"));
    plugin.use(new PluginFault.Unhealthy("last"));
    await().atMost(SOON).until(() -> page(port, "/healthz").contains("detail=last"));
    await().atMost(SOON).until(() -> page(port, "/healthz").contains("connection refused"));
    assertThat(page(port, "/livez")).isEqualTo("ok\n");
    assertThat(page(port, "/healthz")).contains("last publish: never");
    assertThat(page(port, "/metrics")).contains("krypton_reporter_api_connected 0");

    proxy.pass();

    await().atMost(SOON).until(() -> status().equals("False"));
    assertThat(target.condition(node).path("message").asText()).contains("detail=last");
    assertThat(reporter.isAlive()).isTrue();
    var writes =
        plane
            .audit()
            .since(mark)
            .only(request -> request.uri().contains("fieldManager=kms-health-reporter-" + node))
            .on("kmshealths");
    assertThat(writes.size()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"TERM, 143", "INT, 130"})
  void a_signal_releases_the_lease_and_ends_the_process(String signal, int code)
      throws IOException {
    plugins().start(1);
    var reporter = reporter("--listen=0");
    await().atMost(SOON).until(() -> !target.lease(node).isMissingNode());

    reporter.signal(signal);

    assertThat(reporter.exitWithin(SOON)).isEqualTo(code);
    assertThat(target.lease(node).at("/spec/holderIdentity").asText("absent")).isEmpty();
    assertThat(status()).isEqualTo("True");
  }

  @Test
  void bad_settings_end_it_with_2_and_nothing_else_is_said() throws IOException {
    var reporter = start("--node-name=n", "--kms-sockets=nonsense");

    assertThat(reporter.exitWithin(SOON)).isEqualTo(2);
    assertThat(reporter.output().lines()).hasSize(1);
  }

  private Plugins plugins() {
    var plugins = new Plugins(directory);
    running.add(plugins);
    return plugins;
  }

  private ChildJvm reporter(String... more) throws IOException {
    var kubeconfig = directory.resolve("kubeconfig");
    Files.writeString(kubeconfig, plane.adminKubeconfig(proxy));
    var all = new ArrayList<>(List.of(more));
    all.add("--kms-sockets=1=unix://" + directory.resolve("1.sock"));
    all.add("--node-name=" + node);
    all.add("--kubeconfig=" + kubeconfig);
    return start(all.toArray(String[]::new));
  }

  private ChildJvm start(String... arguments) {
    var all = new ArrayList<>(List.of("reporter"));
    all.addAll(List.of(arguments));
    var reporter = ChildJvm.start(directory, AgentMain.class, all.toArray(String[]::new));
    running.add(reporter);
    return reporter;
  }

  private String status() {
    return target.condition(node).path("status").asText();
  }

  private static String page(ReservedPort port, String path) {
    return new LocalPage(port.number()).get(path);
  }
}
