// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.deployment;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.kryptondeployment.KryptonDeployment;
import io.krypton.base.time.Backoff;
import io.krypton.multicluster.cluster.ClusterEvent;
import io.krypton.multicluster.cluster.ClusterEvent.ClusterListener;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.controller.Controller;
import io.krypton.multicluster.controller.ControllerWatch;
import io.krypton.multicluster.controller.EventPredicate;
import io.krypton.multicluster.event.EventRecorder;
import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.operator.namespace.Owner;
import io.krypton.operator.namespace.OwnerLookup;
import io.krypton.operator.release.ChartAccess.Waiter;
import io.krypton.operator.release.reconcile.OwnerQueue;
import io.krypton.operator.release.reconcile.OwnerQueue.PhaseCount;
import io.krypton.operator.release.reconcile.OwnerQueue.PhaseCounter;
import io.krypton.operator.release.reconcile.ReconcileMetricsListener;
import io.krypton.operator.release.target.ObservedOwner;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Watches the deployments of home and enqueues those that a change concerns, be it on home or on
 * the clusters of their regions.
 */
public final class DeploymentController
    implements ClusterListener, OwnerLookup, RegionClusters.RegionListener, AutoCloseable {
  private static final String HOME = "home";

  private final DeploymentSettings settings;
  private final RegionClusters regionClusters;
  private final Consumer<String> stopHelm;
  private final DeploymentReconciler reconciler;
  private final Controller controller;
  private final OwnerQueue queue;
  private final DeploymentOwners owners;
  private volatile @Nullable HomeDeploymentsWatch watch;

  /**
   * Paused, and without a home until {@link #attach}.
   *
   * @param stopHelm ends what Helm does on the cluster of this name
   * @param reconciler made with the lookup of home that this controller keeps
   */
  public DeploymentController(
      DeploymentSettings settings,
      RegionClusters regionClusters,
      Consumer<String> stopHelm,
      ReconcileMetricsListener listener,
      Function<DeploymentController, DeploymentReconciler> reconciler) {
    this.settings = settings;
    this.regionClusters = regionClusters;
    this.stopHelm = stopHelm;
    this.reconciler = reconciler.apply(this);
    this.controller =
        new Controller(
            "deployments",
            // One cluster, home; what each cluster may take of it is kept by RegionConcurrency.
            new ConcurrencyLimits(settings.runs().total(), settings.runs().total()),
            Backoff.STANDARD,
            this.reconciler,
            (key, reconcileResult, waited, took) -> listener.ran(key.cluster(), took));
    this.queue = new OwnerQueue(controller);
    this.owners =
        new DeploymentOwners(
            settings,
            regionClusters,
            (namespace, name) ->
                controller.enqueueAndResetBackoff(new WorkKey(HOME, namespace, name)));
    regionClusters.onMissing(this::enqueueReferring);
  }

  /** The deployments of this home are followed from now on, instead of those of an earlier one. */
  public synchronized void attach(KubernetesClient client, EventRecorder events) {
    close();
    var next =
        new HomeDeploymentsWatch(
            client, events, settings, queue, this::enqueueReferring, this::onHomeSynced);
    watch = next; // Before its start: the first reconciles need it.
    next.start();
  }

  private void onHomeSynced(HomeDeployments homeDeployments) throws InterruptedException {
    var deployments = homeDeployments.deployments();
    var _ =
        deployments.subscribe(
            (before, after) -> {
              if (before != null && after == null) {
                reconciler.onDeleted(before);
              }
            });
    owners.attached(homeDeployments);
    controller.attach(
        HOME,
        List.of(
            ControllerWatch.of(deployments).resetBackoffOn(OwnerQueue::resetsBackoff),
            // Rivals for a namespace: when one goes, the next may have it.
            ControllerWatch.of(
                    deployments,
                    (name, deployment) ->
                        keys(homeDeployments.byName(deployment.getMetadata().getName())))
                .withPredicate(DeploymentController::changesClaims)));
  }

  /** Null until home was listed. */
  @Nullable HomeDeployments home() {
    var present = watch;
    return present == null ? null : present.home();
  }

  /** All deployments with their releases, for whoever decides what they get. */
  public DeploymentOwners owners() {
    return owners;
  }

  ObservedOwner observe(KryptonDeployment deployment) {
    return owners.observe(deployment);
  }

  /** The loop itself, to be started, stopped and measured. */
  public Controller controller() {
    return controller;
  }

  private static boolean changesClaims(
      @Nullable KryptonDeployment before, @Nullable KryptonDeployment after) {
    return EventPredicate.<KryptonDeployment>generationChanged().test(before, after);
  }

  private static List<WorkKey> keys(List<KryptonDeployment> deployments) {
    return deployments.stream().map(DeploymentController::key).toList();
  }

  private static WorkKey key(KryptonDeployment deployment) {
    return OwnerQueue.key(HOME, deployment);
  }

  void enqueue(WorkKey key) {
    controller.enqueue(key);
  }

  @Override
  public void enqueueReferring(SecretRef secret) {
    var homeDeployments = home();
    if (homeDeployments != null) {
      for (var deployment : homeDeployments.referringTo(secret)) {
        controller.enqueueAndResetBackoff(key(deployment));
        owners.changed(deployment);
      }
    }
  }

  @Override
  public void enqueueClaimants(SecretRef secret, String namespace) {
    var homeDeployments = home();
    if (homeDeployments != null) {
      homeDeployments.byName(namespace).stream()
          .filter(
              it ->
                  settings.routing().allTargets(it).stream()
                      .anyMatch(kubeconfigRef -> kubeconfigRef.secret().equals(secret)))
          .forEach(
              it -> {
                controller.enqueueAfterBackoff(key(it));
                owners.changed(it);
              });
    }
  }

  /**
   * The chart that this deployment waits for was loaded, or not.
   *
   * @param loaded past failures are forgotten
   */
  public void chartChanged(Waiter waiter, boolean loaded) {
    queue.chartChanged(new WorkKey(HOME, waiter.namespace(), waiter.name()), loaded);
  }

  @Override
  public void onEngaged(ClusterEvent.Engaged event) {
    enqueueReferring(event.secret());
  }

  @Override
  public void onRecovered(ClusterEvent.Recovered event) {
    regionClusters.recovered(event.secret());
    enqueueReferring(event.secret());
  }

  @Override
  public void onUnreachable(ClusterEvent.Unreachable event) {
    enqueueReferring(event.secret());
  }

  @Override
  public void onRejected(ClusterEvent.Rejected event) {
    enqueueReferring(event.secret());
  }

  @Override
  public void onDisengaged(ClusterEvent.Disengaged event) {
    var name = event.name().value();
    if (!event.why().willReengage() && regionClusters.isWatched(name)) {
      stopHelm.accept(name);
    }
    regionClusters.disengaged(event.secret());
    if (!event.why().willReengage()) {
      reconciler.forgetCluster(name);
    }
    enqueueReferring(event.secret());
  }

  /** Whether deployments are rolled out on the cluster of this name. */
  public boolean isInUse(String cluster) {
    return regionClusters.isWatched(cluster);
  }

  /** Whether some deployment is to go to the cluster of this name, or was there. */
  public boolean isReferenced(String cluster) {
    return regionClusters.isReferenced(cluster);
  }

  /** Before home was listed, everybody may live. */
  @Override
  public boolean exists(String cluster, String reference, String uid) {
    var homeDeployments = home();
    var parts = reference.split("/", 3);
    if (parts.length != 3 || !parts[0].equals(Owner.Kind.KRYPTON_DEPLOYMENT.toString())) {
      return false;
    }
    return homeDeployments == null
        || homeDeployments
            .deployments()
            .get(parts[1], parts[2])
            .filter(it -> uid.equals(it.getMetadata().getUid()))
            .isPresent();
  }

  @Override
  public boolean exists(String cluster, String uid) {
    var homeDeployments = home();
    return homeDeployments != null && homeDeployments.hasUid(uid);
  }

  /** How many deployments of each phase there are in each region. */
  public List<PhaseCount> phases() {
    var homeDeployments = home();
    return phases(homeDeployments == null ? List.of() : homeDeployments.deployments().list());
  }

  /** Reads each once, however many regions there are. */
  static List<PhaseCount> phases(Iterable<KryptonDeployment> all) {
    var counter = new PhaseCounter();
    for (var deployment : all) {
      counter.add(deployment.getSpec().region().name(), deployment.getStatus().phase());
    }
    return counter.counts();
  }

  /** Stops watching home; what is rolled out stays as it is. */
  @Override
  public synchronized void close() {
    var present = watch;
    if (present != null) {
      present.close();
    }
  }
}
