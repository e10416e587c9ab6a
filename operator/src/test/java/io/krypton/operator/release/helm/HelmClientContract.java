// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import static io.krypton.operator.release.decide.Revision.ReleaseStatus.DEPLOYED;
import static io.krypton.operator.release.decide.Revision.ReleaseStatus.FAILED;
import static io.krypton.operator.release.decide.Revision.ReleaseStatus.PENDING_INSTALL;
import static io.krypton.operator.release.decide.Revision.ReleaseStatus.SUPERSEDED;
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
import io.krypton.operator.release.helm.HelmOperation.ReleaseKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What every {@link HelmClient} does to a release. */
public abstract class HelmClientContract {
  private static final Duration LONG = Duration.ofSeconds(30);

  protected abstract HelmClient helm();

  /** Operations on a release in an empty namespace of an existing cluster. */
  protected abstract TestOperations release();

  protected abstract ReleaseHistory history(ReleaseKey release);

  /** Whether an operation with {@link TestCharts#HOOK} has come to where it hangs. */
  protected abstract boolean hangs(ReleaseKey release);

  @Test
  void install_deploys_the_first_revision_with_our_labels() {
    var install = release().install(TestCharts.CONFIGMAP);
    assertThat(helm().run(install)).isInstanceOf(HelmResult.Done.class);
    assertThat(statuses()).containsExactly(DEPLOYED);
    assertThat(latest().labels()).containsAllEntriesOf(install.spec().labels().asMap());
  }

  @Test
  void a_name_in_use_is_not_installed_again() {
    helm().run(release().install(TestCharts.CONFIGMAP));
    assertThat(helm().run(release().install(TestCharts.CONFIGMAP)))
        .isInstanceOfSatisfying(
            HelmResult.Failed.class,
            it -> assertThat(it.message()).contains("cannot reuse a name that is still in use"));
    assertThat(statuses()).containsExactly(DEPLOYED);
  }

  @Test
  void upgrade_supersedes_what_was_deployed() {
    helm().run(release().install(TestCharts.CONFIGMAP));
    var upgrade = release().upgrade(TestCharts.CONFIGMAP, Map.of("text", "new"));
    assertThat(helm().run(upgrade)).isInstanceOf(HelmResult.Done.class);
    assertThat(statuses()).containsExactly(SUPERSEDED, DEPLOYED);
    assertThat(latest().fingerprintLabel())
        .isEqualTo(upgrade.spec().labels().fingerprint().label());
  }

  @Test
  void upgrade_needs_a_release_unless_it_may_install() {
    assertThat(helm().run(release().upgrade(TestCharts.CONFIGMAP, Map.of())))
        .isInstanceOfSatisfying(
            HelmResult.Failed.class,
            it -> assertThat(it.message()).contains("has no deployed releases"));
    assertThat(helm().run(release().upgradeOrInstall(TestCharts.CONFIGMAP)))
        .isInstanceOf(HelmResult.Done.class);
    assertThat(statuses()).containsExactly(DEPLOYED);
  }

  @Test
  void a_chart_that_cannot_be_rendered_leaves_no_revision() {
    assertThat(helm().run(release().install(TestCharts.BROKEN)))
        .isInstanceOfSatisfying(
            HelmResult.Failed.class,
            it -> assertThat(it.message()).contains("this chart is broken on purpose"));
    assertThat(statuses()).isEmpty();
  }

  @Test
  void rollback_deploys_an_old_revision_anew_with_its_labels() {
    helm().run(release().install(TestCharts.CONFIGMAP));
    var first = latest().fingerprintLabel();
    helm().run(release().upgrade(TestCharts.CONFIGMAP, Map.of("text", "new")));
    assertThat(helm().run(release().rollback(1))).isInstanceOf(HelmResult.Done.class);
    assertThat(statuses()).containsExactly(SUPERSEDED, SUPERSEDED, DEPLOYED);
    assertThat(latest().fingerprintLabel()).isEqualTo(first);
  }

  @Test
  void rollback_to_a_revision_that_is_not_there_fails() {
    helm().run(release().install(TestCharts.CONFIGMAP));
    assertThat(helm().run(release().rollback(7))).isInstanceOf(HelmResult.Failed.class);
    assertThat(statuses()).containsExactly(DEPLOYED);
  }

  @Test
  void uninstall_leaves_nothing_and_may_be_repeated() {
    helm().run(release().install(TestCharts.CONFIGMAP));
    assertThat(helm().run(release().uninstall())).isInstanceOf(HelmResult.Done.class);
    assertThat(statuses()).isEmpty();
    assertThat(helm().run(release().uninstall())).isInstanceOf(HelmResult.Done.class);
  }

  @Test
  void only_five_revisions_are_kept() {
    helm().run(release().install(TestCharts.CONFIGMAP));
    for (int i = 2; i <= 7; i++) {
      helm().run(release().upgrade(TestCharts.CONFIGMAP, Map.of("text", "number " + i)));
    }
    assertThat(history(key()).revisions()).map(Revision::version).containsExactly(3, 4, 5, 6, 7);
  }

  @Test
  void while_one_operation_runs_a_release_is_busy_and_after_an_interrupt_it_can_be_healed()
      throws Exception {
    var result = new CompletableFuture<HelmResult>();
    var interrupted = new ArrayList<Boolean>();
    var caller =
        Thread.startVirtualThread(
            () -> {
              var ended = helm().run(release().install(TestCharts.HOOK));
              interrupted.add(Thread.currentThread().isInterrupted());
              result.complete(ended);
            });
    await().atMost(LONG).until(() -> hangs(key()));
    assertThat(statuses()).containsExactly(PENDING_INSTALL);
    assertThat(helm().isRunning(key())).isTrue();
    assertThat(helm().run(release().uninstall())).isInstanceOf(HelmResult.Busy.class);
    caller.interrupt();
    assertThat(caller.join(LONG)).isTrue();
    assertThat(result.get()).isEqualTo(new HelmResult.Stopped());
    assertThat(interrupted).containsExactly(true);
    assertThat(helm().isRunning(key())).isFalse();
    heal();
  }

  @Test
  void a_cluster_that_leaves_stops_its_operations() throws Exception {
    var result = new CompletableFuture<HelmResult>();
    Thread.startVirtualThread(
        () -> result.complete(helm().run(release().install(TestCharts.HOOK))));
    await().atMost(LONG).until(() -> hangs(key()));
    assertThat(statuses()).containsExactly(PENDING_INSTALL);
    helm().stop(key().cluster());
    assertThat(result.get()).isEqualTo(new HelmResult.Stopped());
    heal();
  }

  /**
   * What an operation leaves that was ended in the middle is the engine's matter: failed, if it may
   * still write that, else pending. Nothing of it runs any more, so the decision about it need not
   * wait in either case.
   */
  private void heal() {
    assertThat(helm().isRunning(key())).isFalse();
    assertThat(statuses()).hasSize(1).containsAnyOf(FAILED, PENDING_INSTALL);
    assertThat(whatNext())
        .isIn(new ReleaseDecision.Reinstall(), new ReleaseDecision.UnlockByUninstall(1));
    assertThat(helm().run(release().uninstall())).isInstanceOf(HelmResult.Done.class);
    assertThat(whatNext()).isEqualTo(new ReleaseDecision.Install(false));
    assertThat(helm().run(release().install(TestCharts.CONFIGMAP)))
        .isInstanceOf(HelmResult.Done.class);
    assertThat(statuses()).containsExactly(DEPLOYED);
  }

  private ReleaseDecision whatNext() {
    return ReleaseDecider.whatNext(
        new ObservedState(history(key()), true, null, 0, Instant.now(), helm().isRunning(key())),
        new DesiredState(new Fingerprint("0".repeat(64)), false, false),
        new LockPolicy(TestOperations.INSTANCE, Duration.ofMinutes(3)),
        Instant.now());
  }

  @Test
  void after_close_nothing_runs_any_more() {
    helm().close();
    assertThat(helm().run(release().install(TestCharts.CONFIGMAP)))
        .isEqualTo(new HelmResult.Stopped());
    assertThat(statuses()).isEmpty();
  }

  private ReleaseKey key() {
    return release().target().release();
  }

  private Revision latest() {
    return history(key()).latest().orElseThrow();
  }

  private List<ReleaseStatus> statuses() {
    return history(key()).revisions().stream().map(Revision::status).toList();
  }
}
