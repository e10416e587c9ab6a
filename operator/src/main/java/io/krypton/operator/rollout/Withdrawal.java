package io.krypton.operator.rollout;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.Labels;
import io.krypton.operator.helm.HelmClient;
import io.krypton.operator.helm.HelmOperation;
import io.krypton.operator.helm.HelmResult;
import io.krypton.operator.helm.ReleaseKey;
import io.krypton.operator.release.ReleaseHistory;
import io.krypton.operator.release.ReleaseName;
import io.krypton.operator.release.ReleaseOwner;
import io.krypton.operator.rollout.CentralChart.Waiter;
import io.krypton.operator.rollout.Journal.Activity;
import io.krypton.operator.rollout.Journal.Happening;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Takes a release, and the namespace if it was made for it, off a cluster again. */
public final class Withdrawal {
  /** So long a namespace may take to go before its owner stops waiting for it. */
  static final Duration PATIENCE = Duration.ofMinutes(5);

  private final HelmClient helm;
  private final Inspector inspector;
  private final ReservedNamespaces reserved;
  private final Duration timeout;
  private final LivingOwners owners;
  private final Clock clock;
  private final Sightings terminating;
  private final Consumer<Waiter> wake;

  /** Whoever finds no turn at Helm comes again by itself. */
  public Withdrawal(
      HelmClient helm,
      Inspector inspector,
      ReservedNamespaces reserved,
      Duration timeout,
      LivingOwners owners,
      Clock clock) {
    this(helm, inspector, reserved, timeout, owners, clock, nobody -> {});
  }

  /**
   * Nothing is done yet.
   *
   * @param wake called for those who found no turn at Helm, when there is one for them
   */
  public Withdrawal(
      HelmClient helm,
      Inspector inspector,
      ReservedNamespaces reserved,
      Duration timeout,
      LivingOwners owners,
      Clock clock,
      Consumer<Waiter> wake) {
    this.helm = helm;
    this.inspector = inspector;
    this.reserved = reserved;
    this.timeout = timeout;
    this.owners = owners;
    this.clock = clock;
    this.terminating = new Sightings(clock);
    this.wake = wake;
  }

  /** How far it got. */
  public sealed interface Progress {
    /** Nothing of it is left that we would remove. */
    record Gone() implements Progress {}

    /**
     * The namespace is on its way out; its watch tells, at the latest look again after this time.
     *
     * @param heldBy what keeps it, as soon as its conditions say so
     */
    record NamespaceTerminating(Duration lookAgain, @Nullable String heldBy) implements Progress {}

    record Failed(String message) implements Progress {}

    record OutOfReach(String message) implements Progress {}

    /** Helm is busy with others; its owner is called when it is its turn. */
    record WaitingForTurn() implements Progress {}
  }

  /** Does the next thing and returns; no worker waits for a namespace to go. */
  public Progress advance(
      Owner owner,
      ReleaseName computedName,
      String workspace,
      TargetCluster target,
      Journal journal)
      throws InterruptedException {
    return advance(owner, computedName, workspace, target, true, journal);
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
      Journal journal)
      throws InterruptedException {
    var ours = new ReleaseOwner(owner.uid(), computedName);
    for (var release : target.readReleases(workspace).entrySet()) {
      var latest = release.getValue().latest();
      if (latest.isPresent()
          && (byName
              ? ours.owns(release.getKey(), latest.get(), uid -> owners.lives(target.name(), uid))
              : owner.uid().equals(latest.get().ownerUid()))) {
        var failure =
            uninstall(owner, new ReleaseName(release.getKey()), workspace, target, journal);
        if (failure != null) {
          return failure;
        }
      }
    }
    // It may have been called for a release that went in another way.
    helm.giveBack(new ReleaseKey(target.name(), workspace, computedName));
    return removeNamespace(owner, workspace, target, journal);
  }

  /** Takes one release off and nothing else; whose it is was looked at before. */
  public Progress removeRelease(
      Owner owner, ReleaseName release, String workspace, TargetCluster target, Journal journal)
      throws InterruptedException {
    var failure = uninstall(owner, release, workspace, target, journal);
    return failure == null ? new Progress.Gone() : failure;
  }

  private @Nullable Progress uninstall(
      Owner owner, ReleaseName release, String workspace, TargetCluster target, Journal journal)
      throws InterruptedException {
    var key = new ReleaseKey(target.name(), workspace, release);
    var waiter = Waiter.of(owner, target.name());
    try (var turn = new HelmTurn(helm, key, () -> wake.accept(waiter))) {
      return turn.take() ? uninstall(key, target, journal) : new Progress.WaitingForTurn();
    }
  }

  private @Nullable Progress uninstall(ReleaseKey key, TargetCluster target, Journal journal)
      throws InterruptedException {
    var release = key.name();
    journal.begins(Activity.DELETING, release, false);
    var result =
        helm.run(
            new HelmOperation.Uninstall(
                new HelmOperation.Target(key, target.kubeconfig(), timeout)));
    return switch (result) {
      case HelmResult.Done done -> {
        inspector.forget(target, key.namespace(), release.value());
        journal.happened(new Happening.Uninstalled(release));
        yield null;
      }
      case HelmResult.Unreachable(var message) -> new Progress.OutOfReach(message);
      case HelmResult.Stopped stopped -> throw new InterruptedException("uninstall was stopped");
      case HelmResult.Failed(var message) -> failed(release, message, journal);
      case HelmResult.TimedOut(var limit, var message) ->
          failed(
              release, "not done within %d s: %s".formatted(limit.toSeconds(), message), journal);
      case HelmResult.Busy(var reason) -> new Progress.OutOfReach(reason); // Its turn will come.
      case HelmResult.Unusable(var reason) -> failed(release, reason, journal);
    };
  }

  private static Progress failed(ReleaseName release, String message, Journal journal) {
    journal.happened(new Happening.UninstallFailed(release, message));
    return new Progress.Failed(message);
  }

  private Progress removeNamespace(
      Owner owner, String workspace, TargetCluster target, Journal journal)
      throws InterruptedException {
    var place = target.name() + "/" + workspace;
    var live = target.client().namespaces().withName(workspace).get();
    var isOurs =
        live != null
            && live.getMetadata().getLabels() != null
            && owner.uid().equals(live.getMetadata().getLabels().get(Labels.OWNER_UID));
    if (!isOurs || reserved.refuses(workspace)) {
      terminating.end(place);
      return new Progress.Gone();
    }
    if (live.getMetadata().getDeletionTimestamp() == null) {
      var releases = target.readReleases(workspace);
      if (releases.values().stream().anyMatch(it -> isOf(owner, it))) {
        return new Progress.OutOfReach("another process is uninstalling a release"); // It will end.
      }
      if (!releases.isEmpty()) {
        terminating.end(place);
        journal.happened(new Happening.WorkspaceKept(workspace, List.copyOf(releases.keySet())));
        return new Progress.Gone();
      }
      requestDeletion(live, target);
      journal.happened(new Happening.WorkspaceDeleteRequested(workspace));
    }
    // Patience begins here: however long the uninstall took, the namespace gets all of it.
    var since = terminating.since(place, live.getMetadata().getUid());
    var left = Duration.between(clock.instant(), since.plus(PATIENCE));
    if (left.isPositive()) {
      return new Progress.NamespaceTerminating(left, Termination.heldBy(live).orElse(null));
    }
    terminating.end(place);
    journal.happened(new Happening.WorkspaceStuck(workspace));
    return new Progress.Gone();
  }

  private static boolean isOf(Owner owner, ReleaseHistory history) {
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
