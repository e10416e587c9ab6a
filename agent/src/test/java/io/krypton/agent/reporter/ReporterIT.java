// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.krypton.agent.lab.LocalPage;
import io.krypton.agent.lab.LogLines;
import io.krypton.agent.lab.Plugins;
import io.krypton.agent.lab.TargetObject;
import io.krypton.agent.reporter.publish.Samples;
import io.krypton.base.kmsreport.KeyHash;
import io.krypton.base.kmsreport.ReportTarget;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.audit.ApiAudit;
import io.krypton.sandbox.audit.AuditTrail;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.plugin.KeyFile;
import io.krypton.sandbox.plugin.PluginFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** From real plugins to a real API server. */
@ExtendWith(ControlPlaneExtension.class)
class ReporterIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  /** So long that only a lost connection and a socket that comes can have told the news. */
  private static final String NEVER = "15m";

  @TempDir Path directory;

  private final ControlPlane plane;
  private final TargetObject target;
  private final String node = "node-" + UUID.randomUUID().toString().substring(0, 8);
  private final List<AutoCloseable> running = new ArrayList<>();

  ReporterIT(@Cluster("agent") ControlPlane plane) {
    this.plane = plane;
    this.target = TargetObject.install(plane, ReportTarget.KMSHEALTH);
  }

  @BeforeEach
  void writeKubeconfig() throws IOException {
    Files.writeString(directory.resolve("kubeconfig"), plane.adminKubeconfig());
  }

  @AfterEach
  void stop() throws Exception {
    for (var each : running.reversed()) {
      each.close();
    }
  }

  @Test
  void a_killed_plugin_is_told_at_once_and_its_return_too() {
    var plugins = plugins();
    var victim = plugins.startProcess(2);
    plugins.start(1);
    reporter("kms-sockets", plugins.sockets(1, 2), "interval", NEVER, "deep-interval", NEVER);
    await().atMost(SOON).until(() -> status().equals("True"));

    victim.kill();

    await().atMost(SOON).until(() -> status().equals("Unknown"));
    assertThat(condition().path("reason").asText()).isEqualTo("Unreachable");
    assertThat(condition().path("message").asText().lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("keyID=2 status=unreachable").contains(" cause="),
            line -> assertThat(line).startsWith("keyID=1 status=healthy"));

    plugins.start(2);

    await().atMost(SOON).until(() -> status().equals("True"));
  }

  @Test
  void while_nothing_changes_only_the_lease_is_written() {
    var plugins = plugins();
    plugins.start(1);
    reporter("kms-sockets", plugins.sockets(1), "interval", "500ms", "deep-interval", "1s");
    await().atMost(SOON).until(() -> !target.lease(node).isMissingNode());
    var mark = plane.audit().mark();
    var start = System.nanoTime();

    await().atMost(SOON).until(() -> ours(mark).on("leases").size() >= 6);

    var mine = ours(mark);
    var ticks = Duration.ofNanos(System.nanoTime() - start).toMillis() / 500;
    assertThat(mine.on("kmshealths").withVerb("patch").size()).isZero();
    assertThat(mine.on("leases").size()).isBetween(6, (int) ticks + 2);
    assertThat(mine.size())
        .as("and the report is looked at before each renewal")
        .isEqualTo(mine.on("leases").size() + mine.on("kmshealths").withVerb("get").size());
  }

  @Test
  void one_of_three_plugins_hangs_and_the_others_stay_fresh() throws IOException {
    var plugins = plugins();
    plugins.start(1);
    plugins.start(3);
    var hanging = plugins.start(2);
    reporter(
        "kms-sockets",
        plugins.sockets(1, 2, 3),
        "interval",
        "3s",
        "read-timeout",
        "2s",
        "heartbeat",
        "condition");
    await().atMost(SOON).until(() -> status().equals("True"));

    hanging.use(new PluginFault.Hang());

    await().atMost(SOON).until(() -> status().equals("Unknown"));
    assertThat(condition().path("message").asText())
        .contains("keyID=2 status=unreachable")
        .contains(" cause=Timeout ")
        .contains("keyID=1 status=healthy", "keyID=3 status=healthy");
    for (var healthy : List.of("keyID=1 ", "keyID=3 ")) {
      var before = lastChecked(healthy);
      await().atMost(SOON).until(() -> !lastChecked(healthy).equals(before));
    }
  }

  @Test
  void what_a_plugin_says_is_told_without_its_secrets() throws IOException {
    var plugins = plugins();
    var plugin = plugins.start(1);
    try (var log = LogLines.of("io.krypton")) {
      reporter("kms-sockets", plugins.sockets(1), "interval", "500ms");
      await().atMost(SOON).until(() -> status().equals("True"));

      plugin.use(new PluginFault.Unhealthy("vault said: token=hvs.CAESsecret, permission denied"));

      await().atMost(SOON).until(() -> status().equals("False"));
      assertThat(condition().path("reason").asText()).isEqualTo("Unhealthy");
      assertThat(condition().path("message").asText())
          .contains(" cause=NotOk ")
          .contains("detail=vault said: ***")
          .doesNotContain("CAESsecret");
      assertThat(log.texts()).noneMatch(line -> line.contains("CAESsecret"));
    }
  }

  @Test
  void an_error_that_a_plugin_answers_with_is_told_as_unhealthy() throws IOException {
    var plugins = plugins();
    var plugin = plugins.start(1);
    reporter("kms-sockets", plugins.sockets(1), "interval", "500ms");
    await().atMost(SOON).until(() -> status().equals("True"));

    plugin.use(PluginFault.parse("error=UNKNOWN:vault is sealed").orElseThrow());

    await().atMost(SOON).until(() -> status().equals("False"));
    assertThat(message())
        .startsWith("keyID=1 status=unhealthy ")
        .contains(" cause=RpcError:UNKNOWN ")
        .endsWith(" detail=vault is sealed");
  }

  @Test
  void a_destroyed_old_key_leaves_its_plugin_healthy_and_is_named() throws IOException {
    var plugins = plugins();
    plugins.start(1);
    var keys = new KeyFile(directory.resolve("1.keys"));
    var old = keys.currentId();
    var reporter =
        reporter(
            "kms-sockets",
            plugins.sockets(1),
            "interval",
            "500ms",
            "deep-interval",
            "500ms",
            "listen",
            "127.0.0.1:0");
    await().atMost(SOON).until(() -> reporter.localAddress().isPresent());
    var pages = new LocalPage(reporter.localAddress().orElseThrow().getPort());
    await("its sample is kept")
        .atMost(SOON)
        .until(() -> pages.get("/metrics").contains("operation=\"decrypt\",result=\"OK\""));

    var current = keys.rotate();
    keys.retire(old);

    var hash = KeyHash.label(old).substring("sha256:".length());
    await().atMost(SOON).until(() -> message().contains(" oldKeys=unreadable:" + hash));
    assertThat(status()).isEqualTo("True");
    assertThat(message())
        .contains("status=healthy", " remoteKeyID=" + KeyHash.label(current))
        .contains(" detail=cannot decrypt data of older key sha256:")
        .doesNotContain(" cause=", old);
  }

  @Test
  void roles_follow_the_encryption_configuration() throws IOException {
    var plugins = plugins();
    plugins.start(2);
    plugins.start(3);
    var file = directory.resolve("enc.yaml");
    Files.writeString(file, configuration(plugins, 2, 3));
    reporter(
        "kms-sockets",
        plugins.sockets(2, 3),
        "interval",
        "500ms",
        "encryption-provider-config",
        file.toString());
    await().atMost(SOON).until(() -> status().equals("True"));
    assertThat(message().lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("keyID=3 ").contains(" role=read "),
            line -> assertThat(line).startsWith("keyID=2 ").contains(" role=write "))
        .allMatch(line -> line.endsWith(" lease=krypton-system/kms-kmshealth-" + node));

    var next = Files.writeString(directory.resolve("next.yaml"), configuration(plugins, 3, 2));
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);

    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(message().lines())
                    .satisfiesExactly(
                        line -> assertThat(line).startsWith("keyID=3 ").contains(" role=write "),
                        line -> assertThat(line).startsWith("keyID=2 ").contains(" role=read ")));

    Files.delete(file);

    await().atMost(SOON).until(() -> !message().contains(" role="));
    assertThat(status()).isEqualTo("True");
  }

  private static String configuration(Plugins plugins, int writer, int reader) {
    return """
        apiVersion: apiserver.config.k8s.io/v1
        kind: EncryptionConfiguration
        resources:
        - resources: [secrets]
          providers:
          - kms: {apiVersion: v2, name: writer, endpoint: "unix://%s"}
          - kms: {apiVersion: v2, name: reader, endpoint: "unix://%s"}
        """
        .formatted(plugins.socket(writer), plugins.socket(reader));
  }

  @Test
  void a_stopped_reporter_leaves_no_thread() {
    var plugins = plugins();
    plugins.start(1);
    var reporter = reporter("kms-sockets", plugins.sockets(1), "listen", "127.0.0.1:0");
    await().atMost(SOON).until(() -> status().equals("True"));
    await().atMost(SOON).until(() -> reporter.localAddress().isPresent());

    reporter.close();

    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .doesNotContain("publisher", "local-server", "HTTP-Dispatcher"));
  }

  private AuditTrail ours(ApiAudit.Mark mark) {
    return plane.audit().since(mark).only(request -> request.userAgent().equals("krypton-agent"));
  }

  private ReporterProcess reporter(String... flags) {
    var all = new ArrayList<>(List.of(flags));
    all.addAll(
        List.of("node-name", node, "kubeconfig", directory.resolve("kubeconfig").toString()));
    if (!all.contains("listen")) {
      all.addAll(List.of("listen", "0"));
    }
    var reporter = new ReporterProcess(Samples.settings(all.toArray(String[]::new)), Map.of());
    running.add(reporter);
    reporter.start();
    return reporter;
  }

  private Plugins plugins() {
    var plugins = new Plugins(directory);
    running.add(plugins);
    return plugins;
  }

  private JsonNode condition() {
    return target.condition(node);
  }

  private String message() {
    return condition().path("message").asText();
  }

  private String status() {
    return condition().path("status").asText();
  }

  private String lastChecked(String prefix) {
    return condition()
        .path("message")
        .asText()
        .lines()
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.replaceFirst(".*lastChecked=(\\S+).*", "$1"))
        .findFirst()
        .orElse("");
  }
}
