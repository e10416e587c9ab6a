// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.condition.Condition;
import io.krypton.api.rollout.RolloutPhase;
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
import io.krypton.operator.tenant.TenantConditionSummary.TenantPhase;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Two names of one server, {@code a} and {@code b}, that write to one Tenant. */
class TenantConditionSummaryTest {
  private static final DeployedRelease RELEASE =
      new DeployedRelease(
          new ReleaseName("tenant-x-c"), "x", 1, "uid", new Fingerprint("0".repeat(64)), "r/c:1");
  private static final TenantState DEPLOYED =
      new Settled(new RolloutResult.Deployed(Change.INSTALLED, RELEASE), 0);
  private static final TenantState CONFIRMED =
      new Settled(new RolloutResult.Deployed(Change.NONE, RELEASE), 0);
  private static final TenantState FAILED = failed("taken", 0);
  private static final TenantState STALLED = failed("taken for long", 4);
  private static final TenantState LOCKED =
      new Settled(new RolloutResult.Waiting(WaitReason.RELEASE_LOCKED, null), 0);
  private static final TenantState STARTING =
      new Settled(
          new RolloutResult.WorkloadsPending(
              Change.INSTALLED, RELEASE, List.of("Deployment/x (0/1 available)"), Duration.ZERO),
          0);
  private static final TenantState UPGRADING = new TenantState.Working(Activity.UPGRADING);
  private static final TenantState LEFTOVER = new TenantState.Skipped("Skipped: x", true, true);

  private static final List<TenantState> STATES =
      List.of(DEPLOYED, CONFIRMED, FAILED, STALLED, LOCKED, STARTING, UPGRADING, LEFTOVER);

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void the_whole_is_as_well_as_the_worst(
      String rule, TenantState a, TenantState b, List<String> expected) {
    var conditions = told(told(List.of(), "a", a), "b", b);

    assertThat(words(conditions)).as(rule).containsAll(expected);
    assertThat(words(told(told(List.of(), "b", b), "a", a)))
        .as("whoever comes first")
        .containsAll(expected);
  }

  static Stream<Arguments> the_whole_is_as_well_as_the_worst() {
    return Stream.of(
        Arguments.of("both well", DEPLOYED, DEPLOYED, List.of("Ready=TRUE/Deployed")),
        Arguments.of(
            "one in error",
            DEPLOYED,
            FAILED,
            List.of(
                "Ready=FALSE/InstallFailed",
                "ClusterReady/a=TRUE/Installed",
                "ClusterError/b=TRUE/InstallFailed",
                "Reconciling=TRUE/ProgressingWithRetry")),
        Arguments.of(
            "the other in error",
            FAILED,
            DEPLOYED,
            List.of("Ready=FALSE/InstallFailed", "Reconciling=TRUE/ProgressingWithRetry")),
        Arguments.of(
            "an error is worse than a start",
            FAILED,
            STARTING,
            List.of("Ready=FALSE/InstallFailed")),
        Arguments.of(
            "one starts",
            STARTING,
            DEPLOYED,
            List.of("Ready=FALSE/NotReady", "Reconciling=TRUE/WaitingForWorkloads")));
  }

  @Test
  void any_error_is_one_of_the_tenant_whoever_writes_last() {
    var conditions = told(told(List.of(), "a", FAILED), "b", DEPLOYED);

    assertThat(TenantPhase.of(conditions, false)).isEqualTo(RolloutPhase.ERROR);
    assertThat(
            conditions.stream()
                .filter(it -> it.type().equals("Ready"))
                .map(Condition::message)
                .toList())
        .containsExactly("on cluster a: taken");
  }

  static Stream<Arguments> two_names_come_to_the_same_words() {
    return STATES.stream()
        .flatMap(a -> STATES.stream().map(b -> Arguments.of(a, b)))
        .filter(pair -> !(pair.get()[0].equals(LEFTOVER) && pair.get()[1].equals(LEFTOVER)));
  }

  /** Each write of one wakes the other: if they never agreed, they would write without end. */
  @ParameterizedTest
  @MethodSource
  void two_names_come_to_the_same_words(TenantState a, TenantState b) {
    for (var beginning : STATES) {
      var conditions = told(told(List.of(), "a", beginning), "b", DEPLOYED);
      conditions = told(told(conditions, "a", a), "b", b);
      conditions = told(told(conditions, "a", a), "b", b);

      var settled = words(conditions);

      conditions = told(conditions, "a", a);
      assertThat(words(conditions)).as("a after %s", beginning).isEqualTo(settled);
      conditions = told(conditions, "b", b);
      assertThat(words(conditions)).as("b after %s", beginning).isEqualTo(settled);
    }
  }

  @Test
  void a_name_that_is_no_more_keeps_nobody_from_being_done() {
    var before = told(told(List.of(), "a", DEPLOYED), "b", DEPLOYED);
    var upgrading = told(before, "b", UPGRADING);
    assertThat(words(upgrading))
        .contains("Ready=UNKNOWN/Progressing", "Reconciling=TRUE/Progressing");

    var done =
        told(upgrading, "b", new Settled(new RolloutResult.Deployed(Change.UPGRADED, RELEASE), 0));

    assertThat(words(done)).contains("Ready=TRUE/Deployed", "Reconciling=FALSE/Idle");
  }

  private static TenantState failed(String message, int failures) {
    return new Settled(new RolloutResult.Failed(FailureReason.INSTALL_FAILED, message), failures);
  }

  private static List<Condition> told(List<Condition> before, String cluster, TenantState state) {
    return TenantConditionBuilder.conditions(cluster, before, state, new Rules(false, false));
  }

  private static List<String> words(List<Condition> conditions) {
    return conditions.stream()
        .map(it -> "%s=%s/%s".formatted(it.type(), it.status(), it.reason()))
        .sorted()
        .toList();
  }
}
