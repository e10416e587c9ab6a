// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.agent.AgentMain;
import io.krypton.agent.lab.ChildJvm;
import io.krypton.agent.lab.LocalPage;
import io.krypton.agent.lab.Manifests;
import io.krypton.agent.lab.Plugins;
import io.krypton.agent.lab.TargetObject;
import io.krypton.base.kmsreport.ReportTarget;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.access.KubeApi;
import io.krypton.sandbox.plugin.PluginFault;
import io.krypton.sandbox.plugin.PluginServer;
import io.krypton.sandbox.process.ReservedPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A reporter with the shipped rights that begins without an API server. How long that stays away is
 * {@code -Dkrypton.outage=PT5M}; without it, long enough for the longest pause between two tries.
 */
class LongOutageIT {
  private static final Duration OUTAGE =
      Duration.parse(System.getProperty("krypton.outage", "PT15S"));
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final String NODE = "master-0";
  private static final String USER = "system:krypton:kms-reporter:" + NODE;
  private static final String GROUP = "krypton:kms-reporters";

  @TempDir Path directory;
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void stop() throws Exception {
    for (var each : open.reversed()) {
      each.close();
    }
  }

  @Test
  void is_survived_by_the_same_process_and_ends_with_one_report_of_the_newest_state()
      throws IOException {
    var plane = ControlPlane.builder("long-outage").withAudit().withoutControllerManager().start();
    open.add(plane);
    var target = TargetObject.install(plane, ReportTarget.KMSHEALTH);
    Manifests.apply(plane, Manifests.EXAMPLES.resolve("rbac.yaml"));
    var own = new KubeApi(plane.access(USER, GROUP));
    open.add(own);
    await().atMost(SOON).until(() -> own.get(ReportTarget.KMSHEALTH.statusPath()).ok());
    var mark = plane.audit().mark();
    plane.apiServer().kill();

    var plugins = new Plugins(directory);
    open.add(plugins);
    var plugin = plugins.start(1);
    var port = ReservedPort.any();
    open.add(port);
    var page = new LocalPage(port.number());
    var reporter = reporter(plane, plugins, port);
    liveThrough(plugin, page);
    assertThat(page.get("/healthz")).contains("last publish: never", "connection refused");

    var launched = Instant.now();
    plane.apiServer().launch();
    await().pollInterval(Duration.ofMillis(20)).atMost(SOON).until(() -> reads(own));
    var answers = System.nanoTime();
    await()
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> !target.condition(NODE).isMissingNode());
    System.out.printf(
        "report %d ms after the API server let the reporter in, which was away for %s%n",
        (System.nanoTime() - answers) / 1_000_000, OUTAGE);

    assertThat(target.condition(NODE).path("message").asText()).contains("detail=last");
    assertThat(reporter.isAlive()).isTrue();
    await().atMost(SOON).until(() -> !target.lease(NODE).isMissingNode());
    var written =
        plane
            .audit()
            .since(mark)
            .by(USER)
            .on("kmshealths")
            .withVerb("patch")
            .only(request -> request.code() == 200);
    // A plugin's answer that took too long on a busy machine is news of its own.
    var newsSince = transitionsAfter(launched, page.get("/healthz"));
    assertThat(written.size())
        .as(
            "nothing was kept for later but the newest%n%s%n%s",
            page.get("/healthz"), page.get("/metrics"))
        .isBetween(1, 1 + newsSince);
  }

  private static int transitionsAfter(Instant moment, String page) {
    return (int)
        page.lines()
            .filter(line -> line.matches("\\S+Z keyID .*"))
            .map(line -> Instant.parse(line.substring(0, line.indexOf(' '))))
            .filter(moment::isBefore)
            .count();
  }

  private ChildJvm reporter(ControlPlane plane, Plugins plugins, ReservedPort port)
      throws IOException {
    var kubeconfig = directory.resolve("kubeconfig");
    Files.writeString(kubeconfig, plane.kubeconfigFor(USER, GROUP));
    var reporter =
        ChildJvm.start(
            directory,
            AgentMain.class,
            "reporter",
            "--interval=1s",
            "--kms-sockets=" + plugins.sockets(1),
            "--node-name=" + NODE,
            "--kubeconfig=" + kubeconfig,
            "--listen=127.0.0.1:" + port.number());
    open.add(reporter);
    return reporter;
  }

  /** Many changes, of which only the last one shall arrive. */
  private static void liveThrough(PluginServer plugin, LocalPage page) throws IOException {
    var end = System.nanoTime() + OUTAGE.toNanos();
    await().atMost(SOON).until(() -> page.get("/healthz").contains("keyID 1 healthy"));
    do {
      plugin.use(new PluginFault.Unhealthy("ill"));
      await().atMost(SOON).until(() -> page.get("/healthz").contains("detail=ill"));
      plugin.use(new PluginFault.None());
      await().atMost(SOON).until(() -> page.get("/healthz").contains("keyID=1 status=healthy"));
      assertThat(page.get("/livez")).isEqualTo("ok\n");
    } while (System.nanoTime() < end);
    plugin.use(new PluginFault.Unhealthy("last"));
    await().atMost(SOON).until(() -> page.get("/healthz").contains("detail=last"));
  }

  private static boolean reads(KubeApi api) {
    try {
      return api.get(ReportTarget.KMSHEALTH.statusPath()).ok();
    } catch (UncheckedIOException e) {
      return false; // the port is still closed
    }
  }
}
