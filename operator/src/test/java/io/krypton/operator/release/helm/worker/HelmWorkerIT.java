// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.operator.release.decide.Fingerprint;
import io.krypton.operator.release.decide.ReleaseDecider;
import io.krypton.operator.release.decide.ReleaseDecider.DesiredState;
import io.krypton.operator.release.decide.ReleaseDecider.LockPolicy;
import io.krypton.operator.release.decide.ReleaseDecider.ObservedState;
import io.krypton.operator.release.decide.ReleaseDecider.ReleaseDecision;
import io.krypton.operator.release.decide.Revision;
import io.krypton.operator.release.decide.Revision.ReleaseStatus;
import io.krypton.operator.release.helm.HelmClient.AppliedRelease;
import io.krypton.operator.release.helm.HelmClient.HelmResult;
import io.krypton.operator.release.helm.HelmEngine.RestartReason;
import io.krypton.operator.release.helm.HelmOperation;
import io.krypton.operator.release.helm.RealHelm;
import io.krypton.operator.release.helm.RealHelm.Engine;
import io.krypton.operator.release.helm.TestCharts;
import io.krypton.operator.release.helm.TestOperations;
import io.krypton.operator.release.helm.process.HelmFiles;
import io.krypton.operator.release.helm.process.RunDirectory.OrphanProcesses;
import io.krypton.sandbox.audit.ApiAudit.Mark;
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
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Operations of the real worker that are ended in the middle, by us or by its death. */
@ExtendWith(ControlPlaneExtension.class)
class HelmWorkerIT {
  private static final Duration LONG = Duration.ofSeconds(30);

  /** Enough for Helm to get as far as the hook, beside other tests. */
  private static final Duration A_WHILE = Duration.ofSeconds(5);

  private final List<RestartReason> replaced = new CopyOnWriteArrayList<>();
  private TestNamespace namespace;
  private RealHelm helm;
  private Path directory;

  @BeforeEach
  void start(@Cluster("helm") TestNamespace own, @TempDir Path temporary) {
    directory = temporary;
    namespace = own;
    helm = RealHelm.in(own, temporary, RealHelm.settings(temporary, Engine.WORKER), replaced::add);
  }

  @AfterEach
  void stop() {
    if (helm != null) {
      helm.close();
    }
  }

  /** A lost lease interrupts the workers of the controllers. */
  @Test
  void after_an_interrupt_no_request_reaches_the_cluster() throws Exception {
    var result = new CompletableFuture<HelmResult>();
    var caller =
        Thread.startVirtualThread(
            () -> result.complete(helm.client().run(release().install(TestCharts.HOOK))));
    awaitHook();
    caller.interrupt();
    assertThat(result.get()).isEqualTo(new HelmResult.Stopped());
    assertNothingFollows();
    assertHeals();
    assertThat(replaced).as("the worker itself goes on").isEmpty();
  }

  @Test
  void after_its_cluster_has_left_no_request_reaches_it() throws Exception {
    var running = untilItHangs(release().install(TestCharts.HOOK));
    helm.client().stop(namespace.controlPlane().name());
    helm.engine().forget(namespace.controlPlane().name());
    assertThat(running.get()).isEqualTo(new HelmResult.Stopped());
    assertNothingFollows();
    assertHeals();
  }

  @Test
  void after_a_shutdown_no_request_reaches_any_cluster() throws Exception {
    var running = untilItHangs(release().install(TestCharts.HOOK));
    var worker = worker();
    var instance = helm.engine().instance();
    helm.close();
    assertThat(running.get()).isEqualTo(new HelmResult.Stopped());
    assertThat(worker.isAlive()).isFalse();
    assertNothingFollows();
    assertThat(statuses()).containsExactly(ReleaseStatus.PENDING_INSTALL);
    assertThat(whatNext()).isEqualTo(new ReleaseDecision.UnlockByUninstall(1));
    try (var next = new HelmFiles(directory.resolve("data"))) {
      assertThat(next.hasEnded(instance)).as("the next run need not wait").isTrue();
    }
  }

  @Test
  void a_kill_during_install_is_a_failure_that_heals_at_once() throws Exception {
    var running = untilItHangs(release().install(TestCharts.HOOK));
    worker().destroyForcibly();
    assertThat(running.get())
        .isInstanceOfSatisfying(
            HelmResult.Failed.class,
            it ->
                assertThat(it.message())
                    .contains("the helm worker ended", "137", "unlocked and tried again"));
    assertThat(statuses()).containsExactly(ReleaseStatus.PENDING_INSTALL);
    assertHeals();
    await().untilAsserted(() -> assertThat(replaced).containsExactly(RestartReason.CRASH));
  }

  @Test
  void a_kill_during_upgrade_goes_back_to_what_was_deployed() throws Exception {
    helm.client().run(release().install(TestCharts.HOOK, Map.of("hook", false)));
    var running = untilItHangs(release().upgrade(TestCharts.HOOK, Map.of("text", "new")));
    worker().destroyForcibly();
    assertThat(running.get()).isInstanceOf(HelmResult.Failed.class);

    assertThat(whatNext()).isEqualTo(new ReleaseDecision.UnlockByRollback(2, 1));
    assertDone(release().rollback(1));
    assertThat(whatNext()).isEqualTo(new ReleaseDecision.Upgrade(ReleaseDecision.Cause.CHANGED));
    assertDone(release().upgrade(TestCharts.HOOK, Map.of("hook", false)));
    assertThat(statuses()).last().isEqualTo(ReleaseStatus.DEPLOYED);
  }

  @Test
  void helms_own_timeout_is_a_failure_that_says_so() {
    assertThat(helm.client().run(release().within(A_WHILE).install(TestCharts.HOOK)))
        .isInstanceOfSatisfying(
            HelmResult.Failed.class,
            it -> assertThat(it.message()).contains("pre-install", "context deadline exceeded"));
    assertThat(whatNext()).isEqualTo(new ReleaseDecision.Reinstall());
  }

  @Test
  void a_worker_that_hangs_is_replaced_and_others_fail_with_it() throws Exception {
    var other = untilItHangs(release().install(TestCharts.HOOK));
    var worker = worker();
    new ProcessBuilder("kill", "-STOP", Long.toString(worker.pid())).start().waitFor();
    var late = helm.release("late").within(Duration.ofMillis(100)).install(TestCharts.CONFIGMAP);
    assertThat(helm.client().run(late)).isInstanceOf(HelmResult.TimedOut.class);
    assertThat(worker.isAlive()).isFalse();
    assertThat(other.get()).isInstanceOf(HelmResult.Failed.class);
    await().untilAsserted(() -> assertThat(replaced).containsExactly(RestartReason.HANG));
    assertHeals();
  }

  @Test
  void the_next_run_ends_a_worker_that_outlived_the_one_before() throws Exception {
    var running = untilItHangs(release().install(TestCharts.HOOK));
    var worker = worker();
    OrphanProcesses.of(onlyDirectoryIn(directory.resolve("data/helm"))).terminate();
    assertThat(worker.isAlive()).isFalse();
    assertThat(running.get()).isInstanceOf(HelmResult.Failed.class);
    assertHeals();
  }

  @Test
  void history_kept_by_hand_is_installed_over() throws Exception {
    assertDone(release().install(TestCharts.CONFIGMAP));
    helm.ask("uninstall", "r", "--keep-history");
    assertThat(whatNext()).isEqualTo(new ReleaseDecision.InstallOverHistory());
    assertThat(helm.client().run(release().install(TestCharts.CONFIGMAP)))
        .isInstanceOf(HelmResult.Failed.class);
    assertDone(release().upgradeOrInstall(TestCharts.CONFIGMAP));
    assertThat(statuses()).last().isEqualTo(ReleaseStatus.DEPLOYED);
  }

  @Test
  void what_an_operation_returns_is_what_the_secret_holds() {
    var first = applied(release().install(TestCharts.WORKLOAD));
    var stored = RealHelm.stored(helm.secrets("r").get(0));
    assertThat(first).isEqualTo(new AppliedRelease(stored.version(), stored.manifest()));
    var second = applied(release().upgrade(TestCharts.WORKLOAD, Map.of("image", "a:2")));
    assertThat(second.revision()).isEqualTo(2);
    assertThat(second.manifest()).contains("a:2");
    assertThat(applied(release().rollback(1))).isEqualTo(new AppliedRelease(3, first.manifest()));
    assertThat(helm.client().run(release().uninstall())).isEqualTo(new HelmResult.Done());
  }

  private AppliedRelease applied(HelmOperation operation) {
    var result = helm.client().run(operation);
    assertThat(result).isInstanceOf(HelmResult.Done.class);
    return Objects.requireNonNull(((HelmResult.Done) result).release());
  }

  private TestOperations release() {
    return helm.as("r", namespace.controlPlane().kubeconfigFor(user(), "system:masters"));
  }

  /** Its requests are ours and nobody else's. */
  private String user() {
    return "helm-" + namespace.name();
  }

  private void assertNothingFollows() {
    var audit = namespace.controlPlane().audit();
    Mark after = audit.mark();
    // As long as a hook or a retry would take to be noticed.
    await()
        .during(Duration.ofSeconds(2))
        .atMost(LONG)
        .untilAsserted(() -> assertThat(audit.since(after).by(user()).records()).isEmpty());
  }

  /** As the operator would go on. */
  private void assertHeals() {
    assertThat(statuses())
        .hasSize(1)
        .containsAnyOf(ReleaseStatus.PENDING_INSTALL, ReleaseStatus.FAILED);
    assertThat(whatNext())
        .isIn(new ReleaseDecision.UnlockByUninstall(1), new ReleaseDecision.Reinstall());
    assertDone(release().uninstall());
    assertThat(whatNext()).isEqualTo(new ReleaseDecision.Install(false));
    assertDone(release().install(TestCharts.HOOK, Map.of("hook", false)));
    assertThat(statuses()).containsExactly(ReleaseStatus.DEPLOYED);
  }

  private void assertDone(HelmOperation operation) {
    assertThat(helm.client().run(operation)).isInstanceOf(HelmResult.Done.class);
  }

  private CompletableFuture<HelmResult> untilItHangs(HelmOperation operation) {
    var result = new CompletableFuture<HelmResult>();
    Thread.startVirtualThread(() -> result.complete(helm.client().run(operation)));
    awaitHook();
    return result;
  }

  private void awaitHook() {
    await().atMost(LONG).until(() -> helm.waitsForHook("r"));
    assertThat(helm.history("r").latest()).map(it -> it.status().isPending()).contains(true);
  }

  private static Path onlyDirectoryIn(Path parent) throws IOException {
    try (var children = Files.list(parent)) {
      return children.filter(Files::isDirectory).findFirst().orElseThrow();
    }
  }

  static ProcessHandle worker() {
    var program = RealHelm.worker().toString();
    return ProcessHandle.current()
        .children()
        .filter(child -> child.info().command().filter(program::equals).isPresent())
        .filter(ProcessHandle::isAlive)
        .findFirst()
        .orElseThrow();
  }

  private ReleaseDecision whatNext() {
    return ReleaseDecider.whatNext(
        new ObservedState(helm.history("r"), true, null, 0, Instant.now(), false),
        new DesiredState(new Fingerprint("0".repeat(64)), false, false),
        new LockPolicy(TestOperations.INSTANCE, Duration.ofMinutes(3)),
        Instant.now());
  }

  private List<ReleaseStatus> statuses() {
    return helm.history("r").revisions().stream().map(Revision::status).toList();
  }
}
