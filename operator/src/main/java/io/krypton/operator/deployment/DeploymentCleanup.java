package io.krypton.operator.deployment;

import io.krypton.api.Annotations;
import io.krypton.api.Finalizers;
import io.krypton.api.deployment.DeploymentReasons;
import io.krypton.api.rollout.RolloutReasons;
import io.krypton.multicluster.controller.Outcome;
import io.krypton.operator.release.ReleaseName;
import io.krypton.operator.rollout.Disowning;
import io.krypton.operator.rollout.NextLook;
import io.krypton.operator.rollout.OwnerPatches;
import io.krypton.operator.rollout.TargetCluster;
import io.krypton.operator.rollout.Withdrawal;
import io.krypton.operator.rollout.Withdrawal.Progress;
import io.krypton.operator.rollout.Words;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Takes away what deployments put on clusters: when they are deleted, and where they were once. */
public final class DeploymentCleanup {
  /** Reasons that tell of the deletion already, perhaps with more than that it has begun. */
  private static final Set<String> SAID =
      Set.of(DeploymentReasons.HELM_UNINSTALL_FAILED, RolloutReasons.DELETING);

  private static final Duration OUT_OF_REACH_PAUSE = Duration.ofSeconds(5);
  private static final String WAY_OUT =
      "; to let the object go and leave the release behind, annotate it with %s=%s"
          .formatted(Annotations.DELETION_POLICY, Annotations.ORPHAN);

  private final Withdrawal withdrawal;
  private final DeploymentSettings settings;

  public DeploymentCleanup(Withdrawal withdrawal, DeploymentSettings settings) {
    this.withdrawal = withdrawal;
    this.settings = settings;
  }

  /** What keeps one target from being clean, and when to look again. */
  private sealed interface Left {
    record Nothing() implements Left {}

    record Waiting(Duration lookAgain, @Nullable String heldBy) implements Left {
      Waiting(Duration lookAgain) {
        this(lookAgain, null);
      }
    }

    record Blocked(String reason, String message, boolean retry) implements Left {}
  }

  /** The object was deleted: the finalizer falls only when every region has confirmed. */
  Outcome delete(DeploymentRecord record, EdgeSight sight, Home home, boolean orphan)
      throws InterruptedException {
    var deployment = record.deployment();
    if (!deployment.getMetadata().getFinalizers().contains(Finalizers.KRYPTON_DEPLOYMENT)) {
      return Outcome.done();
    }
    if (record.target() == null && record.isNew()) {
      // Of an object that an older operator looked after it is not known whether it was rolled out.
      record.routeTo(settings.routing().target(deployment));
    }
    if (orphan) {
      disown(record, sight);
      record.announce(Words.normal("ReleaseOrphaned", release(record).value()));
      return finish(record, home);
    }
    if (record.annotation(Annotations.DELETING) == null) {
      record.annotate(Annotations.DELETING, "true");
      record.announce(Words.normal("DeleteStarted", "Routing delete to region " + record.region()));
    }
    var blocked = (Left.@Nullable Blocked) null;
    var lookAgain = (Duration) null;
    @Nullable String heldBy = null;
    for (var target : touched(record)) {
      switch (clean(target, record, sight)) {
        case Left.Nothing nothing -> record.cleaned(target);
        case Left.Waiting(var pause, var why) -> {
          lookAgain = lookAgain == null ? pause : NextLook.sooner(pause, lookAgain);
          heldBy = why == null ? heldBy : why;
        }
        case Left.Blocked it -> blocked = it;
      }
    }
    if (blocked != null) {
      record.report(
          new DeploymentState.DeletionBlocked(blocked.reason(), blocked.message() + WAY_OUT));
      return blocked.retry()
          ? Outcome.retry(blocked.reason(), blocked.message())
          : Outcome.postpone(settings.checkInterval());
    }
    if (lookAgain != null) {
      record.report(new DeploymentState.Deleting(heldBy));
      return Outcome.postpone(lookAgain);
    }
    return finish(record, home);
  }

  /** An object that was never rolled out has left nothing anywhere. */
  private static List<Target> touched(DeploymentRecord record) {
    var touched = new ArrayList<>(record.staleTargets());
    if (record.target() != null) {
      touched.add(record.target());
    }
    return touched;
  }

  /**
   * Takes it off its earlier clusters once it stands on the new one; the rest of its run is done.
   */
  Outcome leaveStale(
      DeploymentRecord record, EdgeSight sight, TargetCluster present, Outcome otherwise)
      throws InterruptedException {
    var lookAgain = (Duration) null;
    var cleaned = false;
    for (var stale : record.staleTargets()) {
      if (isSameCluster(sight.look(stale), present)) {
        record.cleaned(stale);
        cleaned = true;
        continue;
      }
      switch (clean(stale, record, sight)) {
        case Left.Nothing nothing -> {
          record.cleaned(stale);
          record.forget(stale);
          cleaned = true;
        }
        case Left.Waiting(var pause, var why) ->
            lookAgain = lookAgain == null ? pause : NextLook.sooner(pause, lookAgain);
        case Left.Blocked blocked -> {
          if (blocked.retry()) {
            lookAgain = OUT_OF_REACH_PAUSE;
          }
        }
      }
    }
    if (cleaned) {
      record.report(new DeploymentState.Routed());
    }
    return lookAgain == null
        ? otherwise
        : Outcome.requeueAfter(NextLook.sooner(lookAgain, settings.checkInterval()));
  }

  /** Two Secrets may lead to one cluster: what stands there under the new name must stay. */
  private static boolean isSameCluster(Edge stale, TargetCluster present) {
    return stale instanceof Edge.Usable(var cluster)
        && Objects.equals(identity(cluster), identity(present));
  }

  private static @Nullable String identity(TargetCluster cluster) {
    var system = cluster.client().namespaces().withName("kube-system").get();
    return system == null ? null : system.getMetadata().getUid();
  }

  private Left clean(Target target, DeploymentRecord record, EdgeSight sight)
      throws InterruptedException {
    return switch (sight.look(target)) {
      case Edge.Opening opening -> new Left.Waiting(OUT_OF_REACH_PAUSE);
      case Edge.Unavailable(var why) ->
          new Left.Blocked(
              DeploymentReasons.EDGE_UNAVAILABLE,
              "Edge cluster %s not available: %s".formatted(record.region(), why),
              false);
      case Edge.Usable(var cluster) -> {
        if (!SAID.contains(record.reason()) && record.isBeingDeleted()) {
          record.report(new DeploymentState.Deleting());
        }
        try (var turn = sight.turn(target).orElse(null)) {
          yield turn == null
              ? new Left.Waiting(settings.checkInterval())
              : withdraw(record, cluster, sight.isFirstClaimant(target));
        }
      }
    };
  }

  private Left withdraw(
      DeploymentRecord record, TargetCluster cluster, boolean mayHaveHadTheNamespace)
      throws InterruptedException {
    var progress =
        withdrawal.advance(
            Home.ownerOf(record.deployment()),
            release(record),
            record.workspace(),
            cluster,
            mayHaveHadTheNamespace,
            new DeploymentJournal(record));
    return switch (progress) {
      case Progress.Gone gone -> new Left.Nothing();
      case Progress.NamespaceTerminating(var lookAgain, var heldBy) ->
          new Left.Waiting(lookAgain, heldBy);
      case Progress.Failed(var message) ->
          new Left.Blocked(
              DeploymentReasons.HELM_UNINSTALL_FAILED,
              "Uninstall on region %s failed: %s".formatted(record.region(), message),
              true);
      case Progress.WaitingForTurn waiting -> new Left.Waiting(settings.checkInterval());
      case Progress.OutOfReach outOfReach -> new Left.Waiting(OUT_OF_REACH_PAUSE);
    };
  }

  private void disown(DeploymentRecord record, EdgeSight sight) {
    for (var target : touched(record)) {
      if (sight.look(target) instanceof Edge.Usable(var cluster)) {
        Disowning.of(Home.ownerOf(record.deployment()), record.workspace(), cluster);
      }
    }
  }

  private static Outcome finish(DeploymentRecord record, Home home) {
    if (OwnerPatches.removeFinalizer(
            home.client(), record.deployment(), Finalizers.KRYPTON_DEPLOYMENT)
        .isPresent()) {
      record.announce(Words.normal("FinalizerRemoved", "Finalizer removed, deletion complete"));
    }
    return Outcome.done();
  }

  private static ReleaseName release(DeploymentRecord record) {
    return ReleaseName.ofDeployment(record.workspace());
  }
}
