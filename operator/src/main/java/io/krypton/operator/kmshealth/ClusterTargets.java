package io.krypton.operator.kmshealth;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.KryptonApi;
import io.krypton.api.Labels;
import io.krypton.api.kmshealth.KmsHealthSpec;
import io.krypton.multicluster.cluster.Cluster;
import io.krypton.multicluster.controller.Watch;
import io.krypton.multicluster.event.EventRecorder;
import io.krypton.multicluster.event.EventSource;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.multicluster.watch.InformerCache;
import io.krypton.multicluster.watch.ObjectCache;
import io.krypton.operator.kmshealth.evidence.Moment;
import io.krypton.operator.kmshealth.openshift.ApiServerConfig;
import io.krypton.operator.kmshealth.openshift.Authentication;
import io.krypton.operator.kmshealth.openshift.ClusterOperator;
import io.krypton.operator.kmshealth.openshift.KubeApiServer;
import io.krypton.operator.kmshealth.openshift.OpenShiftApiServer;
import io.krypton.operator.kmshealth.openshift.PlatformOperator;
import io.krypton.operator.kmshealth.publish.ClusterOperatorSync;
import io.krypton.operator.kmshealth.union.Inertia;
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

  private final Cluster cluster;
  private final String name;
  private final KubernetesClient client;
  private final KmsHealthSettings settings;
  private final KmsHealthListener listener;
  private final Supplier<Moment> clock;
  private final Consumer<WorkKey> wake;
  private final EventSource eventSource;
  private final Map<String, TargetLoop<?>> loops = new ConcurrentSkipListMap<>();
  private final List<ObjectCache<?>> others = new ArrayList<>();
  private @Nullable LeaseWatch leases;
  private @Nullable InformerCache<ApiServerConfig> config;
  private @Nullable TargetEvents events;
  private @Nullable EventRecorder recorder;

  ClusterTargets(
      Cluster cluster,
      KmsHealthSettings settings,
      EventSource eventSource,
      KmsHealthListener listener,
      Supplier<Moment> clock,
      Consumer<WorkKey> wake) {
    this.cluster = cluster;
    this.name = cluster.name().value();
    this.client = cluster.client();
    this.settings = settings;
    this.eventSource = eventSource;
    this.listener = listener;
    this.clock = clock;
    this.wake = wake;
  }

  Optional<TargetLoop<?>> loop(String word) {
    return Optional.ofNullable(loops.get(word));
  }

  List<TargetLoop<?>> loops() {
    return List.copyOf(loops.values());
  }

  /** Asks what the cluster serves; answers whether there is something new to watch. */
  synchronized boolean discover() {
    var before = loops.size();
    if (isNew("kmshealth", KryptonApi.GROUP + "/" + KryptonApi.VERSION, "KmsHealth")) {
      var kind = new KmsHealthKind();
      add(kind, new OwnSum(client, kind, () -> listener.wrote(name, kind.word(), "sum")));
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
    return loops.size() > before;
  }

  private boolean isNew(String word, String apiVersion, String kind) {
    return !loops.containsKey(word) && client.supports(apiVersion, kind);
  }

  private ObjectCache<Deployment> deployment(String namespace) {
    return follow(
        new InformerCache<>(
            name + "/deployments",
            client
                .apps()
                .deployments()
                .inNamespace(namespace)
                .withField("metadata.name", "apiserver")));
  }

  private <T extends PlatformOperator> void addPlatform(
      String word,
      Class<T> type,
      Supplier<T> maker,
      String clusterOperator,
      @Nullable ObjectCache<Deployment> deployment) {
    if (config == null) {
      config =
          follow(
              new InformerCache<>(
                  name + "/apiservers",
                  client
                      .resources(ApiServerConfig.class)
                      .withField("metadata.name", TargetKind.NAME)));
    }
    var kind = new PlatformKind<>(word, type, maker, clusterOperator, config, deployment);
    var sums =
        follow(
            new InformerCache<>(
                name + "/clusteroperators",
                client
                    .resources(ClusterOperator.class)
                    .withField("metadata.name", clusterOperator)));
    var sync =
        new ClusterOperatorSync(
            client,
            clusterOperator,
            word + "s",
            settings.version(),
            settings.statusSyncer(),
            Inertia.of(KmsHealthSpec.DEFAULT.degradedInertia().value()),
            sums,
            recorder(),
            () -> listener.wrote(name, word, "sum"));
    add(
        kind,
        new PlatformSum<>(
            sync, () -> client.resources(type).withName(TargetKind.NAME).get() == null));
  }

  private <T extends HasMetadata> void add(TargetKind<T> kind, Sum<T> sum) {
    var nodes = new NodeWatch(name, client, () -> wake.accept(key(kind.word())));
    cluster.own(nodes);
    var objects =
        new InformerCache<>(
            name + "/" + kind.word(),
            client.resources(kind.type()).withField("metadata.name", TargetKind.NAME));
    start(objects);
    loops.put(
        kind.word(),
        new TargetLoop<>(
            new TargetLoop.Parts<>(
                name, client, settings, kind, objects, leases(), nodes, sum, events(), listener,
                clock)));
  }

  private LeaseWatch leases() {
    var present = leases;
    if (present == null) {
      present = new LeaseWatch(name, client, settings.leaseNamespace(), () -> keys().forEach(wake));
      cluster.own(present);
      present.start();
      leases = present;
    }
    return present;
  }

  private EventRecorder recorder() {
    var present = recorder;
    if (present == null) {
      present = new EventRecorder(client, eventSource);
      cluster.own(present);
      recorder = present;
    }
    return present;
  }

  private TargetEvents events() {
    var present = events;
    if (present == null) {
      present = new TargetEvents(recorder());
      events = present;
    }
    return present;
  }

  /** A cache that is a help: nobody waits until it has synced. */
  private <T extends HasMetadata> InformerCache<T> follow(InformerCache<T> cache) {
    start(cache);
    others.add(cache);
    cache.subscribe((before, after) -> keys().forEach(wake));
    var _ = cache.synced().thenRun(() -> keys().forEach(wake));
    return cache;
  }

  private void start(ObjectCache<?> cache) {
    cluster.own(cache);
    cache.start();
  }

  /** What wakes the loops: their own objects, and the Leases of their reporters. */
  synchronized List<Watch<?>> watches() {
    var watches = new ArrayList<Watch<?>>();
    loops.values().forEach(loop -> watches.add(watch(loop)));
    var present = leases;
    if (present != null) {
      watches.add(
          Watch.of(
              present.configured(),
              (cluster, lease) ->
                  Optional.ofNullable(lease.getMetadata().getLabels())
                      .map(labels -> labels.get(Labels.KMS_TARGET))
                      .filter(loops::containsKey)
                      .map(this::key)
                      .stream()
                      .toList()));
    }
    return watches;
  }

  private <T extends HasMetadata> Watch<T> watch(TargetLoop<T> loop) {
    return Watch.of(loop.objects(), (cluster, object) -> List.of(key(loop.word())));
  }

  List<WorkKey> keys() {
    return loops.keySet().stream().map(this::key).toList();
  }

  private WorkKey key(String word) {
    return new WorkKey(name, "", word);
  }

  /** The connection is new: old watches may be dead, and much may have passed unseen. */
  synchronized void reconnect() {
    loops.values().forEach(TargetLoop::reconnect);
    others.forEach(ObjectCache::reconnect);
  }

  void forget() {
    loops.values().forEach(TargetLoop::forget);
  }

  /** By the word of the target. */
  Map<String, KmsView> views() {
    var views = new TreeMap<String, KmsView>();
    loops.forEach((word, loop) -> loop.view().ifPresent(view -> views.put(word, view)));
    return views;
  }
}
