// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tenant;

import io.fabric8.kubernetes.api.model.PartialObjectMetadata;
import io.krypton.api.KryptonApi;
import io.krypton.api.NameShortener;
import io.krypton.api.event.EventReason;
import io.krypton.api.tenant.Tenant;
import io.krypton.base.time.Backoff;
import io.krypton.multicluster.cache.ObjectCache;
import io.krypton.multicluster.cluster.ClusterEvent;
import io.krypton.multicluster.cluster.ClusterEvent.ClusterListener;
import io.krypton.multicluster.cluster.ClusterEvent.DisengageReason;
import io.krypton.multicluster.cluster.EngageStep;
import io.krypton.multicluster.cluster.EngagedCluster;
import io.krypton.multicluster.controller.Controller;
import io.krypton.multicluster.controller.ControllerWatch;
import io.krypton.multicluster.event.EventRecorder;
import io.krypton.multicluster.event.EventRecorder.EventSource;
import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.multicluster.status.StatusWriter;
import io.krypton.operator.namespace.Owner;
import io.krypton.operator.namespace.OwnerLookup;
import io.krypton.operator.release.ChartAccess.Waiter;
import io.krypton.operator.release.TargetCluster;
import io.krypton.operator.release.helm.HelmOperation.HelmKubeconfig;
import io.krypton.operator.release.inventory.ClusterInventory;
import io.krypton.operator.release.inventory.InventoryInspector;
import io.krypton.operator.release.reconcile.OwnerQueue;
import io.krypton.operator.release.reconcile.OwnerQueue.PhaseCount;
import io.krypton.operator.release.reconcile.OwnerQueue.PhaseCounter;
import io.krypton.operator.release.reconcile.ReconcileMetricsListener;
import io.krypton.operator.release.reconcile.ReferencedValues;
import io.krypton.operator.tenant.TenantCluster.TenantCaches;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Watches the Tenants of every engaged cluster and enqueues those that a change concerns: all that
 * a release holds lives in one namespace, so the Tenants that claim it are enqueued.
 */
public final class TenantController implements EngageStep, ClusterListener, OwnerLookup {
  private static final Duration SYNC_LIMIT = Duration.ofSeconds(30);
  private static final Duration DETACH_LIMIT = Duration.ofSeconds(1);
  private static final int MAX_FIELD_MANAGER_LENGTH = 128;

  private final Duration syncLimit;
  private final InventoryInspector deployed;
  private final EventSource eventSource;
  private final Map<String, Engaged> clusters = new ConcurrentHashMap<>();
  private final TenantReconciler reconciler;
  private final Controller controller;
  private final OwnerQueue queue;
  private final TenantOwners owners;

  /** A cluster and its watches, which must be renewed after an outage. */
  private record Engaged(
      TenantCluster cluster, List<ObjectCache<?>> caches, ClusterInventory objects) {}

  /**
   * Paused until its {@link #controller} is resumed.
   *
   * @param reconciler made with the lookup of clusters that this controller keeps
   */
  public TenantController(
      ConcurrencyLimits concurrencyLimits,
      InventoryInspector deployed,
      EventSource eventSource,
      ReconcileMetricsListener listener,
      Function<TenantController, TenantReconciler> reconciler) {
    this(concurrencyLimits, deployed, eventSource, listener, SYNC_LIMIT, reconciler);
  }

  /**
   * As the other one.
   *
   * @param syncLimit how long one try to engage waits for the first lists
   */
  TenantController(
      ConcurrencyLimits concurrencyLimits,
      InventoryInspector deployed,
      EventSource eventSource,
      ReconcileMetricsListener listener,
      Duration syncLimit,
      Function<TenantController, TenantReconciler> reconciler) {
    this.syncLimit = syncLimit;
    this.deployed = deployed;
    this.eventSource = eventSource;
    this.reconciler = reconciler.apply(this);
    this.controller =
        new Controller(
            "tenants",
            concurrencyLimits,
            Backoff.STANDARD,
            this.reconciler,
            (key, reconcileResult, waited, took) -> listener.ran(key.cluster(), took));
    this.queue = new OwnerQueue(controller);
    this.owners = new TenantOwners(controller::enqueueAndResetBackoff, this.reconciler::watches);
  }

  /** An engaged cluster by its name. */
  @Nullable TenantCluster cluster(String name) {
    var engaged = clusters.get(name);
    return engaged == null ? null : engaged.cluster();
  }

  public boolean isEngaged(String cluster) {
    return clusters.containsKey(cluster);
  }

  @Override
  public Result run(EngagedCluster engagedCluster) throws InterruptedException {
    var name = engagedCluster.name().value();
    var client = engagedCluster.client();
    var caches =
        engagedCluster.owned(TenantCaches.class, () -> TenantCaches.started(engagedCluster));
    if (!caches.awaitSync(syncLimit)) {
      caches.whenSynced(engagedCluster::retryEngagement);
      return new Result.NotYet(
          EventReason.CLUSTER_NOT_SYNCED.value(),
          "its objects were not listed within %d s; listing goes on"
              .formatted(syncLimit.toSeconds()));
    }
    var tenants = caches.tenants();
    var namespaces = caches.namespaces();
    var releases = caches.releases();
    var events = new EventRecorder(client, eventSource);
    engagedCluster.own(events);
    var references = new ReferencedValues(name, client, queue);
    engagedCluster.own(references);
    var objects =
        new ClusterInventory(
            name, client, (namespace, release) -> enqueueClaimants(name, namespace));
    engagedCluster.own(objects);
    deployed.engaged(name, objects);
    var target =
        new TargetCluster(name, client, () -> kubeconfigOf(engagedCluster), namespaces, releases);
    var engaged =
        new TenantCluster(
            engagedCluster.secret(),
            target,
            tenants,
            new StatusWriter<>(client, fieldManager(name)),
            events,
            references);
    clusters.put(name, new Engaged(engaged, caches.all(), objects));
    var _ =
        tenants.subscribe(
            (before, after) -> {
              if (before != null && after == null) {
                reconciler.onDeleted(before, engaged);
              }
            });
    owners.engaged(engaged, releases);
    controller.attach(name, watches(engaged, tenants, namespaces, releases));
    return new Result.Done();
  }

  @Override
  public Duration timeLimit() {
    return syncLimit.plusSeconds(5);
  }

  private List<ControllerWatch<?>> watches(
      TenantCluster cluster,
      ObjectCache<Tenant> tenants,
      ObjectCache<PartialObjectMetadata> namespaces,
      ObjectCache<PartialObjectMetadata> releases) {
    return List.of(
        ControllerWatch.of(tenants).resetBackoffOn(OwnerQueue::resetsBackoff),
        // Rivals for a workspace: when one goes, the next may have it.
        ControllerWatch.of(
                tenants, (name, tenant) -> claimants(cluster, TenantCluster.workspaceOf(tenant)))
            .withPredicate(
                (before, after) -> before == null || after == null || isEnding(before, after))
            .resetBackoffOn((before, after) -> before != null),
        ControllerWatch.of(
                namespaces,
                (name, namespace) -> claimants(cluster, namespace.getMetadata().getName()))
            .respectingBackoff()
            .resetBackoffOn((before, after) -> after == null),
        // A failing Helm run writes Secrets too: only its back-off may say when the next one comes.
        ControllerWatch.of(
                releases, (name, secret) -> claimants(cluster, secret.getMetadata().getNamespace()))
            .respectingBackoff());
  }

  private static boolean isEnding(Tenant before, Tenant after) {
    return before.getMetadata().getDeletionTimestamp() == null
        && after.getMetadata().getDeletionTimestamp() != null;
  }

  private static List<WorkKey> claimants(TenantCluster cluster, String workspace) {
    return cluster.claimants(workspace).stream()
        .map(tenant -> OwnerQueue.key(cluster.name(), tenant))
        .toList();
  }

  private void enqueueClaimants(String name, String workspace) {
    var cluster = cluster(name);
    if (cluster != null) {
      claimants(cluster, workspace).forEach(controller::enqueueAfterBackoff);
    }
  }

  /**
   * The chart that this Tenant waits for was loaded, or not.
   *
   * @param loaded past failures are forgotten
   */
  public void chartChanged(Waiter waiter, boolean loaded) {
    queue.chartChanged(new WorkKey(waiter.cluster(), waiter.namespace(), waiter.name()), loaded);
  }

  @Override
  public void onUnreachable(ClusterEvent.Unreachable event) {
    controller.park(event.name().value());
  }

  @Override
  public void onRecovered(ClusterEvent.Recovered event) {
    var name = event.name().value();
    var engaged = clusters.get(name);
    if (engaged != null) {
      engaged.caches().forEach(ObjectCache::reconnect);
      engaged.objects().reconnect();
      engaged.cluster().references().reconnect();
    }
    controller.unpark(name);
  }

  @Override
  public void onDisengaged(ClusterEvent.Disengaged event) {
    var name = event.name().value();
    forget(name, event.why());
    if (!event.why().willReengage()) {
      reconciler.forgetCluster(name);
    }
  }

  /** An interrupt would end the Helm processes of the runs. */
  private void forget(String name, DisengageReason why) {
    if (why.willReengage()) {
      controller.release(name);
    } else {
      detach(name);
    }
    clusters.remove(name);
    owners.disengaged(name, !why.willReengage());
    deployed.disengaged(name);
  }

  private void detach(String name) {
    try {
      controller.detach(name, DETACH_LIMIT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** All Tenants with their releases, for whoever decides what they get. */
  public TenantOwners owners() {
    return owners;
  }

  /** The loop itself, to be started, stopped and measured. */
  public Controller controller() {
    return controller;
  }

  @Override
  public boolean exists(String cluster, String reference, String uid) {
    var engaged = cluster(cluster);
    var parts = reference.split("/", 3);
    if (parts.length != 3 || !parts[0].equals(Owner.Kind.TENANT.toString())) {
      return false;
    }
    // Of a cluster whose Tenants we do not follow nothing is known, so they may well live.
    return engaged == null
        || engaged
            .tenants()
            .get(parts[1], parts[2])
            .filter(tenant -> uid.equals(tenant.getMetadata().getUid()))
            .isPresent();
  }

  @Override
  public boolean exists(String cluster, String uid) {
    var engaged = cluster(cluster);
    return engaged != null && engaged.hasUid(uid);
  }

  /** How many Tenants of each phase there are on each cluster. */
  public List<PhaseCount> phases() {
    var counter = new PhaseCounter();
    clusters.forEach(
        (name, engaged) -> {
          counter.addGroup(name);
          engaged
              .cluster()
              .tenants()
              .list()
              .forEach(tenant -> counter.add(name, tenant.getStatus().phase()));
        });
    return counter.counts();
  }

  private static HelmKubeconfig kubeconfigOf(EngagedCluster engagedCluster) {
    return new HelmKubeconfig(
        new String(engagedCluster.kubeconfig().toYaml(), StandardCharsets.UTF_8));
  }

  private static String fieldManager(String cluster) {
    return NameShortener.shorten("krypton-" + cluster, MAX_FIELD_MANAGER_LENGTH);
  }

  /** As reported by events. */
  public static EventSource eventSource(String instance) {
    return new EventSource(
        "multicluster-tenants", KryptonApi.GROUP + "/multicluster-tenants", instance);
  }
}
