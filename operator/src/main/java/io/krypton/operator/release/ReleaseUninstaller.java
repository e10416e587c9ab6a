// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.Labels;
import io.krypton.operator.namespace.NamespaceTermination;
import io.krypton.operator.namespace.Owner;
import io.krypton.operator.namespace.OwnerLookup;
import io.krypton.operator.namespace.ReservedNamespaces;
import io.krypton.operator.release.ChartAccess.Waiter;
import io.krypton.operator.release.HelmActions.HelmReservation;
import io.krypton.operator.release.HelmActions.StepResult;
import io.krypton.operator.release.RolloutListener.RolloutEvent;
import io.krypton.operator.release.RolloutResult.FailureReason;
import io.krypton.operator.release.RolloutResult.WaitReason;
import io.krypton.operator.release.RolloutResult.Waiting;
import io.krypton.operator.release.decide.ReleaseHistory;
import io.krypton.operator.release.decide.ReleaseHistory.ReleaseOwner;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.helm.HelmClient;
import io.krypton.operator.release.helm.HelmOperation;
import io.krypton.operator.release.helm.HelmOperation.ReleaseKey;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Uninstalls a release and deletes its namespace, if that was created for the owner. */
public final class ReleaseUninstaller {
  /** After this time an owner stops waiting for its namespace to terminate. */
  static final Duration TERMINATION_TIMEOUT = Duration.ofMinutes(5);

  private static final Duration UNINSTALL_RECHECK = Duration.ofSeconds(5);

  private final HelmClient helm;
  private final ReleaseInspector releaseInspector;
  private final ReservedNamespaces reserved;
  private final Duration timeout;
  private final OwnerLookup owners;
  private final Clock clock;
  private final ObservationTimes terminating;
  private final Consumer<Waiter> enqueue;

  /**
   * @param enqueue called with an owner that was refused a Helm slot, when one is free for it
   */
  public ReleaseUninstaller(
      HelmClient helm,
      ReleaseInspector releaseInspector,
      ReservedNamespaces reserved,
      Duration timeout,
      OwnerLookup owners,
      Clock clock,
      Consumer<Waiter> enqueue) {
    this.helm = helm;
    this.releaseInspector = releaseInspector;
    this.reserved = reserved;
    this.timeout = timeout;
    this.owners = owners;
    this.clock = clock;
    this.terminating = new ObservationTimes(clock);
    this.enqueue = enqueue;
  }

  /** How far it got. */
  public sealed interface Progress {
    /** Nothing of it is left that we would remove. */
    record Removed() implements Progress {}

    /**
     * The namespace terminates; its watch enqueues the owner, at the latest after this time.
     *
     * @param blockedBy what keeps it, as soon as its conditions say so
     */
    record NamespaceTerminating(Duration requeueAfter, @Nullable String blockedBy)
        implements Progress {}

    /** The release is not removed, and this is why. */
    record Blocked(RolloutResult result) implements Progress {}
  }

  /**
   * Does the next step and returns; no worker waits for a namespace to terminate.
   *
   * @param byName also removes a release of the computed name whose owner does not exist; not for
   *     an owner that never had the namespace, because the release may be that of another claimant
   */
  public Progress advance(
      Owner owner,
      ReleaseName computedName,
      String workspace,
      TargetCluster target,
      boolean byName,
      RolloutListener rolloutListener)
      throws InterruptedException {
    var ours = new ReleaseOwner(owner.uid(), computedName);
    for (var release : target.readReleases(workspace).entrySet()) {
      var latest = release.getValue().latest();
      if (latest.isPresent()
          && (byName
              ? ours.owns(release.getKey(), latest.get(), uid -> owners.exists(target.name(), uid))
              : owner.uid().equals(latest.get().ownerUid()))) {
        var name = new ReleaseName(release.getKey());
        if (removeRelease(owner, name, workspace, target, rolloutListener)
            instanceof Progress.Blocked blocked) {
          return blocked;
        }
      }
    }
    // It may have reserved a slot for a release that somebody else removed.
    helm.releaseReservation(new ReleaseKey(target.name(), workspace, computedName));
    return removeNamespace(owner, workspace, target, rolloutListener);
  }

  /** Uninstalls one release and nothing else; the caller has checked its owner. */
  public Progress removeRelease(
      Owner owner,
      ReleaseName release,
      String workspace,
      TargetCluster target,
      RolloutListener rolloutListener)
      throws InterruptedException {
    var key = new ReleaseKey(target.name(), workspace, release);
    var waiter = Waiter.of(owner, target.name());
    try (var reservation = new HelmReservation(helm, key, () -> enqueue.accept(waiter))) {
      return reservation.tryReserve()
          ? uninstall(key, target, rolloutListener)
          : new Progress.Blocked(new RolloutResult.WaitingForHelmSlot());
    }
  }

  private Progress uninstall(ReleaseKey key, TargetCluster target, RolloutListener rolloutListener)
      throws InterruptedException {
    var operation =
        new HelmOperation.Uninstall(new HelmOperation.Target(key, target.kubeconfig(), timeout));
    return switch (StepResult.of(helm.run(operation), FailureReason.UNINSTALL_FAILED)) {
      case StepResult.Done done -> {
        releaseInspector.forget(target, key.namespace(), key.name().value());
        rolloutListener.onEvent(new RolloutEvent.Uninstalled(key.name()));
        yield new Progress.Removed();
      }
      case StepResult.Ended(var result) -> {
        if (result instanceof RolloutResult.Failed(var reason, var message)) {
          rolloutListener.onEvent(new RolloutEvent.UninstallFailed(key.name(), message));
        }
        yield new Progress.Blocked(result);
      }
    };
  }

  private Progress removeNamespace(
      Owner owner, String workspace, TargetCluster target, RolloutListener rolloutListener)
      throws InterruptedException {
    var place = target.name() + "/" + workspace;
    var live = target.client().namespaces().withName(workspace).get();
    var isOurs =
        live != null
            && live.getMetadata().getLabels() != null
            && owner.uid().equals(live.getMetadata().getLabels().get(Labels.OWNER_UID));
    if (!isOurs || reserved.rejects(workspace)) {
      terminating.forget(place);
      return new Progress.Removed();
    }
    if (live.getMetadata().getDeletionTimestamp() == null) {
      var releases = target.readReleases(workspace);
      if (releases.values().stream().anyMatch(it -> isOwnedBy(owner, it))) {
        // Another process is uninstalling it.
        return new Progress.Blocked(new Waiting(WaitReason.RELEASE_LOCKED, UNINSTALL_RECHECK));
      }
      if (!releases.isEmpty()) {
        terminating.forget(place);
        rolloutListener.onEvent(
            new RolloutEvent.WorkspaceKept(workspace, List.copyOf(releases.keySet())));
        return new Progress.Removed();
      }
      requestDeletion(live, target);
      rolloutListener.onEvent(new RolloutEvent.WorkspaceDeleteRequested(workspace));
    }
    // The timeout begins here: it does not include the uninstall.
    var since = terminating.firstSeen(place, live.getMetadata().getUid());
    var left = Duration.between(clock.instant(), since.plus(TERMINATION_TIMEOUT));
    if (left.isPositive()) {
      return new Progress.NamespaceTerminating(
          left, NamespaceTermination.blockedBy(live).orElse(null));
    }
    terminating.forget(place);
    rolloutListener.onEvent(new RolloutEvent.WorkspaceStuck(workspace));
    return new Progress.Removed();
  }

  /** Nothing is rolled out on this cluster any more. */
  public void forgetCluster(String cluster) {
    terminating.forgetIf(place -> place.substring(0, place.lastIndexOf('/')).equals(cluster));
  }

  private static boolean isOwnedBy(Owner owner, ReleaseHistory history) {
    return history.latest().filter(it -> owner.uid().equals(it.ownerUid())).isPresent();
  }

  /** Only the namespace that was read: another of the same name may have been created since. */
  private static void requestDeletion(Namespace live, TargetCluster target) {
    try {
      target.client().resource(live).lockResourceVersion().delete();
    } catch (KubernetesClientException refused) {
      if (refused.getCode() != HttpURLConnection.HTTP_NOT_FOUND
          && refused.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw refused;
      }
    }
  }
}
