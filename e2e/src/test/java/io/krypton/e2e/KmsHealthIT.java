// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes with real plugins and real reporters, and an operator that sums up what they say. */
@ExtendWith(ControlPlaneExtension.class)
@Order(5)
class KmsHealthIT {
  private static final String PLUGINS = "KMSPluginsDegraded";
  private static final String KEYS = "KMSKeysConverged";
  private static final String WELL = "False/AsExpected";

  /** For longer than this test lasts: how agreement becomes True is shown with a clock to turn. */
  private static final String AGREED = "False/Stabilizing";

  private static final Path CRD =
      Shell.ROOT.resolve("charts/krypton-operator/files/crds/kmshealths.mesh.openkcm.io.yaml");

  @TempDir Path directory;

  @Test
  void the_sum_says_the_right_thing_whatever_happens_to_the_nodes(
      @Cluster("home") ControlPlane home, @Cluster("kms") ControlPlane edge) throws Exception {
    Fleet.namespace(home, "kms");
    Fleet.register(home, "kms", "kms-edge", edge.adminKubeconfig());
    Leases.namespace(edge);
    var kms = KmsObject.kmsHealth(edge);
    try (var operator =
        Operators.start(
            directory,
            home,
            "kms",
            "echo",
            "--leader-elect=false",
            "--kms-discovery-interval=1s",
            "--kms-report-grace=10s",
            "--kms-recovery-hold=2s",
            "--kms-orphan-after=5s")) {
      eventually(
          "engaged, with nothing to look at",
          () ->
              assertThat(operator.metrics("/status").body())
                  .contains("\"state\":\"Engaged\"", "\"kms\":{")
                  .doesNotContain("\"kmshealth\":{"));
      KmsObject.define(edge, CRD);
      eventually("the definition is noticed", () -> assertThat(kms.version()).isNotEmpty());
      kms.merge(
          """
          {"spec":{"degradedInertia":"1s","writeKeyID":"2",
           "expectedNodes":{"names":["m-0","m-1","m-2"]}}}
          """);
      try (var first = ReporterNode.start(directory, edge, "m-0", null);
          var second = ReporterNode.start(directory, edge, "m-1", first);
          var third = ReporterNode.start(directory, edge, "m-2", first)) {
        allIsWell(kms, operator);
        quietNodesCostNoWrite(kms, edge);
        pluginsFailAndRecover(kms, operator, first, second);
        oneNodeLagsBehindARotation(kms, first, second, third);
        agreementKeepsItsTime(kms, edge);
        aFrozenReporterIsStale(kms, third);
        aClockMayBeWrong(kms, operator);
        gibberishHarmsItsNodeOnly(kms);
        aNodeThatLeavesIsForgotten(kms, third);
        kmsIsSwitchedOff(kms, operator, first, second);
      }
      eventually(
          "told",
          () ->
              assertThat(kms.events())
                  .contains(
                      "KMSPluginsDegraded",
                      "KMSPluginsRecovered",
                      "KMSKeysDiverged",
                      "ClockSkew",
                      "OrphanRemoved"));
      assertThat(operator.terminate().took()).isLessThan(Operator.ENDS_WITHIN);
    }
  }

  private static void allIsWell(KmsObject kms, Operator operator) {
    eventually(
        "three healthy nodes",
        () -> {
          assertThat(kms.read().at("/status/nodesHealthy").asText()).isEqualTo("3/3");
          assertThat(kms.says(PLUGINS)).as(operator.log()).isEqualTo(WELL);
          assertThat(kms.says("Degraded")).isEqualTo(WELL);
          assertThat(kms.says(KEYS)).isEqualTo(AGREED);
          assertThat(kms.read().at("/status/convergence/summary").asText())
              .isEqualTo(
                  "Stabilizing since " + kms.read().at("/status/convergence/convergedAt").asText());
        });
    eventually(
        "the fleet view shows it",
        () -> {
          assertThat(operator.metrics("/status").body())
              .contains("\"nodesHealthy\":\"3/3\"", "\"writeKeyFailing\":false")
              .contains("\"keysConverged\":{\"status\":\"False\",\"reason\":\"Stabilizing\"");
          assertThat(operator.metrics("/metrics").body())
              .containsPattern("krypton_kms_nodes\\{cluster=\"kms-edge\",state=\"healthy\",.*} 3")
              .containsPattern("krypton_kms_keys_converged\\{cluster=\"kms-edge\",.*} 0");
        });
  }

  private static void quietNodesCostNoWrite(KmsObject kms, ControlPlane edge) {
    var version = kms.version();
    var mark = edge.audit().mark();
    eventually(
        "each node has renewed its Lease a few times",
        () ->
            assertThat(edge.audit().since(mark).records())
                .filteredOn(it -> it.verb().equals("patch") && it.resource().equals("leases"))
                .hasSizeGreaterThan(12));
    assertThat(kms.version()).isEqualTo(version);
    assertThat(edge.audit().since(mark).records())
        .noneMatch(it -> it.verb().equals("patch") && it.resource().equals("kmshealths"));
  }

  private static void pluginsFailAndRecover(
      KmsObject kms, Operator operator, ReporterNode first, ReporterNode second) throws Exception {
    second.breakReadKey();
    eventually("seen", () -> assertThat(kms.says(PLUGINS)).isEqualTo("True/PluginError"));
    assertThat(kms.message(PLUGINS)).startsWith("node m-1 keyID 1 (read): error: Socket");
    var since = kms.condition(PLUGINS).path("lastTransitionTime").asText();
    first.breakWriteKey();
    eventually(
        "the key that encrypts is told apart",
        () -> {
          assertThat(kms.message(PLUGINS))
              .startsWith("node m-0 keyID 2 (write): error: Socket")
              .contains("\nnode m-1 keyID 1 (read): error: Socket");
          assertThat(operator.metrics("/status").body()).contains("\"writeKeyFailing\":true");
          assertThat(kms.says("Degraded")).isEqualTo("True/KMSPlugins_PluginError");
          assertThat(kms.says(KEYS)).isEqualTo("Unknown/PluginNotHealthy");
        });
    assertThat(kms.read().at("/status/nodesHealthy").asText()).isEqualTo("1/3");
    assertThat(kms.condition(PLUGINS).path("lastTransitionTime").asText()).isEqualTo(since);
    first.heal();
    second.heal();
    eventually(
        "recovered",
        () -> {
          assertThat(kms.says(PLUGINS)).isEqualTo(WELL);
          assertThat(kms.says("Degraded")).isEqualTo(WELL);
          assertThat(kms.says(KEYS)).isEqualTo(AGREED);
        });
  }

  private static void oneNodeLagsBehindARotation(
      KmsObject kms, ReporterNode first, ReporterNode second, ReporterNode third) throws Exception {
    var before = kms.read().at("/status/convergence/remoteKeyHash").asText();
    first.rotate();
    second.follow(first);
    eventually(
        "the lagging node is named",
        () -> {
          assertThat(kms.says(KEYS)).isEqualTo("False/Diverged");
          assertThat(kms.message(KEYS)).contains(" on m-0, m-1", " on m-2");
        });
    third.follow(first);
    eventually("agreed", () -> assertThat(kms.says(KEYS)).isEqualTo(AGREED));
    var convergence = kms.read().at("/status/convergence");
    assertThat(convergence.path("remoteKeyHash").asText()).isNotEqualTo(before);
    assertThat(kms.message(KEYS)).contains(convergence.path("remoteKeyHash").asText());
    assertThat(Instant.parse(convergence.path("convergedAt").asText()))
        .isBeforeOrEqualTo(Instant.now());
    assertThat(kms.says(PLUGINS)).isEqualTo(WELL);
  }

  private static void agreementKeepsItsTime(KmsObject kms, ControlPlane edge) {
    var agreed = kms.read().at("/status/convergence");
    var since = kms.condition(KEYS).path("lastTransitionTime").asText();
    quietNodesCostNoWrite(kms, edge);
    assertThat(kms.says(KEYS)).isEqualTo(AGREED);
    assertThat(kms.condition(KEYS).path("lastTransitionTime").asText()).isEqualTo(since);
    assertThat(kms.read().at("/status/convergence")).isEqualTo(agreed);
  }

  private static void aFrozenReporterIsStale(KmsObject kms, ReporterNode frozen) throws Exception {
    frozen.freeze();
    eventually(
        "silence is seen",
        () -> {
          assertThat(kms.says(PLUGINS)).isEqualTo("Unknown/ReporterStale");
          assertThat(kms.message(PLUGINS)).isEqualTo("node m-2: reporter stale");
          assertThat(kms.says(KEYS)).isEqualTo("Unknown/StaleReport");
        });
    frozen.thaw();
    eventually("heard again", () -> assertThat(kms.says(PLUGINS)).isEqualTo(WELL));
  }

  /** A fourth node, whose reporter this test plays: the clock of a process cannot be turned. */
  private static void aClockMayBeWrong(KmsObject kms, Operator operator) {
    kms.merge("{\"spec\":{\"expectedNodes\":{\"names\":[\"m-0\",\"m-1\",\"m-2\",\"m-3\"]}}}");
    for (var offset : new int[] {-600, 600}) {
      eventually(
          "a node with a wrong clock is healthy",
          () -> {
            report(kms, "keyID=2 status=healthy lastChecked=%s", offset);
            report(
                kms,
                "keyID=1 status=healthy lastChecked=%1$s\nkeyID=2 status=healthy"
                    + " lastChecked=%1$s",
                offset);
            assertThat(kms.read().at("/status/nodesHealthy").asText()).isEqualTo("4/4");
            assertThat(kms.says(PLUGINS)).as(operator.log()).isEqualTo(WELL);
          });
    }
    eventually("told", () -> assertThat(kms.events()).contains("ClockSkew"));
  }

  private static void report(KmsObject kms, String lines, long offset) {
    var now = Instant.now().plusSeconds(offset).truncatedTo(ChronoUnit.SECONDS);
    reportAsIs(kms, lines.formatted(now));
  }

  private static void reportAsIs(KmsObject kms, String message) {
    var escaped = message.codePoints().mapToObj("\\u%04x"::formatted).collect(Collectors.joining());
    kms.applyStatus(
            "kms-health-reporter-m-3",
            """
            {"conditions":[{"type":"KMSHealthReporter_m-3","status":"True","reason":"AsExpected",
             "lastTransitionTime":"2026-01-01T00:00:00Z","message":"%s"}]}
            """
                .formatted(escaped))
        .orThrow();
  }

  private static void gibberishHarmsItsNodeOnly(KmsObject kms) {
    Stream.of(
            "no report at all",
            "[{\"keyID\":\"2\",",
            "status=healthy\nkeyID=2 status=healthy\u0000\u001b[31m",
            "x".repeat(32_000))
        .forEach(
            hostile -> {
              reportAsIs(kms, hostile);
              eventually(
                  "harms itself",
                  () -> {
                    assertThat(kms.says(PLUGINS)).isEqualTo("Unknown/MalformedReport");
                    assertThat(kms.message(PLUGINS)).isEqualTo("node m-3: report cannot be parsed");
                    assertThat(kms.read().at("/status/nodesHealthy").asText()).isEqualTo("3/4");
                  });
            });
    reportAsIs(
        kms,
        "keyID=2 status=unhealthy lastChecked=2026-01-01T00:00:00Z cause=NotOk"
            + " detail=a\rkeyID=1 status=healthy\u2028node m-0 keyID 2 (write): error");
    eventually(
        "forged lines stay in their detail",
        () ->
            assertThat(kms.message(PLUGINS).lines())
                .contains(
                    "node m-3 keyID 2 (write): unhealthy: NotOk: a keyID=1 status=healthy"
                        + " node m-0 keyID 2 (write): error")
                .allMatch(line -> line.startsWith("node m-3")));
  }

  private static void aNodeThatLeavesIsForgotten(KmsObject kms, ReporterNode leaving)
      throws Exception {
    leaving.killReporter();
    kms.merge("{\"spec\":{\"expectedNodes\":{\"names\":[\"m-0\",\"m-1\"]}}}");
    eventually(
        "nothing of the old nodes is left",
        () -> {
          assertThat(kms.says(PLUGINS)).isEqualTo(WELL);
          assertThat(kms.read().at("/status/nodesHealthy").asText()).isEqualTo("2/2");
          assertThat(kms.condition("KMSHealthReporter_m-2").isMissingNode()).isTrue();
          assertThat(kms.condition("KMSHealthReporter_m-3").isMissingNode()).isTrue();
          assertThat(kms.leases("kmshealth"))
              .containsExactlyInAnyOrder("kms-kmshealth-m-0", "kms-kmshealth-m-1");
        });
  }

  private static void kmsIsSwitchedOff(
      KmsObject kms, Operator operator, ReporterNode first, ReporterNode second) throws Exception {
    kms.merge("{\"spec\":{\"enabled\":false}}");
    eventually(
        "withdrawn at once",
        () -> {
          assertThat(kms.says(PLUGINS)).isEqualTo("/");
          assertThat(kms.says(KEYS)).isEqualTo("/");
          assertThat(kms.says("Degraded")).isEqualTo("/");
        });
    first.killReporter();
    second.killReporter();
    eventually(
        "what nobody renews is removed, to the last entry",
        () -> {
          var status = kms.read().path("status");
          assertThat(status.path("nodes")).as(operator.log()).isEmpty();
          assertThat(status.path("conditions")).as(operator.log()).isEmpty();
          assertThat(kms.leases("kmshealth")).isEmpty();
        });
  }
}
