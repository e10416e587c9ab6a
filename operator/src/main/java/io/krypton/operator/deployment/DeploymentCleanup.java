// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.deployment;

import io.krypton.api.Annotations;
import io.krypton.api.KryptonApi.Finalizers;
import io.krypton.api.event.EventReason;
import io.krypton.api.kryptondeployment.KryptonDeploymentStatus.DeploymentReasons;
import io.krypton.api.rollout.RolloutConditionTypes.RolloutReasons;
import io.krypton.multicluster.controller.Reconciler.ReconcileResult;
import io.krypton.operator.deployment.DeploymentEvents.DeploymentRolloutListener;
import io.krypton.operator.deployment.RegionClusters.Availability;
import io.krypton.operator.deployment.RegionRouting.KubeconfigRef;
import io.krypton.operator.release.NamespaceReconciler.OwnerLabels;
import io.krypton.operator.release.ReleaseUninstaller;
import io.krypton.operator.release.ReleaseUninstaller.Progress;
import io.krypton.operator.release.RolloutEventMessage;
import io.krypton.operator.release.RolloutResult;
import io.krypton.operator.release.RolloutResult.RequeuePolicy;
import io.krypton.operator.release.TargetCluster;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.reconcile.OwnerPatches;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Takes away what deployments put on clusters: when they are deleted, and where they were once. */
public final class DeploymentCleanup {
  /** Reasons that report the deletion already, perhaps with what blocks it. */
  private static final Set<String> DELETION_REASONS =
      Set.of(DeploymentReasons.HELM_UNINSTALL_FAILED, RolloutReasons.DELETING);

  private static final Duration UNREACHABLE_DELAY = Duration.ofSeconds(5);
  private static final String ORPHAN_HINT =
      "; to let the object go and leave the release behind, annotate it with %s=%s"
          .formatted(Annotations.DELETION_POLICY, Annotations.ORPHAN);

  private final ReleaseUninstaller uninstaller;
  private final DeploymentSettings settings;

  public DeploymentCleanup(ReleaseUninstaller releaseUninstaller, DeploymentSettings settings) {
    this.uninstaller = releaseUninstaller;
    this.settings = settings;
  }

  /** What keeps one target from being clean, and when to try again. */
  private sealed interface CleanupResult {
    record Done() implements CleanupResult {}

    record Waiting(Duration requeueAfter, @Nullable String blockedBy) implements CleanupResult {
      Waiting(Duration requeueAfter) {
        this(requeueAfter, null);
      }
    }

    record Blocked(String reason, String message, boolean retry) implements CleanupResult {}
  }

  void forgetCluster(String cluster) {
    uninstaller.forgetCluster(cluster);
  }

  /** The object was deleted: the finalizer falls only when every region has confirmed. */
  ReconcileResult delete(
      DeploymentStatusWriter writer,
      RegionAccess access,
      HomeDeployments homeDeployments,
      boolean orphan)
      throws InterruptedException {
    var deployment = writer.deployment();
    if (!deployment.getMetadata().getFinalizers().contains(Finalizers.KRYPTON_DEPLOYMENT)) {
      return ReconcileResult.done();
    }
    if (writer.target() == null && writer.isNew()) {
      // It is not known whether an older operator rolled it out.
      writer.routeTo(settings.routing().desiredTarget(deployment));
    }
    if (orphan) {
      disown(writer, access);
      writer
          .owner()
          .emit(new RolloutEventMessage(EventReason.RELEASE_ORPHANED, release(writer).value()));
      return finish(writer, homeDeployments);
    }
    if (writer.owner().annotation(Annotations.DELETING) == null) {
      writer.owner().annotate(Annotations.DELETING, "true");
      writer
          .owner()
          .emit(
              new RolloutEventMessage(
                  EventReason.DELETE_STARTED, "Routing delete to region " + writer.region()));
    }
    var blocked = (CleanupResult.@Nullable Blocked) null;
    var requeueAfter = (Duration) null;
    @Nullable String blockedBy = null;
    for (var kubeconfigRef : deployedTargets(writer)) {
      switch (clean(kubeconfigRef, writer, access)) {
        case CleanupResult.Done nothing -> writer.removeTarget(kubeconfigRef);
        case CleanupResult.Waiting(var delay, var why) -> {
          requeueAfter = requeueAfter == null ? delay : RequeuePolicy.shorter(delay, requeueAfter);
          blockedBy = why == null ? blockedBy : why;
        }
        case CleanupResult.Blocked it -> blocked = it;
      }
    }
    if (blocked != null) {
      writer.write(
          new DeploymentState.DeletionBlocked(blocked.reason(), blocked.message() + ORPHAN_HINT));
      return blocked.retry()
          ? ReconcileResult.retry(blocked.reason(), blocked.message())
          : ReconcileResult.postpone(settings.checkInterval());
    }
    if (requeueAfter != null) {
      writer.write(new DeploymentState.Deleting(blockedBy));
      return ReconcileResult.postpone(requeueAfter);
    }
    return finish(writer, homeDeployments);
  }

  /** An object that was never rolled out has left nothing anywhere. */
  private static List<KubeconfigRef> deployedTargets(DeploymentStatusWriter writer) {
    var touched = new ArrayList<>(writer.staleTargets());
    if (writer.target() != null) {
      touched.add(writer.target());
    }
    return touched;
  }

  /**
   * Takes it off its earlier clusters once it stands on the new one; the rest of its run is done.
   */
  ReconcileResult cleanStaleTargets(
      DeploymentStatusWriter writer,
      RegionAccess access,
      TargetCluster present,
      ReconcileResult otherwise)
      throws InterruptedException {
    var requeueAfter = (Duration) null;
    var cleaned = false;
    for (var stale : writer.staleTargets()) {
      var sameServer = sameServer(access.availability(stale), present);
      if (sameServer == SameServer.YES) {
        writer.removeTarget(stale);
        cleaned = true;
      }
      if (sameServer != SameServer.NO) {
        continue; // Of an unknown server nothing is removed: it may be the present one.
      }
      switch (clean(stale, writer, access)) {
        case CleanupResult.Done nothing -> {
          writer.removeTarget(stale);
          writer.removeFingerprint(stale);
          cleaned = true;
        }
        case CleanupResult.Waiting(var delay, var why) ->
            requeueAfter =
                requeueAfter == null ? delay : RequeuePolicy.shorter(delay, requeueAfter);
        case CleanupResult.Blocked blocked -> {
          if (blocked.retry()) {
            requeueAfter = UNREACHABLE_DELAY;
          }
        }
      }
    }
    if (cleaned) {
      writer.write(new DeploymentState.Routed());
    }
    return requeueAfter == null
        ? otherwise
        : ReconcileResult.requeueAfter(
            RequeuePolicy.shorter(requeueAfter, settings.checkInterval()));
  }

  /** Two Secrets may lead to one cluster: what is deployed there under the new name must stay. */
  private static SameServer sameServer(Availability stale, TargetCluster present) {
    return stale instanceof Availability.Available(var cluster)
        ? SameServer.of(identity(cluster), identity(present))
        : SameServer.NO;
  }

  /** Whether two kubeconfigs lead to one API server. */
  enum SameServer {
    YES,
    NO,
    UNKNOWN;

    /** By the UIDs of their kube-system; two servers without it cannot be told apart. */
    static SameServer of(@Nullable String stale, @Nullable String present) {
      if (stale == null && present == null) {
        return UNKNOWN;
      }
      return Objects.equals(stale, present) ? YES : NO;
    }
  }

  private static @Nullable String identity(TargetCluster cluster) {
    var system = cluster.client().namespaces().withName("kube-system").get();
    return system == null ? null : system.getMetadata().getUid();
  }

  private CleanupResult clean(
      KubeconfigRef kubeconfigRef, DeploymentStatusWriter writer, RegionAccess access)
      throws InterruptedException {
    return switch (access.availability(kubeconfigRef)) {
      case Availability.Connecting connecting -> new CleanupResult.Waiting(UNREACHABLE_DELAY);
      case Availability.Unavailable(var why) ->
          new CleanupResult.Blocked(
              DeploymentReasons.EDGE_UNAVAILABLE,
              "Edge cluster %s not available: %s".formatted(writer.region(), why),
              false);
      case Availability.Available(var cluster) -> {
        if (!DELETION_REASONS.contains(writer.readyReason()) && writer.isBeingDeleted()) {
          writer.write(new DeploymentState.Deleting());
        }
        try (var permit = access.tryAcquire(kubeconfigRef).orElse(null)) {
          yield permit == null
              ? new CleanupResult.Waiting(settings.checkInterval())
              : uninstall(writer, cluster, access.isFirstClaimant(kubeconfigRef));
        }
      }
    };
  }

  private CleanupResult uninstall(
      DeploymentStatusWriter writer, TargetCluster cluster, boolean mayHaveHadTheNamespace)
      throws InterruptedException {
    var progress =
        uninstaller.advance(
            HomeDeployments.ownerOf(writer.deployment()),
            release(writer),
            writer.workspace(),
            cluster,
            mayHaveHadTheNamespace,
            new DeploymentRolloutListener(writer));
    return switch (progress) {
      case Progress.Removed gone -> new CleanupResult.Done();
      case Progress.NamespaceTerminating(var requeueAfter, var blockedBy) ->
          new CleanupResult.Waiting(requeueAfter, blockedBy);
      case Progress.Blocked(RolloutResult.Failed(var reason, var message)) ->
          new CleanupResult.Blocked(
              DeploymentReasons.HELM_UNINSTALL_FAILED,
              "Uninstall on region %s failed: %s".formatted(writer.region(), message),
              true);
      case Progress.Blocked(RolloutResult.WaitingForHelmSlot waiting) ->
          new CleanupResult.Waiting(settings.checkInterval());
      case Progress.Blocked blocked -> new CleanupResult.Waiting(UNREACHABLE_DELAY);
    };
  }

  private void disown(DeploymentStatusWriter writer, RegionAccess access) {
    for (var kubeconfigRef : deployedTargets(writer)) {
      if (access.availability(kubeconfigRef) instanceof Availability.Available(var cluster)) {
        OwnerLabels.remove(
            HomeDeployments.ownerOf(writer.deployment()), writer.workspace(), cluster);
      }
    }
  }

  private static ReconcileResult finish(
      DeploymentStatusWriter writer, HomeDeployments homeDeployments) {
    if (OwnerPatches.removeFinalizer(
            homeDeployments.client(), writer.deployment(), Finalizers.KRYPTON_DEPLOYMENT)
        .isPresent()) {
      writer
          .owner()
          .emit(
              new RolloutEventMessage(
                  EventReason.FINALIZER_REMOVED, "Finalizer removed, deletion complete"));
    }
    return ReconcileResult.done();
  }

  private static ReleaseName release(DeploymentStatusWriter writer) {
    return ReleaseName.ofDeployment(writer.workspace());
  }
}
