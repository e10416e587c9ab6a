// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.condition.Condition;
import io.krypton.api.kryptondeployment.KryptonDeploymentStatus;
import io.krypton.operator.deployment.DeploymentState.Settled;
import io.krypton.operator.release.RolloutListener.Activity;
import io.krypton.operator.release.RolloutResult;
import io.krypton.operator.release.RolloutResult.Change;
import io.krypton.operator.release.RolloutResult.FailureReason;
import io.krypton.operator.release.RolloutResult.WaitReason;
import io.krypton.operator.release.decide.DeployedRelease;
import io.krypton.operator.release.decide.Fingerprint;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.reconcile.RolloutConditions.Rules;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** States as users read them: phase, condition Ready, Reconciling, Stalled, and the events. */
class DeploymentConditionBuilderTest {
  private static final DeployedRelease RELEASE =
      new DeployedRelease(
          new ReleaseName("ced-a"), "a", 1, "uid", new Fingerprint("0".repeat(64)), "r/c:1");
  private static final Rules STRICT = new Rules(false, false);
  private static final Rules FRESH = new Rules(false, true);
  private static final Rules SKIPPING = new Rules(true, false);
  private static final KryptonDeploymentStatus NEW = KryptonDeploymentStatus.EMPTY;
  private static final KryptonDeploymentStatus READY =
      after(NEW, new Settled(new RolloutResult.Deployed(Change.INSTALLED, RELEASE), 0), STRICT);
  private static final KryptonDeploymentStatus FAILED =
      after(NEW, failure(FailureReason.INSTALL_FAILED, 0), STRICT);
  private static final KryptonDeploymentStatus REPAIRING =
      after(READY, new DeploymentState.Repairing("Detected missing"), STRICT);

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void a_state_is_told(
      String rule,
      KryptonDeploymentStatus before,
      DeploymentState state,
      Rules rules,
      String expected,
      List<String> events) {
    var after = after(before, state, rules);
    assertThat(words(after)).isEqualTo(expected);
    assertThat(DeploymentEvents.ofChange(before.conditions(), after.conditions(), "eu"))
        .extracting(event -> event.reason().value())
        .isEqualTo(events);
    assertThat(after(after, state, rules)).as("said twice").isEqualTo(after);
  }

  static Stream<Arguments> a_state_is_told() {
    return Stream.of(
        row(
            "where it goes is said first, and that it is not there yet",
            NEW,
            new DeploymentState.Routed(),
            "PENDING Ready=UNKNOWN/Progressing Reconciling=TRUE/Progressing"
                + " Stalled=FALSE/NotStalled"),
        row(
            "a new target takes nothing from what stands",
            READY,
            new DeploymentState.Routed(),
            "READY Ready=TRUE/Deployed Reconciling=FALSE/Idle Stalled=FALSE/NotStalled"),
        row(
            "who waits for its wave stays ready, and says that there is more to come",
            READY,
            new Settled(
                new RolloutResult.Deployed(Change.NONE, RELEASE).held("RolloutWaiting", "wave 3"),
                0),
            "READY Ready=TRUE/Deployed Reconciling=TRUE/RolloutWaiting Stalled=FALSE/NotStalled"),
        row(
            "its cluster is being engaged for the first time",
            NEW,
            new DeploymentState.Connecting(),
            "PENDING Ready=UNKNOWN/Progressing Reconciling=TRUE/Progressing"
                + " Stalled=FALSE/NotStalled"),
        row(
            "after a restart what was said holds while its cluster is engaged",
            READY,
            new DeploymentState.Connecting(),
            "READY Ready=TRUE/Deployed Reconciling=FALSE/Idle Stalled=FALSE/NotStalled"),
        row(
            "its cluster cannot be used",
            READY,
            new DeploymentState.Unavailable("no route"),
            "ERROR Ready=FALSE/EdgeUnavailable Reconciling=TRUE/ProgressingWithRetry"
                + " Stalled=FALSE/NotStalled",
            "EdgeUnavailable"),
        row(
            "refused until somebody changes it",
            NEW,
            new DeploymentState.Rejected("AccountMissing", "Spec.account.name must be set"),
            "ERROR Ready=FALSE/AccountMissing Reconciling=FALSE/Stalled"
                + " Stalled=TRUE/AccountMissing",
            "AccountMissing"),
        row(
            "a first install is pending",
            NEW,
            new DeploymentState.Working(Activity.INSTALLING),
            "PENDING Ready=UNKNOWN/Progressing Reconciling=TRUE/Progressing"
                + " Stalled=FALSE/NotStalled"),
        row(
            "a running upgrade keeps the phase",
            READY,
            new DeploymentState.Working(Activity.UPGRADING),
            "READY Ready=UNKNOWN/Progressing Reconciling=TRUE/Progressing"
                + " Stalled=FALSE/NotStalled"),
        row(
            "another try of what failed is no news",
            FAILED,
            new DeploymentState.Working(Activity.INSTALLING),
            "ERROR Ready=FALSE/HelmFailed Reconciling=TRUE/ProgressingWithRetry"
                + " Stalled=FALSE/NotStalled"),
        row(
            "a try after a change is",
            FAILED,
            new DeploymentState.Working(Activity.UPGRADING),
            FRESH,
            "PENDING Ready=UNKNOWN/Progressing Reconciling=TRUE/Progressing"
                + " Stalled=FALSE/NotStalled"),
        row(
            "a repair is pending, and told when it is found",
            READY,
            new DeploymentState.Repairing("Detected missing"),
            "PENDING Ready=FALSE/RepairTriggered Reconciling=TRUE/Progressing"
                + " Stalled=FALSE/NotStalled"),
        row(
            "the upgrade that repairs does not hide why",
            REPAIRING,
            new DeploymentState.Working(Activity.UPGRADING),
            "PENDING Ready=FALSE/RepairTriggered Reconciling=TRUE/Progressing"
                + " Stalled=FALSE/NotStalled"),
        row(
            "deployed",
            REPAIRING,
            new Settled(new RolloutResult.Deployed(Change.UPGRADED, RELEASE), 0),
            "READY Ready=TRUE/Deployed Reconciling=FALSE/Idle Stalled=FALSE/NotStalled",
            "Ready"),
        row(
            "deployed as before",
            READY,
            new Settled(new RolloutResult.Deployed(Change.NONE, RELEASE), 0),
            "READY Ready=TRUE/Deployed Reconciling=FALSE/Idle Stalled=FALSE/NotStalled"),
        row(
            "workloads take their time",
            NEW,
            pending("Deployment/x (0/1 available)"),
            "PENDING Ready=FALSE/NotReady Reconciling=TRUE/WaitingForWorkloads"
                + " Stalled=FALSE/NotStalled",
            "NotReady"),
        row(
            "a shorter list of them is no news",
            after(NEW, pending("Deployment/x (0/1 available)", "Job/y (not complete)"), STRICT),
            pending("Deployment/x (0/1 available)"),
            "PENDING Ready=FALSE/NotReady Reconciling=TRUE/WaitingForWorkloads"
                + " Stalled=FALSE/NotStalled"),
        row(
            "workloads took too long, which is no error",
            after(NEW, pending("Deployment/x (0/1 available)"), STRICT),
            failure(FailureReason.WORKLOADS_NOT_READY, 0),
            "PENDING Ready=FALSE/NotReady Reconciling=FALSE/Stalled Stalled=TRUE/WorkloadsNotReady",
            "WorkloadsNotReady"),
        row(
            "Helm fails",
            READY,
            failure(FailureReason.UPGRADE_FAILED, 0),
            "ERROR Ready=FALSE/HelmFailed Reconciling=TRUE/ProgressingWithRetry"
                + " Stalled=FALSE/NotStalled",
            "HelmDeployFailed"),
        row(
            "Helm fails for the fifth time",
            FAILED,
            failure(FailureReason.INSTALL_FAILED, 4),
            "ERROR Ready=FALSE/HelmFailed Reconciling=FALSE/Stalled Stalled=TRUE/HelmFailed"),
        row(
            "a restarted operator knows that it was stalled",
            after(FAILED, failure(FailureReason.INSTALL_FAILED, 4), STRICT),
            failure(FailureReason.INSTALL_FAILED, 0),
            "ERROR Ready=FALSE/HelmFailed Reconciling=FALSE/Stalled Stalled=TRUE/HelmFailed"),
        row(
            "no chart",
            READY,
            failure(FailureReason.CHART_NOT_LOADED, 0),
            "ERROR Ready=FALSE/HelmFailed Reconciling=TRUE/ProgressingWithRetry"
                + " Stalled=FALSE/NotStalled",
            "HelmDeployFailed"),
        row(
            "no chart, which may be skipped, takes nothing from what stands",
            READY,
            failure(FailureReason.CHART_NOT_LOADED, 0),
            SKIPPING,
            "READY Ready=TRUE/Deployed Reconciling=TRUE/ProgressingWithRetry"
                + " Stalled=FALSE/NotStalled"),
        row(
            "no chart, which may be skipped, keeps a new one pending",
            NEW,
            failure(FailureReason.CHART_NOT_LOADED, 0),
            SKIPPING,
            "PENDING Ready=FALSE/HelmFailed Reconciling=TRUE/ProgressingWithRetry"
                + " Stalled=FALSE/NotStalled",
            "HelmDeployFailed"),
        row(
            "another has the namespace",
            NEW,
            failure(FailureReason.NAMESPACE_CONFLICT, 0),
            "ERROR Ready=FALSE/NamespaceConflict Reconciling=FALSE/Stalled"
                + " Stalled=TRUE/NamespaceConflict",
            "NamespaceConflict"),
        row(
            "values are missing",
            NEW,
            failure(FailureReason.VALUES_NOT_FOUND, 0),
            "ERROR Ready=FALSE/ValuesNotFound Reconciling=TRUE/ProgressingWithRetry"
                + " Stalled=FALSE/NotStalled",
            "ValuesNotFound"),
        row(
            "what is deployed cannot be read",
            READY,
            new Settled(new RolloutResult.InspectionFailed(RELEASE, "the Secret is gone"), 0),
            "ERROR Ready=FALSE/HealthCheckFailed Reconciling=TRUE/ProgressingWithRetry"
                + " Stalled=FALSE/NotStalled",
            "HealthCheckFailed"),
        row(
            "somebody else's Helm is at work",
            READY,
            new Settled(new RolloutResult.Waiting(WaitReason.RELEASE_LOCKED, null), 0),
            "READY Ready=TRUE/Deployed Reconciling=TRUE/ReleaseLocked Stalled=FALSE/NotStalled"),
        row(
            "others undo our repairs",
            REPAIRING,
            new Settled(new RolloutResult.Waiting(WaitReason.TOO_MANY_REPAIRS, null), 0),
            "PENDING Ready=FALSE/RepairTriggered Reconciling=TRUE/ProgressingWithRetry"
                + " Stalled=FALSE/NotStalled"),
        row(
            "suspended",
            READY,
            new DeploymentState.Suspended(),
            "READY Ready=TRUE/Deployed Reconciling=FALSE/Suspended Stalled=FALSE/NotStalled",
            "Suspended"),
        row(
            "resumed",
            after(READY, new DeploymentState.Suspended(), STRICT),
            new Settled(new RolloutResult.Deployed(Change.NONE, RELEASE), 0),
            "READY Ready=TRUE/Deployed Reconciling=FALSE/Idle Stalled=FALSE/NotStalled",
            "Resumed"),
        row(
            "deleted",
            READY,
            new DeploymentState.Deleting(),
            "PENDING Ready=FALSE/Deleting Reconciling=TRUE/Progressing Stalled=FALSE/NotStalled"),
        row(
            "deleted while its region is down",
            READY,
            new DeploymentState.DeletionBlocked("EdgeUnavailable", "down"),
            "ERROR Ready=FALSE/EdgeUnavailable Reconciling=TRUE/ProgressingWithRetry"
                + " Stalled=FALSE/NotStalled",
            "EdgeUnavailable"),
        row(
            "its uninstall failed, which the journal tells",
            after(READY, new DeploymentState.Deleting(), STRICT),
            new DeploymentState.DeletionBlocked("HelmUninstallFailed", "hook failed"),
            "ERROR Ready=FALSE/HelmUninstallFailed Reconciling=TRUE/ProgressingWithRetry"
                + " Stalled=FALSE/NotStalled"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void a_step_that_was_not_written_ends_as_one_that_was(
      String rule, KryptonDeploymentStatus before, DeploymentState end) {
    var step = new DeploymentState.Working(Activity.UPGRADING);
    for (var rules : List.of(STRICT, FRESH, SKIPPING)) {
      var result = DeploymentConditionBuilder.of("eu", before, List.of(step, end), rules);

      assertThat(result.conditions())
          .as(rule)
          .isEqualTo(after(after(before, step, rules), end, rules).conditions());
      assertThat(result.phase()).isEqualTo(after(after(before, step, rules), end, rules).phase());
    }
  }

  static Stream<Arguments> a_step_that_was_not_written_ends_as_one_that_was() {
    return Stream.of(
        Arguments.of("deployed", READY, ended(Change.UPGRADED)),
        Arguments.of("deployed after a failure", FAILED, ended(Change.UPGRADED)),
        Arguments.of("failed", READY, failure(FailureReason.UPGRADE_FAILED, 0)),
        Arguments.of("failed again", FAILED, failure(FailureReason.UPGRADE_FAILED, 1)),
        Arguments.of("waiting for workloads", NEW, pending("Deployment/x (0/1 available)")));
  }

  private static Settled ended(Change change) {
    return new Settled(new RolloutResult.Deployed(change, RELEASE), 0);
  }

  @Test
  void messages_are_those_that_users_know() {
    assertThat(ready(READY).message()).isEqualTo("Successfully deployed to region eu");
    assertThat(ready(FAILED).message()).isEqualTo("Helm deployment failed: it broke");
    assertThat(ready(after(NEW, pending("Job/y (not complete)"), STRICT)).message())
        .isEqualTo("Workloads not yet ready: Job/y (not complete)");
    assertThat(ready(after(NEW, new DeploymentState.Unavailable("no route"), STRICT)).message())
        .isEqualTo("Edge cluster eu not available: no route");
  }

  private static Settled pending(String... workloads) {
    return new Settled(
        new RolloutResult.WorkloadsPending(
            Change.NONE, RELEASE, List.of(workloads), Duration.ofMinutes(1)),
        0);
  }

  private static Settled failure(FailureReason failureReason, int failures) {
    return new Settled(new RolloutResult.Failed(failureReason, "it broke"), failures);
  }

  private static Arguments row(
      String rule,
      KryptonDeploymentStatus before,
      DeploymentState state,
      String expected,
      String... events) {
    return row(rule, before, state, STRICT, expected, events);
  }

  private static Arguments row(
      String rule,
      KryptonDeploymentStatus before,
      DeploymentState state,
      Rules rules,
      String expected,
      String... events) {
    return Arguments.of(rule, before, state, rules, expected, List.of(events));
  }

  private static KryptonDeploymentStatus after(
      KryptonDeploymentStatus before, DeploymentState state, Rules rules) {
    var result = DeploymentConditionBuilder.of("eu", before, state, rules);
    return new KryptonDeploymentStatus(
        null,
        result.phase(),
        null,
        null,
        null,
        List.of(),
        null,
        null,
        null,
        List.of(),
        result.conditions());
  }

  private static Condition ready(KryptonDeploymentStatus status) {
    return status.conditions().stream()
        .filter(condition -> condition.type().equals("Ready"))
        .findFirst()
        .orElseThrow();
  }

  private static String words(KryptonDeploymentStatus status) {
    var words = new StringBuilder(String.valueOf(status.phase()));
    for (var type : List.of("Ready", "Reconciling", "Stalled")) {
      status.conditions().stream()
          .filter(condition -> condition.type().equals(type))
          .forEach(it -> words.append(" %s=%s/%s".formatted(type, it.status(), it.reason())));
    }
    return words.toString();
  }
}
