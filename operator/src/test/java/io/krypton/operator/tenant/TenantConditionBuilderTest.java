// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.condition.ConditionList;
import io.krypton.operator.release.RolloutListener.Activity;
import io.krypton.operator.release.RolloutResult;
import io.krypton.operator.release.RolloutResult.Change;
import io.krypton.operator.release.RolloutResult.FailureReason;
import io.krypton.operator.release.RolloutResult.WaitReason;
import io.krypton.operator.release.decide.DeployedRelease;
import io.krypton.operator.release.decide.Fingerprint;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.reconcile.RolloutConditions.Rules;
import io.krypton.operator.tenant.TenantConditionBuilder.TenantState;
import io.krypton.operator.tenant.TenantConditionBuilder.TenantState.Settled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TenantConditionBuilderTest {
  private static final DeployedRelease RELEASE =
      new DeployedRelease(
          new ReleaseName("tenant-a-edge"),
          "a",
          1,
          "uid",
          new Fingerprint("0".repeat(64)),
          "r/c:1");
  private static final Rules STRICT = new Rules(false, false);
  private static final List<Condition> NOTHING = List.of();
  private static final List<Condition> READY =
      after(NOTHING, new Settled(new RolloutResult.Deployed(Change.INSTALLED, RELEASE), 0));
  private static final List<Condition> FAILED_ONCE = after(NOTHING, failure(0));
  private static final List<Condition> FAILED_OFTEN = after(NOTHING, failure(4));

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void a_state_becomes_conditions(
      String rule, List<Condition> before, TenantState state, List<String> expected) {
    assertThat(words(after(before, state))).containsAll(expected);
  }

  static Stream<Arguments> a_state_becomes_conditions() {
    return Stream.of(
        row(
            "a first install is in progress and not ready yet",
            NOTHING,
            new TenantState.Working(Activity.INSTALLING),
            "ClusterProgress/edge=TRUE/Installing",
            "Ready=UNKNOWN/Progressing",
            "Reconciling=TRUE/Progressing",
            "Stalled=FALSE/NotStalled"),
        row(
            "an upgrade keeps what was ready",
            READY,
            new TenantState.Working(Activity.UPGRADING),
            "ClusterProgress/edge=TRUE/Upgrading",
            "ClusterReady/edge=TRUE/Installed"),
        row(
            "installed",
            NOTHING,
            new Settled(new RolloutResult.Deployed(Change.INSTALLED, RELEASE), 0),
            "ClusterReady/edge=TRUE/Installed",
            "ClusterProgress/edge=FALSE/InstallComplete",
            "Ready=TRUE/Deployed",
            "Reconciling=FALSE/Idle",
            "Stalled=FALSE/NotStalled"),
        row(
            "nothing to do and nobody asked: what was said stays",
            READY,
            new Settled(new RolloutResult.Deployed(Change.NONE, RELEASE), 0),
            "ClusterReady/edge=TRUE/Installed"),
        row(
            "nothing to do and somebody asked",
            READY,
            new Settled(new RolloutResult.Deployed(Change.CONFIRMED, RELEASE), 0),
            "ClusterReady/edge=TRUE/NoChange"),
        row(
            "a cured error is set False, not left behind",
            FAILED_ONCE,
            new Settled(new RolloutResult.Deployed(Change.INSTALLED, RELEASE), 0),
            "ClusterError/edge=FALSE/Resolved",
            "ClusterReady/edge=TRUE/Installed",
            "Ready=TRUE/Deployed"),
        row(
            "who waits for its wave stays ready, and says that there is more to come",
            READY,
            new Settled(
                new RolloutResult.Deployed(Change.NONE, RELEASE).held("RolloutWaiting", "wave 3"),
                0),
            "ClusterReady/edge=TRUE/Installed",
            "Ready=TRUE/Deployed",
            "Reconciling=TRUE/RolloutWaiting",
            "Stalled=FALSE/NotStalled"),
        row(
            "who may not be rolled out yet is not ready",
            NOTHING,
            new Settled(new RolloutResult.Held(null, "RolloutWaiting", "no chart yet"), 0),
            "Ready=UNKNOWN/Progressing",
            "Reconciling=TRUE/RolloutWaiting"),
        row(
            "workloads that start keep it from Ready",
            NOTHING,
            new Settled(
                new RolloutResult.WorkloadsPending(
                    Change.INSTALLED,
                    RELEASE,
                    List.of("Deployment/x (0/1 available)"),
                    Duration.ZERO),
                0),
            "ClusterReady/edge=FALSE/NotReady",
            "Ready=FALSE/NotReady",
            "Reconciling=TRUE/WaitingForWorkloads"),
        row(
            "a first failure is retried",
            NOTHING,
            failure(0),
            "ClusterError/edge=TRUE/InstallFailed",
            "ClusterReady/edge=FALSE/InstallFailed",
            "ClusterProgress/edge=FALSE/InstallFailed",
            "Ready=FALSE/InstallFailed",
            "Reconciling=TRUE/ProgressingWithRetry",
            "Stalled=FALSE/NotStalled"),
        row(
            "the fifth failure in a row is stalled",
            FAILED_ONCE,
            failure(4),
            "Stalled=TRUE/InstallFailed",
            "Reconciling=FALSE/Stalled"),
        row(
            "a stalled one stays so after a restart, when failures are counted anew",
            FAILED_OFTEN,
            failure(0),
            "Stalled=TRUE/InstallFailed",
            "Reconciling=FALSE/Stalled"),
        row(
            "a retry leaves the failure in sight until it has ended",
            FAILED_OFTEN,
            new TenantState.Working(Activity.UPGRADING),
            "Ready=FALSE/InstallFailed",
            "Stalled=TRUE/InstallFailed",
            "ClusterProgress/edge=TRUE/Upgrading"),
        row(
            "what only a user can change is stalled at once",
            NOTHING,
            new Settled(new RolloutResult.Failed(FailureReason.VERSION_INVALID, "bad"), 0),
            "Stalled=TRUE/VersionInvalid"),
        row(
            "another object in the way is stalled at once",
            NOTHING,
            new Settled(new RolloutResult.Failed(FailureReason.NAMESPACE_CONFLICT, "taken"), 0),
            "Stalled=TRUE/NamespaceConflict"),
        row(
            "drift is not ready until it is repaired",
            READY,
            new TenantState.Repairing("Detected missing resources"),
            "ClusterReady/edge=FALSE/RepairTriggered",
            "Ready=FALSE/RepairTriggered"),
        row(
            "a locked release waits",
            READY,
            new Settled(new RolloutResult.Waiting(WaitReason.RELEASE_LOCKED, null), 0),
            "Reconciling=TRUE/ReleaseLocked",
            "Ready=TRUE/Deployed"),
        row(
            "who waits for something else stays stalled: nothing was tried",
            FAILED_OFTEN,
            new Settled(new RolloutResult.Waiting(WaitReason.RELEASE_LOCKED, null), 5),
            "ClusterError/edge=TRUE/InstallFailed",
            "Stalled=TRUE/InstallFailed"),
        row(
            "a suspended one says only that",
            READY,
            new TenantState.Suspended(),
            "Reconciling=FALSE/Suspended",
            "Ready=TRUE/Deployed"),
        row(
            "deleting",
            READY,
            new TenantState.Deleting("uninstalling"),
            "ClusterProgress/edge=TRUE/Deleting",
            "Ready=FALSE/Deleting"));
  }

  @Test
  void a_skipped_tenant_has_no_conditions_of_this_cluster() {
    var conditions = after(READY, new TenantState.Skipped("Skipped: x", false, true));

    assertThat(words(conditions))
        .contains("Ready=FALSE/ClusterRefMismatch", "Reconciling=FALSE/Idle")
        .noneMatch(word -> word.startsWith("Cluster"));
  }

  @Test
  void another_name_of_the_server_speaks_for_a_tenant_that_is_skipped_here() {
    var both = new ArrayList<>(after(NOTHING, failure(4)));
    both.add(Condition.of("ClusterReady/other", ConditionStatus.TRUE, "Installed", "x"));

    assertThat(words(after(both, new TenantState.Skipped("Skipped: x", true, true))))
        .contains(
            "ClusterReady/edge=FALSE/ClusterRefMismatch",
            "ClusterReady/other=TRUE/Installed",
            "Ready=TRUE/Deployed",
            "Reconciling=FALSE/Idle",
            "Stalled=FALSE/NotStalled");
    assertThat(words(after(both, new TenantState.Skipped("Skipped: x", true, false))))
        .contains("Ready=TRUE/Deployed")
        .noneMatch(word -> word.contains("/edge="));
    assertThat(words(after(READY, new TenantState.Skipped("Skipped: x", true, false))))
        .as("it has yet to say something")
        .contains("Ready=UNKNOWN/Progressing", "Reconciling=TRUE/Progressing");
  }

  @Test
  void conditions_of_other_clusters_are_left_alone() {
    var others = new ArrayList<>(READY);
    var foreign = Condition.of("ClusterReady/other", ConditionStatus.TRUE, "Installed", "x");
    others.add(foreign);

    assertThat(after(others, failure(0))).contains(foreign);
  }

  @Test
  void with_chart_skip_a_standing_release_stays_ready_while_its_chart_cannot_be_had() {
    var lost =
        new Settled(new RolloutResult.Failed(FailureReason.CHART_NOT_LOADED, "repo down"), 0);
    var skipping = new Rules(true, false);

    var conditions = TenantConditionBuilder.conditions("edge", READY, lost, skipping);

    assertThat(words(conditions))
        .contains(
            "ClusterReady/edge=TRUE/Installed",
            "Ready=TRUE/Deployed",
            "ClusterError/edge=TRUE/ChartNotLoaded");
    assertThat(words(after(READY, lost))).contains("Ready=FALSE/ChartNotLoaded");
  }

  @Test
  void a_fresh_start_forgets_that_it_was_stalled() {
    var fresh = new Rules(false, true);
    var conditions =
        TenantConditionBuilder.conditions(
            "edge", FAILED_OFTEN, new TenantState.Working(Activity.INSTALLING), fresh);

    assertThat(words(conditions))
        .contains("Stalled=FALSE/NotStalled", "Reconciling=TRUE/Progressing");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("a_state_becomes_conditions")
  void reconciling_and_stalled_are_always_there_and_never_both_true(
      String rule, List<Condition> before, TenantState state, List<String> expected) {
    var conditions = after(before, state);

    assertThat(conditions).extracting(Condition::type).contains("Reconciling", "Stalled");
    assertThat(
            ConditionList.isTrue(conditions, "Reconciling")
                && ConditionList.isTrue(conditions, "Stalled"))
        .isFalse();
  }

  private static Arguments row(
      String rule, List<Condition> before, TenantState state, String... expected) {
    return Arguments.of(rule, before, state, List.of(expected));
  }

  private static Settled failure(int failuresBefore) {
    return new Settled(
        new RolloutResult.Failed(FailureReason.INSTALL_FAILED, "no"), failuresBefore);
  }

  private static List<Condition> after(List<Condition> before, TenantState state) {
    return TenantConditionBuilder.conditions("edge", before, state, STRICT);
  }

  private static List<String> words(List<Condition> conditions) {
    return conditions.stream()
        .map(it -> it.type() + "=" + it.status() + "/" + it.reason())
        .toList();
  }
}
