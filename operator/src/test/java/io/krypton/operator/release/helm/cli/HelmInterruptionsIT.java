// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.operator.release.decide.Fingerprint;
import io.krypton.operator.release.decide.ReleaseDecider;
import io.krypton.operator.release.decide.ReleaseDecider.DesiredState;
import io.krypton.operator.release.decide.ReleaseDecider.LockPolicy;
import io.krypton.operator.release.decide.ReleaseDecider.ObservedState;
import io.krypton.operator.release.decide.ReleaseDecider.ReleaseDecision;
import io.krypton.operator.release.decide.ReleaseHistory;
import io.krypton.operator.release.decide.Revision;
import io.krypton.operator.release.decide.Revision.ReleaseStatus;
import io.krypton.operator.release.helm.HelmClient.HelmResult;
import io.krypton.operator.release.helm.HelmOperation;
import io.krypton.operator.release.helm.RealHelm;
import io.krypton.operator.release.helm.TestCharts;
import io.krypton.operator.release.helm.TestOperations;
import io.krypton.operator.release.helm.process.RunDirectory.OrphanProcesses;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Helm process ended in the middle: what it leaves, what is decided about that, and that this
 * heals it.
 */
@ExtendWith(ControlPlaneExtension.class)
class HelmInterruptionsIT {
  private static final Duration LONG = Duration.ofSeconds(30);

  /** Enough for Helm to get as far as the hook, beside other tests. */
  private static final Duration A_WHILE = Duration.ofSeconds(5);

  private RealHelm helm;
  private Path directory;

  @BeforeEach
  void start(@Cluster("helm") TestNamespace namespace, @TempDir Path temporary) {
    directory = temporary;
    helm = RealHelm.in(namespace, temporary);
  }

  @AfterEach
  void stop() {
    helm.close();
  }

  @Test
  void a_kill_during_install_leaves_it_pending_and_unlocking_lets_the_next_install_succeed()
      throws Exception {
    var release = helm.release("r");
    var killed = untilItHangs(release.install(TestCharts.HOOK));
    child().destroyForcibly();
    assertThat(killed.get()).isInstanceOf(HelmResult.Failed.class);
    assertThat(statuses()).containsExactly(ReleaseStatus.PENDING_INSTALL);

    assertThat(whatNext()).isEqualTo(new ReleaseDecision.UnlockByUninstall(1));
    assertThat(helm.client().run(release.uninstall())).isInstanceOf(HelmResult.Done.class);
    assertThat(whatNext()).isEqualTo(new ReleaseDecision.Install(false));
    assertThat(helm.client().run(release.install(TestCharts.HOOK, Map.of("hook", false))))
        .isInstanceOf(HelmResult.Done.class);
    assertThat(statuses()).containsExactly(ReleaseStatus.DEPLOYED);
  }

  @Test
  void a_kill_during_upgrade_leaves_it_pending_and_unlocking_lets_the_next_upgrade_succeed()
      throws Exception {
    var release = helm.release("r");
    helm.client().run(release.install(TestCharts.HOOK, Map.of("hook", false)));
    var killed = untilItHangs(release.upgrade(TestCharts.HOOK, Map.of("text", "new")));
    child().destroyForcibly();
    assertThat(killed.get()).isInstanceOf(HelmResult.Failed.class);

    assertThat(whatNext()).isEqualTo(new ReleaseDecision.UnlockByRollback(2, 1));
    assertThat(helm.client().run(release.rollback(1))).isInstanceOf(HelmResult.Done.class);
    assertThat(whatNext()).isEqualTo(new ReleaseDecision.Upgrade(ReleaseDecision.Cause.CHANGED));
    assertThat(helm.client().run(release.upgrade(TestCharts.HOOK, Map.of("hook", false))))
        .isInstanceOf(HelmResult.Done.class);
    assertThat(helm.history("r").latest().orElseThrow().status()).isEqualTo(ReleaseStatus.DEPLOYED);
  }

  @Test
  void a_request_to_end_during_upgrade_marks_it_failed_and_the_next_upgrade_succeeds()
      throws Exception {
    var release = helm.release("r");
    helm.client().run(release.install(TestCharts.HOOK, Map.of("hook", false)));
    var stopped = untilItHangs(release.upgrade(TestCharts.HOOK, Map.of("text", "new")));
    child().destroy();
    assertThat(stopped.get()).isInstanceOf(HelmResult.Failed.class);
    assertThat(statuses()).containsExactly(ReleaseStatus.DEPLOYED, ReleaseStatus.FAILED);

    assertThat(whatNext())
        .isEqualTo(new ReleaseDecision.Upgrade(ReleaseDecision.Cause.FAILED_BEFORE));
    assertThat(helm.client().run(release.upgrade(TestCharts.HOOK, Map.of("hook", false))))
        .isInstanceOf(HelmResult.Done.class);
  }

  @Test
  void helms_own_timeout_is_a_failure_that_says_so() {
    var release = helm.release("r").within(A_WHILE);
    assertThat(helm.client().run(release.install(TestCharts.HOOK)))
        .isInstanceOfSatisfying(
            HelmResult.Failed.class,
            it -> assertThat(it.message()).contains("pre-install", "context deadline exceeded"));
    assertThat(whatNext()).isEqualTo(new ReleaseDecision.Reinstall());
  }

  @Test
  void a_helm_that_hangs_is_killed_after_its_time_and_leaves_the_release_pending()
      throws Exception {
    var release = helm.release("r").within(A_WHILE);
    var hanging = untilItHangs(release.install(TestCharts.HOOK));
    var child = child();
    new ProcessBuilder("kill", "-STOP", Long.toString(child.pid())).start().waitFor();
    assertThat(hanging.get()).isInstanceOf(HelmResult.TimedOut.class);
    assertThat(child.isAlive()).isFalse();
    assertThat(whatNext()).isEqualTo(new ReleaseDecision.UnlockByUninstall(1));
  }

  @Test
  void close_ends_a_running_install_and_leaves_it_failed() throws Exception {
    var running = untilItHangs(helm.release("r").install(TestCharts.HOOK));
    var child = child();
    var began = System.nanoTime();
    helm.close();
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LONG);
    assertThat(running.get()).isEqualTo(new HelmResult.Stopped());
    assertThat(child.isAlive()).isFalse();
    assertThat(statuses()).containsExactly(ReleaseStatus.FAILED);
  }

  @Test
  void history_kept_by_hand_is_installed_over() throws Exception {
    var release = helm.release("r");
    helm.client().run(release.install(TestCharts.CONFIGMAP));
    helm.ask("uninstall", "r", "--keep-history");
    assertThat(whatNext()).isEqualTo(new ReleaseDecision.InstallOverHistory());
    assertThat(helm.client().run(release.install(TestCharts.CONFIGMAP)))
        .isInstanceOf(HelmResult.Failed.class);
    assertThat(helm.client().run(release.upgradeOrInstall(TestCharts.CONFIGMAP)))
        .isInstanceOf(HelmResult.Done.class);
    assertThat(helm.history("r").latest().orElseThrow().status()).isEqualTo(ReleaseStatus.DEPLOYED);
  }

  @Test
  void a_lost_secret_of_the_deployed_revision_is_healed_by_an_upgrade() throws Exception {
    var release = helm.release("r");
    helm.client().run(release.install(TestCharts.CONFIGMAP));
    helm.client().run(release.upgrade(TestCharts.CONFIGMAP, Map.of("text", "new")));
    helm.namespace()
        .controlPlane()
        .admin()
        .delete(helm.namespace().path() + "/secrets/sh.helm.release.v1.r.v2")
        .orThrow();
    assertThat(statuses()).containsExactly(ReleaseStatus.SUPERSEDED);
    assertThat(whatNext())
        .isEqualTo(new ReleaseDecision.Upgrade(ReleaseDecision.Cause.FAILED_BEFORE));
    assertThat(helm.client().run(release.upgrade(TestCharts.CONFIGMAP, Map.of())))
        .isInstanceOf(HelmResult.Done.class);
  }

  @Test
  void the_next_run_ends_a_helm_that_outlived_the_one_before() throws Exception {
    var running = untilItHangs(helm.release("r").install(TestCharts.HOOK));
    var child = child();
    OrphanProcesses.of(onlyDirectoryIn(directory.resolve("data/helm"))).terminate();
    assertThat(child.isAlive()).isFalse();
    assertThat(running.get()).isInstanceOf(HelmResult.Failed.class);
    assertThat(statuses()).containsExactly(ReleaseStatus.FAILED);
  }

  private CompletableFuture<HelmResult> untilItHangs(HelmOperation operation) {
    var result = new CompletableFuture<HelmResult>();
    Thread.startVirtualThread(() -> result.complete(helm.client().run(operation)));
    await().atMost(LONG).until(() -> helm.waitsForHook("r"));
    assertThat(helm.history("r").latest()).map(it -> it.status().isPending()).contains(true);
    return result;
  }

  private static Path onlyDirectoryIn(Path parent) throws IOException {
    try (var children = Files.list(parent)) {
      return children.filter(Files::isDirectory).findFirst().orElseThrow();
    }
  }

  private static ProcessHandle child() {
    var program = RealHelm.program().toString();
    return ProcessHandle.current()
        .children()
        .filter(child -> child.info().command().filter(program::equals).isPresent())
        .findFirst()
        .orElseThrow();
  }

  private ReleaseDecision whatNext() {
    ReleaseHistory history = helm.history("r");
    return ReleaseDecider.whatNext(
        new ObservedState(history, true, null, 0, Instant.now(), false),
        new DesiredState(new Fingerprint("0".repeat(64)), false, false),
        new LockPolicy(TestOperations.INSTANCE, Duration.ofMinutes(3)),
        Instant.now());
  }

  private List<ReleaseStatus> statuses() {
    return helm.history("r").revisions().stream().map(Revision::status).toList();
  }
}
