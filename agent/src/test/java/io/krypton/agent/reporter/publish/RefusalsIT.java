// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.publish;

import static io.krypton.agent.reporter.publish.Samples.HEALTHY_PLUGIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.agent.lab.LogLines;
import io.krypton.agent.lab.TargetObject;
import io.krypton.agent.reporter.publish.PublishStatus.WriteKind;
import io.krypton.base.kmsreport.ReportTarget;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.fault.FaultProxy;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every answer that refuses a report, one row each: it is told, survived and got over. */
@ExtendWith(ControlPlaneExtension.class)
class RefusalsIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir Path directory;
  private final ControlPlane plane;
  private final TargetObject target;
  private final FaultProxy proxy;
  private final String node = "node-" + UUID.randomUUID().toString().substring(0, 8);

  RefusalsIT(@Cluster("agent") ControlPlane plane) {
    this.plane = plane;
    this.target = TargetObject.install(plane, ReportTarget.KMSHEALTH);
    this.proxy = plane.proxy();
  }

  @AfterEach
  void remove() {
    proxy.close();
  }

  @ParameterizedTest
  @CsvSource({
    "401, unauthorized",
    "403, forbidden",
    "404, not-found",
    "409, conflict",
    "422, invalid",
    "429, throttled",
  })
  void is_told_once_keeps_the_lease_back_and_is_followed_by_the_report(int code, String word) {
    proxy.answer(code);
    try (var log = LogLines.of("io.krypton.agent.reporter.publish.WriteResultLog");
        var lab = PublisherLab.start(directory, plane.adminKubeconfig(proxy), target, node)) {
      lab.sees(HEALTHY_PLUGIN);
      lab.ticks();
      await().atMost(SOON).until(() -> lab.writes(WriteKind.REPORT, word) >= 3);

      assertThat(lab.journal().lastError()).get().asString().contains(word + ": " + code);
      assertThat(log.texts()).singleElement().asString().contains(word + ": " + code);
      assertThat(lab.journal().counts().keySet())
          .as("nothing is published that a heartbeat could vouch for")
          .noneMatch(write -> write.kind() == WriteKind.LEASE);
      proxy.pass();

      await().atMost(SOON).until(() -> !target.condition(node).isMissingNode());
      await().atMost(SOON).until(() -> lab.writes(WriteKind.LEASE, "written") == 1);
      assertThat(lab.writes(WriteKind.REPORT, "written")).isEqualTo(1);
      assertThat(lab.journal().lastError()).isEmpty();
      assertThat(log.texts()).filteredOn(line -> line.contains(word)).hasSize(1);
    }
  }
}
