// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The chart comes from a repository that may be down or wrong, and is changed by a restart. */
@ExtendWith(ControlPlaneExtension.class)
@Order(16)
class ChartFlagsIT {
  private static final String CLUSTER = "chart-edge";
  private static final String USER = "charts";

  private final Path directory;
  private final ControlPlane home;
  private final Tenants tenants;
  private final ChartRepo repo;

  ChartFlagsIT(
      @TempDir Path directory,
      @Cluster("home") ControlPlane home,
      @Cluster("edge") ControlPlane edge)
      throws Exception {
    this.directory = directory;
    this.home = home;
    this.tenants = new Tenants(edge, "charts", CLUSTER);
    this.repo =
        new ChartRepo(Files.createDirectory(directory.resolve("repo")))
            .with("0.1.0", "0.2.0", "0.3.0")
            .withWrongDigest("0.3.0");
  }

  @AfterEach
  void closeRepo() {
    repo.close();
  }

  @Test
  void a_chart_that_cannot_be_had_is_told_and_another_one_upgrades_what_it_changes()
      throws Exception {
    Fleet.namespace(home, "charts");
    Fleet.namespace(tenants.plane(), "charts");
    Fleet.register(home, "charts", CLUSTER, tenants.plane().kubeconfigFor(USER, "system:masters"));
    aChartThatMayBeSkippedIsNoError();
    whatIsInstalledNeedsNoRepository();
    aTextThatIsNoVersionIsRefusedWithoutAskingAnybody();
    aVersionThatDoesNotExist();
    aChartThatIsNotWhatTheIndexPromised();
    centralValuesUpgradeOnlyWhomTheyConcern();
    anotherVersionUpgradesEachReleaseOnce();
  }

  private void aChartThatMayBeSkippedIsNoError() throws Exception {
    repo.down();
    try (var operator = start("0.1.0", "-allow-chart-skip=true")) {
      eventually("engaged", () -> assertThat(operator.hasEngaged(CLUSTER)).isTrue());
      tenants.create("chart-one", "{}");
      eventually(
          "told", () -> assertThat(tenants.error("chart-one")).isEqualTo("True/ChartNotLoaded"));
      assertThat(tenants.phase("chart-one")).isEqualTo("Pending");
      repo.up();
      eventually("by itself", () -> assertThat(tenants.phase("chart-one")).isEqualTo("Ready"));
      assertThat(tenants.error("chart-one")).isEqualTo("False/Resolved");
      eventually(
          "counted",
          () -> {
            assertThat(operator.metric("krypton_chart_loads_total", "result=\"failed\""))
                .isPositive();
            assertThat(operator.metric("krypton_chart_loads_total", "result=\"loaded\""))
                .isEqualTo(1);
          });
      tenants.create("chart-two", "{\"values\":{\"message\":\"mine\"}}");
      eventually("ready", () -> assertThat(tenants.phase("chart-two")).isEqualTo("Ready"));
      eventually(
          "counted",
          () ->
              assertThat(operator.metric("krypton_chart_loads_total", "result=\"hit\""))
                  .isPositive());
      Writes.awaitQuietRuns(operator, 4); // What the next operator finds is complete.
    }
  }

  private void whatIsInstalledNeedsNoRepository() throws Exception {
    repo.down();
    var requests = repo.requests().size();
    var mark = tenants.plane().audit().mark();
    try (var operator = start("0.1.0")) {
      eventually(
          "looked at",
          () ->
              assertThat(operator.metric("krypton_reconcile_total", "\"noop\""))
                  .isGreaterThanOrEqualTo(2));
      assertThat(repo.requests()).hasSize(requests);
      assertThat(Writes.since(tenants.plane(), mark, USER))
          .filteredOn(request -> !request.uri().contains("dryRun=All"))
          .as(operator.log())
          .isEmpty();
      assertThat(tenants.phase("chart-one")).isEqualTo("Ready");
      tenants.create("chart-late", "{}");
      eventually("told", () -> assertThat(tenants.phase("chart-late")).isEqualTo("Error"));
      assertThat(tenants.error("chart-late")).isEqualTo("True/ChartNotLoaded");
      assertThat(tenants.message("chart-late")).contains("repo unreachable?", repo.url(), "503");
      eventually(
          "logged",
          () -> assertThat(operator.log()).contains("chart not loaded; skipping helm action"));
      repo.up();
      eventually("by itself", () -> assertThat(tenants.phase("chart-late")).isEqualTo("Ready"));
    }
  }

  private void aTextThatIsNoVersionIsRefusedWithoutAskingAnybody() throws Exception {
    var requests = repo.requests().size();
    try (var operator = start("newest")) {
      awaitError("True/VersionInvalid");
      assertThat(tenants.condition("chart-one", "Stalled")).isEqualTo("True/VersionInvalid");
      assertThat(tenants.message("chart-one")).contains("'newest'", "--chart-version");
      assertThat(repo.requests()).hasSize(requests);
      assertThat(operator.metric("krypton_helm_operations_total")).isZero();
    }
  }

  private void aVersionThatDoesNotExist() throws Exception {
    try (var operator = start("9.9.9")) {
      awaitError("True/VersionNotFound");
      assertThat(tenants.message("chart-one")).contains("9.9.9", repo.url());
      eventually(
          "counted",
          () ->
              assertThat(operator.metric("krypton_chart_loads_total", "result=\"not_found\""))
                  .isPositive());
      eventually(
          "event",
          () -> assertThat(tenants.events("chart-one")).containsKey("ChartVersionNotFound"));
    }
  }

  private void aChartThatIsNotWhatTheIndexPromised() throws Exception {
    try (var operator = start("0.3.0")) {
      awaitError("True/ChartDigestMismatch");
      assertThat(operator.metric("krypton_helm_operations_total")).isZero();
    }
    assertThat(tenants.revisions("chart-one")).containsExactly("deployed");
  }

  private void centralValuesUpgradeOnlyWhomTheyConcern() throws Exception {
    var values = Files.writeString(directory.resolve("values.yaml"), "message: central\n");
    try (var operator = start("0.1.0", "--chart-values-file=" + values)) {
      awaitReady();
      // One that was never told of the versions that do not exist is ready all the time.
      awaitUpgrades(operator, 2);
      assertThat(tenants.error("chart-one")).isEqualTo("False/Resolved");
      assertThat(tenants.revisions("chart-one")).containsExactly("superseded", "deployed");
      assertThat(tenants.revisions("chart-two")).containsExactly("deployed");
    }
  }

  /** They are ready when the chart comes, and nobody looks at them again for a long time. */
  private void anotherVersionUpgradesEachReleaseOnce() throws Exception {
    try (var operator = startLooking("1h", "0.2.0")) {
      eventually(
          "upgraded",
          () -> {
            for (var tenant : List.of("chart-one", "chart-two", "chart-late")) {
              assertThat(tenants.ready(tenant)).isEqualTo("True/Upgraded");
              assertThat(chartOf(tenant)).isEqualTo("0.2.0");
            }
          });
      awaitUpgrades(operator, 3);
      assertThat(operator.metric("krypton_helm_operations_total")).isEqualTo(3);
      assertThat(tenants.get("chart-two").path("status").path("lastAppliedChart").asText())
          .isEqualTo(repo.url() + "/app:0.2.0");
      assertThat(tenants.revisions("chart-two")).containsExactly("superseded", "deployed");
    }
  }

  private static void awaitUpgrades(Operator operator, int count) {
    eventually(
        "counted",
        () ->
            assertThat(operator.metric("krypton_helm_operations_total", "\"upgrade\""))
                .isEqualTo(count));
  }

  private String chartOf(String tenant) {
    return tenants
        .object("/api/v1/namespaces/%s/configmaps/app".formatted(tenant))
        .path("data")
        .path("chart")
        .asText();
  }

  private void awaitError(String condition) {
    eventually(
        condition,
        () -> {
          assertThat(tenants.error("chart-one")).isEqualTo(condition);
          assertThat(tenants.phase("chart-one")).isEqualTo("Error");
          assertThat(tenants.error("chart-two")).isEqualTo(condition);
        });
  }

  private void awaitReady() {
    eventually(
        "ready",
        () ->
            assertThat(tenants.all())
                .extracting(tenant -> tenant.path("status").path("phase").asText())
                .containsOnly("Ready"));
  }

  private Operator start(String version, String... flags) throws Exception {
    return startLooking("2s", version, flags);
  }

  private Operator startLooking(String every, String version, String... flags) throws Exception {
    var all =
        new ArrayList<>(
            List.of(
                "-chart-repo=" + repo.url(),
                "-chart-name=app",
                "-chart-version=" + version,
                "--watch-namespaces=charts",
                "--leader-elect=false",
                "-check-interval=" + every));
    all.addAll(List.of(flags));
    return Operators.start(directory, home, "charts", all);
  }
}
