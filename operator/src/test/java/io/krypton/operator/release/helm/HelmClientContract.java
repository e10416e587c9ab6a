// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import static io.krypton.operator.release.decide.Revision.ReleaseStatus.DEPLOYED;
import static io.krypton.operator.release.decide.Revision.ReleaseStatus.FAILED;
import static io.krypton.operator.release.decide.Revision.ReleaseStatus.PENDING_INSTALL;
import static io.krypton.operator.release.decide.Revision.ReleaseStatus.SUPERSEDED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.operator.release.decide.ReleaseHistory;
import io.krypton.operator.release.decide.Revision;
import io.krypton.operator.release.decide.Revision.ReleaseStatus;
import io.krypton.operator.release.helm.HelmClient.HelmResult;
import io.krypton.operator.release.helm.HelmOperation.ReleaseKey;
import java.time.Duration;
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
    assertThat(helm().run(install)).isEqualTo(new HelmResult.Done());
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
    assertThat(helm().run(upgrade)).isEqualTo(new HelmResult.Done());
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
        .isEqualTo(new HelmResult.Done());
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
    assertThat(helm().run(release().rollback(1))).isEqualTo(new HelmResult.Done());
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
    assertThat(helm().run(release().uninstall())).isEqualTo(new HelmResult.Done());
    assertThat(statuses()).isEmpty();
    assertThat(helm().run(release().uninstall())).isEqualTo(new HelmResult.Done());
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
  void while_one_operation_runs_a_release_is_busy_and_an_interrupt_marks_it_failed()
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
    assertThat(statuses()).containsExactly(FAILED);
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
