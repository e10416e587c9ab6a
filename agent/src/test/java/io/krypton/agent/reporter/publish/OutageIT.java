// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.publish;

import static io.krypton.agent.reporter.publish.Samples.FAILING_PLUGIN;
import static io.krypton.agent.reporter.publish.Samples.HEALTHY_PLUGIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.agent.lab.LogLines;
import io.krypton.agent.lab.TargetObject;
import io.krypton.agent.reporter.publish.PublishStatus.WriteKind;
import io.krypton.base.kmsreport.ReportTarget;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.fault.Fault;
import io.krypton.sandbox.fault.FaultProxy;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An API server that is away, ill, or busy: what a publisher does meanwhile and afterwards. */
@ExtendWith(ControlPlaneExtension.class)
class OutageIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir Path directory;
  private final ControlPlane plane;
  private final TargetObject target;
  private final FaultProxy proxy;
  private final String node = "node-" + UUID.randomUUID().toString().substring(0, 8);

  OutageIT(@Cluster("agent") ControlPlane plane) {
    this.plane = plane;
    this.target = TargetObject.install(plane, ReportTarget.KMSHEALTH);
    this.proxy = plane.proxy();
  }

  @AfterEach
  void remove() {
    proxy.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"refused", "503", "500", "409", "black hole"})
  void the_newest_state_alone_arrives_after_the_return(String fault) {
    inject(fault);
    try (var lab = lab("write-timeout", "2s")) {
      lab.sees(HEALTHY_PLUGIN);
      await().atMost(SOON).until(() -> failures(lab) >= 2);
      lab.sees(FAILING_PLUGIN);
      var before = target.resourceVersion();
      proxy.pass();

      await().atMost(SOON).until(() -> status().equals("Unknown"));
      assertThat(before).isNotEqualTo(target.resourceVersion());
      // The API server knows of the write before its answer has come back.
      await()
          .atMost(SOON)
          .untilAsserted(
              () -> {
                assertThat(lab.writes(WriteKind.REPORT, "written")).isEqualTo(1);
                assertThat(lab.journal().lastError()).isEmpty();
              });
    }
  }

  @Test
  void a_server_that_goes_silent_is_left_for_a_new_connection() {
    try (var lab = lab("write-timeout", "1s")) {
      lab.sees(HEALTHY_PLUGIN);
      await().atMost(SOON).until(() -> status().equals("True"));
      proxy.injectKeepingConnections(new Fault.BlackHole());
      lab.sees(FAILING_PLUGIN);
      await().atMost(SOON).until(() -> lab.writes(WriteKind.REPORT, "unreachable") >= 1);
      // The old connection stays dead for ever; only new ones work.
      proxy.injectKeepingConnections(new Fault.Pass());

      await().atMost(SOON).until(() -> status().equals("Unknown"));
    }
  }

  @ParameterizedTest
  @CsvSource({"429, throttled", "503, server-error"})
  void retry_after_is_honoured(int code, String word) {
    // Longer than what the first failure alone would make it wait.
    var told = Duration.ofSeconds(4);
    proxy.inject(Fault.answer(code).retryAfter(told));
    var before = System.nanoTime();
    try (var lab = lab()) {
      lab.sees(HEALTHY_PLUGIN);
      await().atMost(SOON).until(() -> lab.writes(WriteKind.REPORT, word) >= 2);

      assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(told);
      proxy.pass();
      await().atMost(SOON).until(() -> status().equals("True"));
    }
  }

  @Test
  void one_line_is_logged_per_change_of_the_error() {
    try (var log = LogLines.of("io.krypton.agent.reporter.publish.WriteResultLog");
        var lab = lab()) {
      proxy.refuse();
      lab.sees(HEALTHY_PLUGIN);
      await().atMost(SOON).until(() -> lab.writes(WriteKind.REPORT, "unreachable") >= 3);
      proxy.answer(500);
      await().atMost(SOON).until(() -> lab.writes(WriteKind.REPORT, "server-error") >= 2);
      proxy.pass();
      await().atMost(SOON).until(() -> status().equals("True"));

      assertThat(log.texts()).hasSize(3);
      assertThat(log.texts().get(0)).contains("unreachable: connection refused");
      assertThat(log.texts().get(1)).contains("server-error: 500");
      assertThat(log.texts().get(2)).contains("API server takes it");
    }
  }

  @Test
  void a_stop_during_an_outage_does_not_wait_for_the_write_under_way() {
    var lab = lab("write-timeout", "5m");
    lab.sees(HEALTHY_PLUGIN);
    lab.ticks();
    await().atMost(SOON).until(() -> lab.writes(WriteKind.LEASE, "written") == 1);
    proxy.blackHole();
    lab.sees(FAILING_PLUGIN);
    await().atMost(SOON).until(() -> proxy.openConnections() > 0);
    var start = System.nanoTime();

    lab.close();

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
  }

  private void inject(String fault) {
    switch (fault) {
      case "refused" -> proxy.refuse();
      case "black hole" -> proxy.blackHole();
      default -> proxy.answer(Integer.parseInt(fault));
    }
  }

  private static long failures(PublisherLab lab) {
    return lab.journal().counts().values().stream().mapToLong(Long::longValue).sum();
  }

  private String status() {
    return target.condition(node).path("status").asText();
  }

  private PublisherLab lab(String... flags) {
    return PublisherLab.start(directory, plane.adminKubeconfig(proxy), target, node, flags);
  }
}
