// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.KryptonApi;
import io.krypton.api.Labels;
import io.krypton.api.kmshealth.KmsHealthSpec;
import io.krypton.multicluster.cache.InformerCache;
import io.krypton.multicluster.cache.ObjectCache;
import io.krypton.multicluster.cluster.EngagedCluster;
import io.krypton.multicluster.controller.ControllerWatch;
import io.krypton.multicluster.event.EventRecorder;
import io.krypton.multicluster.event.EventRecorder.EventSource;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.operator.kmshealth.input.ClockReading;
import io.krypton.operator.kmshealth.input.LeaseWatch;
import io.krypton.operator.kmshealth.input.NodeWatch;
import io.krypton.operator.kmshealth.openshift.ApiServerConfig;
import io.krypton.operator.kmshealth.openshift.ClusterOperator;
import io.krypton.operator.kmshealth.openshift.OpenShiftOperator;
import io.krypton.operator.kmshealth.openshift.OpenShiftOperator.Authentication;
import io.krypton.operator.kmshealth.openshift.OpenShiftOperator.KubeApiServer;
import io.krypton.operator.kmshealth.openshift.OpenShiftOperator.OpenShiftApiServer;
import io.krypton.operator.kmshealth.summary.ClusterOperatorSyncer;
import io.krypton.operator.kmshealth.summary.ClusterOperatorSyncer.ClusterOperatorSummary;
import io.krypton.operator.kmshealth.summary.ConditionUnion.Inertia;
import io.krypton.operator.kmshealth.summary.HealthSummary;
import io.krypton.operator.kmshealth.summary.KmsHealthSummary;
import io.krypton.operator.kmshealth.targets.HealthTarget;
import io.krypton.operator.kmshealth.targets.KmsHealthTarget;
import io.krypton.operator.kmshealth.targets.OpenShiftTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The targets of one engaged cluster: those that it serves. Nothing is watched on a cluster that
 * serves none.
 */
final class ClusterTargets {
  private static final String PLATFORM = "operator.openshift.io/v1";

  private final EngagedCluster engagedCluster;
  private final String name;
  private final KubernetesClient client;
  private final KmsHealthSettings settings;
  private final KmsHealthListener listener;
  private final Supplier<ClockReading> clock;
  private final Consumer<WorkKey> enqueue;
  private final EventSource eventSource;
  private final Map<String, KmsHealthReconciler<?>> reconcilers = new ConcurrentSkipListMap<>();
  private final List<ObjectCache<?>> auxiliaryCaches = new ArrayList<>();
  private @Nullable LeaseWatch leases;
  private @Nullable InformerCache<ApiServerConfig> config;
  private @Nullable KmsHealthEvents events;
  private @Nullable EventRecorder recorder;

  ClusterTargets(
      EngagedCluster engagedCluster,
      KmsHealthSettings settings,
      EventSource eventSource,
      KmsHealthListener listener,
      Supplier<ClockReading> clock,
      Consumer<WorkKey> enqueue) {
    this.engagedCluster = engagedCluster;
    this.name = engagedCluster.name().value();
    this.client = engagedCluster.client();
    this.settings = settings;
    this.eventSource = eventSource;
    this.listener = listener;
    this.clock = clock;
    this.enqueue = enqueue;
  }

  Optional<KmsHealthReconciler<?>> reconciler(String target) {
    return Optional.ofNullable(reconcilers.get(target));
  }

  List<KmsHealthReconciler<?>> reconcilers() {
    return List.copyOf(reconcilers.values());
  }

  /** Asks what the cluster serves; answers whether there is something new to watch. */
  synchronized boolean discover() {
    var before = reconcilers.size();
    if (isNew("kmshealth", KryptonApi.GROUP + "/" + KryptonApi.VERSION, "KmsHealth")) {
      var kind = new KmsHealthTarget();
      add(
          kind,
          new KmsHealthSummary(
              client, kind, () -> listener.statusWritten(name, kind.targetName(), "sum")));
    }
    if (isNew("kubeapiserver", PLATFORM, "KubeAPIServer")) {
      addPlatform("kubeapiserver", KubeApiServer.class, KubeApiServer::new, "kube-apiserver", null);
    }
    if (isNew("openshiftapiserver", PLATFORM, "OpenShiftAPIServer")) {
      addPlatform(
          "openshiftapiserver",
          OpenShiftApiServer.class,
          OpenShiftApiServer::new,
          "openshift-apiserver",
          deployment("openshift-apiserver"));
    }
    if (isNew("authentication", PLATFORM, "Authentication")) {
      addPlatform(
          "authentication",
          Authentication.class,
          Authentication::new,
          "authentication",
          deployment("openshift-oauth-apiserver"));
    }
    return reconcilers.size() > before;
  }

  private boolean isNew(String target, String apiVersion, String kind) {
    return !reconcilers.containsKey(target) && client.supports(apiVersion, kind);
  }

  private ObjectCache<Deployment> deployment(String namespace) {
    return watchAuxiliary(
        new InformerCache<>(
            name + "/deployments",
            client
                .apps()
                .deployments()
                .inNamespace(namespace)
                .withField("metadata.name", "apiserver")));
  }

  private <T extends OpenShiftOperator> void addPlatform(
      String target,
      Class<T> type,
      Supplier<T> maker,
      String clusterOperator,
      @Nullable ObjectCache<Deployment> deployment) {
    if (config == null) {
      config =
          watchAuxiliary(
              new InformerCache<>(
                  name + "/apiservers",
                  client
                      .resources(ApiServerConfig.class)
                      .withField("metadata.name", HealthTarget.NAME)));
    }
    var kind = new OpenShiftTarget<>(target, type, maker, clusterOperator, config, deployment);
    var clusterOperators =
        watchAuxiliary(
            new InformerCache<>(
                name + "/clusteroperators",
                client
                    .resources(ClusterOperator.class)
                    .withField("metadata.name", clusterOperator)));
    var sync =
        new ClusterOperatorSyncer(
            client,
            clusterOperator,
            target + "s",
            settings.version(),
            settings.statusSyncer(),
            Inertia.of(KmsHealthSpec.DEFAULT.degradedInertia().value()),
            clusterOperators,
            recorder(),
            () -> listener.statusWritten(name, target, "sum"));
    add(
        kind,
        new ClusterOperatorSummary<>(
            sync, () -> client.resources(type).withName(HealthTarget.NAME).get() == null));
  }

  private <T extends HasMetadata> void add(HealthTarget<T> kind, HealthSummary<T> healthSummary) {
    var nodes = new NodeWatch(name, client, () -> enqueue.accept(key(kind.targetName())));
    engagedCluster.own(nodes);
    var objects =
        new InformerCache<>(
            name + "/" + kind.targetName(),
            client.resources(kind.type()).withField("metadata.name", HealthTarget.NAME));
    start(objects);
    reconcilers.put(
        kind.targetName(),
        new KmsHealthReconciler<>(
            new KmsHealthReconciler.Dependencies<>(
                name,
                client,
                settings,
                kind,
                objects,
                leases(),
                nodes,
                healthSummary,
                events(),
                listener,
                clock)));
  }

  private LeaseWatch leases() {
    var present = leases;
    if (present == null) {
      present =
          new LeaseWatch(name, client, settings.leaseNamespace(), () -> keys().forEach(enqueue));
      engagedCluster.own(present);
      present.start();
      leases = present;
    }
    return present;
  }

  private EventRecorder recorder() {
    var present = recorder;
    if (present == null) {
      present = new EventRecorder(client, eventSource);
      engagedCluster.own(present);
      recorder = present;
    }
    return present;
  }

  private KmsHealthEvents events() {
    var present = events;
    if (present == null) {
      present = new KmsHealthEvents(recorder());
      events = present;
    }
    return present;
  }

  /** A cache that is a help: nobody waits until it has synced. */
  private <T extends HasMetadata> InformerCache<T> watchAuxiliary(InformerCache<T> cache) {
    start(cache);
    auxiliaryCaches.add(cache);
    cache.subscribe((before, after) -> keys().forEach(enqueue));
    var _ = cache.synced().thenRun(() -> keys().forEach(enqueue));
    return cache;
  }

  private void start(ObjectCache<?> cache) {
    engagedCluster.own(cache);
    cache.start();
  }

  /** What wakes the loops: their own objects, and the Leases of their reporters. */
  synchronized List<ControllerWatch<?>> watches() {
    var watches = new ArrayList<ControllerWatch<?>>();
    reconcilers.values().forEach(loop -> watches.add(watch(loop)));
    var present = leases;
    if (present != null) {
      watches.add(
          ControllerWatch.of(
              present.configured(),
              (cluster, lease) ->
                  Optional.ofNullable(lease.getMetadata().getLabels())
                      .map(labels -> labels.get(Labels.KMS_TARGET))
                      .filter(reconcilers::containsKey)
                      .map(this::key)
                      .stream()
                      .toList()));
    }
    return watches;
  }

  private <T extends HasMetadata> ControllerWatch<T> watch(KmsHealthReconciler<T> loop) {
    return ControllerWatch.of(loop.objects(), (cluster, object) -> List.of(key(loop.targetName())));
  }

  List<WorkKey> keys() {
    return reconcilers.keySet().stream().map(this::key).toList();
  }

  private WorkKey key(String target) {
    return new WorkKey(name, "", target);
  }

  /** The connection is new: old watches may be dead, and much may have passed unseen. */
  synchronized void reconnect() {
    reconcilers.values().forEach(KmsHealthReconciler::reconnect);
    auxiliaryCaches.forEach(ObjectCache::reconnect);
  }

  void reset() {
    reconcilers.values().forEach(KmsHealthReconciler::reset);
  }

  /** By the name of the target. */
  Map<String, KmsHealthView> views() {
    var views = new TreeMap<String, KmsHealthView>();
    reconcilers.forEach((target, loop) -> loop.view().ifPresent(view -> views.put(target, view)));
    return views;
  }
}
