package io.krypton.operator.release;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.Labels;
import io.krypton.operator.namespace.NamespaceTermination;
import io.krypton.operator.namespace.Owner;
import io.krypton.operator.namespace.OwnerLookup;
import io.krypton.operator.namespace.ReservedNamespaces;
import io.krypton.operator.release.CentralChart.Waiter;
import io.krypton.operator.release.RolloutListener.Activity;
import io.krypton.operator.release.RolloutListener.RolloutEvent;
import io.krypton.operator.release.decide.ReleaseHistory;
import io.krypton.operator.release.decide.ReleaseHistory.ReleaseOwner;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.helm.HelmClient;
import io.krypton.operator.release.helm.HelmOperation;
import io.krypton.operator.release.helm.HelmOperation.ReleaseKey;
import io.krypton.operator.release.helm.HelmResult;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Takes a release, and the namespace if it was made for it, off a cluster again. */
public final class ReleaseUninstaller {
  /** So long a namespace may take to go before its owner stops waiting for it. */
  static final Duration TERMINATION_TIMEOUT = Duration.ofMinutes(5);

  private final HelmClient helm;
  private final ReleaseInspector releaseInspector;
  private final ReservedNamespaces reserved;
  private final Duration timeout;
  private final OwnerLookup owners;
  private final Clock clock;
  private final ObservationTimes terminating;
  private final Consumer<Waiter> enqueue;

  /** Whoever finds no turn at Helm comes again by itself. */
  public ReleaseUninstaller(
      HelmClient helm,
      ReleaseInspector releaseInspector,
      ReservedNamespaces reserved,
      Duration timeout,
      OwnerLookup owners,
      Clock clock) {
    this(helm, releaseInspector, reserved, timeout, owners, clock, nobody -> {});
  }

  /**
   * Nothing is done yet.
   *
   * @param wake called for those who found no turn at Helm, when there is one for them
   */
  public ReleaseUninstaller(
      HelmClient helm,
      ReleaseInspector releaseInspector,
      ReservedNamespaces reserved,
      Duration timeout,
      OwnerLookup owners,
      Clock clock,
      Consumer<Waiter> wake) {
    this.helm = helm;
    this.releaseInspector = releaseInspector;
    this.reserved = reserved;
    this.timeout = timeout;
    this.owners = owners;
    this.clock = clock;
    this.terminating = new ObservationTimes(clock);
    this.enqueue = wake;
  }

  /** How far it got. */
  public sealed interface Progress {
    /** Nothing of it is left that we would remove. */
    record Removed() implements Progress {}

    /**
     * The namespace is on its way out; its watch tells, at the latest look again after this time.
     *
     * @param blockedBy what keeps it, as soon as its conditions say so
     */
    record NamespaceTerminating(Duration requeueAfter, @Nullable String blockedBy)
        implements Progress {}

    record Failed(String message) implements Progress {}

    record ClusterUnreachable(String message) implements Progress {}

    /** Helm is busy with others; its owner is called when it is its turn. */
    record WaitingForHelmSlot() implements Progress {}
  }

  /** Does the next thing and returns; no worker waits for a namespace to go. */
  public Progress advance(
      Owner owner,
      ReleaseName computedName,
      String workspace,
      TargetCluster target,
      RolloutListener rolloutListener)
      throws InterruptedException {
    return advance(owner, computedName, workspace, target, true, rolloutListener);
  }

  /**
   * As the other one.
   *
   * @param byName also takes a release of the computed name that has no living owner; not for an
   *     owner who never had the namespace, because the release may be its rival's
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
        var failure =
            uninstall(owner, new ReleaseName(release.getKey()), workspace, target, rolloutListener);
        if (failure != null) {
          return failure;
        }
      }
    }
    // It may have been called for a release that went in another way.
    helm.releaseReservation(new ReleaseKey(target.name(), workspace, computedName));
    return removeNamespace(owner, workspace, target, rolloutListener);
  }

  /** Takes one release off and nothing else; whose it is was looked at before. */
  public Progress removeRelease(
      Owner owner,
      ReleaseName release,
      String workspace,
      TargetCluster target,
      RolloutListener rolloutListener)
      throws InterruptedException {
    var failure = uninstall(owner, release, workspace, target, rolloutListener);
    return failure == null ? new Progress.Removed() : failure;
  }

  private @Nullable Progress uninstall(
      Owner owner,
      ReleaseName release,
      String workspace,
      TargetCluster target,
      RolloutListener rolloutListener)
      throws InterruptedException {
    var key = new ReleaseKey(target.name(), workspace, release);
    var waiter = Waiter.of(owner, target.name());
    try (var turn = new HelmReservation(helm, key, () -> enqueue.accept(waiter))) {
      return turn.tryReserve()
          ? uninstall(key, target, rolloutListener)
          : new Progress.WaitingForHelmSlot();
    }
  }

  private @Nullable Progress uninstall(
      ReleaseKey key, TargetCluster target, RolloutListener rolloutListener)
      throws InterruptedException {
    var release = key.name();
    rolloutListener.onStepStarted(Activity.DELETING, release, false);
    var result =
        helm.run(
            new HelmOperation.Uninstall(
                new HelmOperation.Target(key, target.kubeconfig(), timeout)));
    return switch (result) {
      case HelmResult.Done done -> {
        releaseInspector.forget(target, key.namespace(), release.value());
        rolloutListener.onEvent(new RolloutEvent.Uninstalled(release));
        yield null;
      }
      case HelmResult.Unreachable(var message) -> new Progress.ClusterUnreachable(message);
      case HelmResult.Stopped stopped -> throw new InterruptedException("uninstall was stopped");
      case HelmResult.Failed(var message) -> failed(release, message, rolloutListener);
      case HelmResult.TimedOut(var limit, var message) ->
          failed(
              release,
              "not done within %d s: %s".formatted(limit.toSeconds(), message),
              rolloutListener);
      case HelmResult.Busy(var reason) ->
          new Progress.ClusterUnreachable(reason); // Its turn will come.
      case HelmResult.Unusable(var reason) -> failed(release, reason, rolloutListener);
    };
  }

  private static Progress failed(
      ReleaseName release, String message, RolloutListener rolloutListener) {
    rolloutListener.onEvent(new RolloutEvent.UninstallFailed(release, message));
    return new Progress.Failed(message);
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
        return new Progress.ClusterUnreachable(
            "another process is uninstalling a release"); // It will end.
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
    // Patience begins here: however long the uninstall took, the namespace gets all of it.
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

  private static boolean isOwnedBy(Owner owner, ReleaseHistory history) {
    return history.latest().filter(it -> owner.uid().equals(it.ownerUid())).isPresent();
  }

  /** Only the namespace that was looked at: one of the same name may have been made in between. */
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
