package io.krypton.operator.tenant;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PartialObjectMetadata;
import io.krypton.api.Annotations;
import io.krypton.api.KryptonApi;
import io.krypton.api.rollout.Phase;
import io.krypton.api.tenant.Tenant;
import io.krypton.multicluster.cluster.Cluster;
import io.krypton.multicluster.cluster.ClusterEvent;
import io.krypton.multicluster.cluster.ClusterListener;
import io.krypton.multicluster.cluster.DisengageReason;
import io.krypton.multicluster.cluster.EngageStep;
import io.krypton.multicluster.controller.Controller;
import io.krypton.multicluster.controller.Watch;
import io.krypton.multicluster.event.EventRecorder;
import io.krypton.multicluster.event.EventSource;
import io.krypton.multicluster.queue.Backoff;
import io.krypton.multicluster.queue.Limits;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.multicluster.status.StatusWriter;
import io.krypton.multicluster.watch.EventFilter;
import io.krypton.multicluster.watch.ObjectCache;
import io.krypton.operator.deployed.ClusterObjects;
import io.krypton.operator.deployed.DeployedObjects;
import io.krypton.operator.helm.Kubeconfig;
import io.krypton.operator.rollout.CentralChart.Waiter;
import io.krypton.operator.rollout.LivingOwners;
import io.krypton.operator.rollout.Owner;
import io.krypton.operator.rollout.ReferencedValues;
import io.krypton.operator.rollout.RunListener;
import io.krypton.operator.rollout.TargetCluster;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Follows the Tenants of every engaged cluster and wakes those that a change concerns: all that a
 * release holds lives in one namespace, so the Tenants that claim it are the ones to wake.
 */
public final class TenantController implements EngageStep, ClusterListener, LivingOwners {
  private static final Duration SYNC_LIMIT = Duration.ofSeconds(30);
  private static final Duration DETACH_LIMIT = Duration.ofSeconds(1);
  private static final int LONGEST_FIELD_MANAGER = 128;

  private final Duration syncLimit;
  private final DeployedObjects deployed;
  private final EventSource eventSource;
  private final Map<String, Engaged> clusters = new ConcurrentHashMap<>();
  private final TenantReconciler reconciler;
  private final Controller controller;

  /** A cluster and its watches, which must be renewed after an outage. */
  private record Engaged(
      TenantCluster cluster, List<ObjectCache<?>> caches, ClusterObjects objects) {}

  /**
   * Paused until its {@link #loop} is resumed.
   *
   * @param reconciler made with the look-up of clusters that this controller keeps
   */
  public TenantController(
      Limits limits,
      DeployedObjects deployed,
      EventSource eventSource,
      RunListener listener,
      Function<TenantController, TenantReconciler> reconciler) {
    this(limits, deployed, eventSource, listener, SYNC_LIMIT, reconciler);
  }

  /**
   * As the other one.
   *
   * @param syncLimit how long one try to engage waits for the first lists
   */
  TenantController(
      Limits limits,
      DeployedObjects deployed,
      EventSource eventSource,
      RunListener listener,
      Duration syncLimit,
      Function<TenantController, TenantReconciler> reconciler) {
    this.syncLimit = syncLimit;
    this.deployed = deployed;
    this.eventSource = eventSource;
    this.reconciler = reconciler.apply(this);
    this.controller =
        new Controller(
            "tenants",
            limits,
            Backoff.standard(),
            this.reconciler,
            (key, outcome, waited, took) -> listener.ran(key.cluster(), took));
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
  public Result run(Cluster cluster) throws InterruptedException {
    var name = cluster.name().value();
    var client = cluster.client();
    var caches = cluster.owned(TenantCaches.class, () -> TenantCaches.started(cluster));
    if (!caches.awaitSync(syncLimit)) {
      caches.whenSynced(cluster::progressed);
      return new Result.NotYet(
          "ClusterNotSynced",
          "its objects were not listed within %d s; listing goes on"
              .formatted(syncLimit.toSeconds()));
    }
    var tenants = caches.tenants();
    var namespaces = caches.namespaces();
    var releases = caches.releases();
    var events = new EventRecorder(client, eventSource);
    cluster.own(events);
    var references = new ReferencedValues(name, client, new ValuesWaking());
    cluster.own(references);
    var objects =
        new ClusterObjects(name, client, (namespace, release) -> wakeClaimants(name, namespace));
    cluster.own(objects);
    deployed.engaged(name, objects);
    var target = new TargetCluster(name, client, () -> kubeconfigOf(cluster), namespaces, releases);
    var engaged =
        new TenantCluster(
            target, tenants, new StatusWriter<>(client, fieldManager(name)), events, references);
    clusters.put(name, new Engaged(engaged, caches.all(), objects));
    var _ =
        tenants.subscribe(
            (before, after) -> {
              if (before != null && after == null) {
                reconciler.vanished(before, engaged);
              }
            });
    controller.attach(name, watches(engaged, tenants, namespaces, releases));
    return new Result.Done();
  }

  @Override
  public Duration timeLimit() {
    return syncLimit.plusSeconds(5);
  }

  private List<Watch<?>> watches(
      TenantCluster cluster,
      ObjectCache<Tenant> tenants,
      ObjectCache<PartialObjectMetadata> namespaces,
      ObjectCache<PartialObjectMetadata> releases) {
    return List.of(
        Watch.of(tenants).freshStartOn(TenantController::isFreshStart),
        // Rivals for a workspace: when one goes, the next may have it.
        Watch.of(tenants, (name, tenant) -> claimants(cluster, TenantCluster.workspaceOf(tenant)))
            .wakingOn((before, after) -> before == null || after == null || isEnding(before, after))
            .freshStartOn((before, after) -> before != null),
        Watch.of(
                namespaces,
                (name, namespace) -> claimants(cluster, namespace.getMetadata().getName()))
            .patiently()
            .freshStartOn((before, after) -> after == null),
        // A failing Helm run writes Secrets too: only its back-off may say when the next one comes.
        Watch.of(
                releases, (name, secret) -> claimants(cluster, secret.getMetadata().getNamespace()))
            .patiently());
  }

  /** A new spec, or a request by annotation: what failed before may work now. */
  private static boolean isFreshStart(@Nullable Tenant before, @Nullable Tenant after) {
    return EventFilter.<Tenant>generationChanged().passes(before, after)
        || before == null
        || after == null
        || !Objects.equals(
            annotation(before, Annotations.REQUESTED_AT),
            annotation(after, Annotations.REQUESTED_AT))
        || !Objects.equals(
            annotation(before, Annotations.FORCE_AT), annotation(after, Annotations.FORCE_AT));
  }

  private static @Nullable String annotation(HasMetadata object, String name) {
    var annotations = object.getMetadata().getAnnotations();
    return annotations == null ? null : annotations.get(name);
  }

  private static boolean isEnding(Tenant before, Tenant after) {
    return before.getMetadata().getDeletionTimestamp() == null
        && after.getMetadata().getDeletionTimestamp() != null;
  }

  private static List<WorkKey> claimants(TenantCluster cluster, String workspace) {
    return cluster.claimants(workspace).stream()
        .map(tenant -> key(cluster.name(), tenant))
        .toList();
  }

  private static WorkKey key(String cluster, Tenant tenant) {
    return new WorkKey(
        cluster, tenant.getMetadata().getNamespace(), tenant.getMetadata().getName());
  }

  private void wakeClaimants(String name, String workspace) {
    var cluster = cluster(name);
    if (cluster != null) {
      claimants(cluster, workspace).forEach(controller::wakePatiently);
    }
  }

  /** What a Tenant takes values from has changed. */
  private final class ValuesWaking implements ReferencedValues.Waking {
    @Override
    public void changed(WorkKey reader) {
      controller.wakeFresh(reader);
    }

    @Override
    public void maybeChanged(WorkKey reader) {
      controller.wakePatiently(reader);
    }
  }

  /**
   * There is news of the chart that this Tenant waits for.
   *
   * @param good it can be had now, so that past failures are forgotten
   */
  public void chartChanged(Waiter waiter, boolean good) {
    var key = new WorkKey(waiter.cluster(), waiter.namespace(), waiter.name());
    if (good) {
      controller.wakeFresh(key);
    } else {
      controller.wake(key);
    }
  }

  @Override
  public void on(ClusterEvent event) {
    var name = event.name().value();
    switch (event) {
      case ClusterEvent.Unreachable unreachable -> controller.park(name);
      case ClusterEvent.Recovered recovered -> {
        var engaged = clusters.get(name);
        if (engaged != null) {
          engaged.caches().forEach(ObjectCache::reconnect);
          engaged.objects().reconnect();
          engaged.cluster().references().reconnect();
        }
        controller.unpark(name);
      }
      case ClusterEvent.Disengaged(var cluster, var secret, var why) -> {
        forget(name, why);
        if (!why.comesBack()) {
          reconciler.forgetCluster(name);
        }
      }
      case ClusterEvent.Engaged ignored -> {}
      case ClusterEvent.Rejected ignored -> {}
      case ClusterEvent.Duplicate ignored -> {}
      case ClusterEvent.StepNotice ignored -> {}
      case ClusterEvent.CredentialsExpiring ignored -> {}
    }
  }

  /** An interrupt would end the Helm processes of the runs. */
  private void forget(String name, DisengageReason why) {
    if (why.comesBack()) {
      controller.release(name);
    } else {
      detach(name);
    }
    clusters.remove(name);
    deployed.disengaged(name);
  }

  private void detach(String name) {
    try {
      controller.detach(name, DETACH_LIMIT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The loop itself, for whoever steers and measures it. */
  public Controller loop() {
    return controller;
  }

  @Override
  public boolean lives(String cluster, String reference, String uid) {
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
  public boolean lives(String cluster, String uid) {
    var engaged = cluster(cluster);
    return engaged != null && engaged.has(uid);
  }

  /** How many Tenants of each phase there are on each cluster. */
  public List<PhaseCount> phases() {
    var counts = new ArrayList<PhaseCount>();
    clusters.forEach(
        (name, engaged) -> {
          var phases = new EnumMap<Phase, Long>(Phase.class);
          for (var tenant : engaged.cluster().tenants().list()) {
            phases.merge(phaseOf(tenant), 1L, Long::sum);
          }
          for (var phase : Phase.values()) {
            counts.add(new PhaseCount(name, phase, phases.getOrDefault(phase, 0L)));
          }
        });
    return counts;
  }

  /** One line of {@link #phases}. */
  public record PhaseCount(String cluster, Phase phase, long count) {}

  private static Phase phaseOf(Tenant tenant) {
    var phase = tenant.getStatus().phase();
    return phase == null ? Phase.PENDING : phase;
  }

  private static Kubeconfig kubeconfigOf(Cluster cluster) {
    return new Kubeconfig(new String(cluster.kubeconfig().toYaml(), StandardCharsets.UTF_8));
  }

  private static String fieldManager(String cluster) {
    return io.krypton.api.Names.shorten("krypton-" + cluster, LONGEST_FIELD_MANAGER);
  }

  /** As reported by events. */
  public static EventSource eventSource(String instance) {
    return new EventSource(
        "multicluster-tenants", KryptonApi.GROUP + "/multicluster-tenants", instance);
  }
}
