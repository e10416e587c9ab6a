package io.krypton.operator.deployed;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.Annotations;
import io.krypton.multicluster.watch.ObjectCache;
import io.krypton.operator.deployed.DriftCheck.Answer;
import io.krypton.operator.deployed.KindIndex.Served;
import io.krypton.operator.manifest.Readiness;
import io.krypton.operator.manifest.WorkloadReadiness;
import io.krypton.operator.rollout.DeployedRelease;
import io.krypton.operator.rollout.Findings;
import io.krypton.operator.rollout.Inspector.Scope;
import io.krypton.operator.rollout.TargetCluster;
import io.krypton.operator.rollout.UncheckedObject;
import io.krypton.operator.rollout.UncheckedObject.Cause;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** The objects of all releases on one cluster. */
public final class ClusterObjects implements AutoCloseable {
  private static final Duration SYNC_PATIENCE = Duration.ofSeconds(2);
  private static final Set<Integer> NOT_TO_BE_WATCHED =
      Set.of(HttpURLConnection.HTTP_FORBIDDEN, HttpURLConnection.HTTP_BAD_METHOD);

  private final KindIndex kinds;
  private final Inventories inventories;
  private final KindWatches watches;
  private final LiveObjects objects;
  private final DriftCheck check;
  private final Verdicts verdicts;
  private final BiConsumer<String, String> wake;

  /**
   * One for each engaged cluster.
   *
   * @param wake hears namespace and name of a release that should be looked at
   */
  public ClusterObjects(String cluster, KubernetesClient client, BiConsumer<String, String> wake) {
    this(cluster, client, wake, InstantSource.system());
  }

  ClusterObjects(
      String cluster,
      KubernetesClient client,
      BiConsumer<String, String> wake,
      InstantSource clock) {
    this.kinds = new KindIndex(client, clock);
    this.inventories = new Inventories(kinds);
    this.watches = new KindWatches(cluster, client, wake);
    this.objects = new LiveObjects(client, kinds);
    this.check = new DriftCheck(client, objects);
    this.verdicts = new Verdicts(clock);
    this.wake = wake;
  }

  Findings inspect(TargetCluster target, DeployedRelease release, Scope scope) throws IOException {
    var look = new Look(target, release, inventories.of(target, release), scope);
    for (var ref : look.inventory.objects()) {
      if (scope != Scope.READINESS || WorkloadReadiness.KINDS.contains(ref.kind().name())) {
        look(ref, look);
      }
    }
    askAboutSuspects(look);
    return new Findings(
        look.missing, look.changed, look.pending, look.broken, look.unchecked, look.complete);
  }

  /** One inspection of one release. */
  private static final class Look {
    final TargetCluster target;
    final DeployedRelease release;
    final Inventory inventory;
    final Scope scope;
    final List<String> missing = new ArrayList<>();
    final List<String> changed = new ArrayList<>();
    final List<UncheckedObject> unchecked = new ArrayList<>();
    final Map<ObjectRef, String> suspects = new HashMap<>();
    final List<String> pending = new ArrayList<>();
    final List<String> broken = new ArrayList<>();
    boolean complete = true;

    Look(TargetCluster target, DeployedRelease release, Inventory inventory, Scope scope) {
      this.target = target;
      this.release = release;
      this.inventory = inventory;
      this.scope = scope;
    }
  }

  private void look(ObjectRef ref, Look look) {
    var served = kinds.find(ref.kind()).orElse(null);
    if (served != null && isServedNoMore(watches.of(served))) {
      watches.drop(served);
      kinds.forget(ref.kind());
      served = kinds.find(ref.kind()).orElse(null);
    }
    if (served == null) {
      notServed(ref, "no version of the kind is", look);
      return;
    }
    var cache = watches.of(served);
    if (mayNotBeWatched(cache)) {
      ask(ref, served, look);
    } else if (!cache.hasSynced()) {
      look.complete = false;
      wakeWhenSynced(cache, look.release);
    } else {
      Optional<? extends HasMetadata> live = cache.get(ref.namespace(), ref.name());
      if (live.isPresent() || hasEnded(ref, look)) {
        found(live, ref, served, look);
      } else {
        // Before anybody repairs what a late cache has not heard of yet.
        ask(ref, served, look);
      }
    }
  }

  private void ask(ObjectRef ref, Served served, Look look) {
    Optional<HasMetadata> live;
    try {
      live = objects.read(ref);
    } catch (KubernetesClientException refused) {
      tell(new Answer.Refused(Refusals.why(refused, ref)), ref, look);
      return;
    }
    found(live, ref, served, look);
  }

  private static boolean hasEnded(ObjectRef ref, Look look) {
    return look.inventory.ended().containsKey(ref);
  }

  private static boolean isServedNoMore(ObjectCache<?> cache) {
    return failedWith(cache, Set.of(HttpURLConnection.HTTP_NOT_FOUND));
  }

  private static boolean mayNotBeWatched(ObjectCache<?> cache) {
    return failedWith(cache, NOT_TO_BE_WATCHED);
  }

  private static boolean failedWith(ObjectCache<?> cache, Set<Integer> codes) {
    return cache.failure().filter(failure -> codes.contains(failure.code())).isPresent();
  }

  /** A watch that is refused never syncs, and nobody tells; so look again soon in any case. */
  private void wakeWhenSynced(ObjectCache<?> cache, DeployedRelease release) {
    var _ =
        cache
            .synced()
            .copy()
            .orTimeout(SYNC_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
            .whenComplete(
                (synced, late) -> {
                  if (!cache.synced().isCancelled()) {
                    wake.accept(release.namespace(), release.name().value());
                  }
                });
  }

  private void found(
      Optional<? extends HasMetadata> live, ObjectRef ref, Served served, Look look) {
    var end = look.inventory.ended().get(ref);
    if (live.isPresent()) {
      lookAt(live.get(), ref, served, look);
    } else if (end != null) {
      tell(end, look);
    } else if (served.is(ref.kind())) {
      look.missing.add(ref.shown());
    } else {
      notServed(ref, "it is gone, and only %s is".formatted(served.kind().apiVersion()), look);
    }
  }

  private void lookAt(HasMetadata live, ObjectRef ref, Served served, Look look) {
    if (!served.is(ref.kind())) {
      notServed(ref, "only %s is".formatted(served.kind().apiVersion()), look);
    } else if (look.scope != Scope.READINESS) {
      judge(live.getMetadata(), ref, look);
    }
    var readiness = WorkloadReadiness.of(live);
    if (live instanceof Job job && WorkloadReadiness.hasEnded(job)) {
      inventories.ended(look.target, look.release, look.inventory, ref, readiness);
    }
    tell(readiness, look);
  }

  private static void tell(Readiness readiness, Look look) {
    switch (readiness) {
      case Readiness.Ready ready -> {}
      case Readiness.NotReady(var shown) -> look.pending.add(shown);
      case Readiness.Failed(var shown) -> look.broken.add(shown);
    }
  }

  /** Helm could not write it either, so there is nothing that a repair could do. */
  private static void notServed(ObjectRef ref, String instead, Look look) {
    if (look.scope != Scope.READINESS) {
      var why =
          "%s is no longer served by this cluster, %s; use a chart that knows the new version"
              .formatted(ref.kind().apiVersion(), instead);
      look.unchecked.add(new UncheckedObject(ref.shown(), Cause.API_VERSION_NOT_SERVED, why));
    }
  }

  private void judge(ObjectMeta metadata, ObjectRef ref, Look look) {
    if (isOptedOut(metadata) || !Suspicion.about(metadata)) {
      return;
    }
    var version = Verdicts.version(metadata, look.inventory.revisionUid());
    var known = verdicts.about(ref, version).orElse(null);
    if (known == null || (look.scope == Scope.DRIFT_TO_BE_REPAIRED && isDrift(known))) {
      look.suspects.put(ref, version);
    } else {
      tell(known, ref, look);
    }
  }

  private static boolean isDrift(Answer answer) {
    return answer instanceof Answer.Differs || answer instanceof Answer.Obstructed;
  }

  private static void tell(Answer answer, ObjectRef ref, Look look) {
    switch (answer) {
      case Answer.Same same -> {}
      case Answer.Busy busy -> {}
      case Answer.Differs differs -> look.changed.add(ref.shown());
      case Answer.Obstructed obstructed -> look.changed.add(ref.shown());
      case Answer.Refused(var why) ->
          look.unchecked.add(new UncheckedObject(ref.shown(), Cause.DRY_RUN_REFUSED, why));
    }
  }

  /** Asks the server about those objects of which nothing is known. */
  private void askAboutSuspects(Look look) throws IOException {
    if (look.suspects.isEmpty()) {
      return;
    }
    for (var object : inventories.manifest(look.target, look.release).objects()) {
      var ref = inventories.reference(object, look.release.namespace());
      var version = look.suspects.get(ref);
      if (version != null) {
        var compared = check.compare(ref, object);
        var answer =
            look.scope == Scope.DRIFT_TO_BE_REPAIRED && isDrift(compared)
                ? check.reclaim(ref, object, compared)
                : compared;
        if (!(answer instanceof Answer.Busy)) {
          verdicts.put(ref, version, answer);
        }
        tell(answer, ref, look);
      }
    }
  }

  List<String> ownedByOthers(TargetCluster target, DeployedRelease release) throws IOException {
    var others = new ArrayList<String>();
    for (var ref : inventories.of(target, release).objects()) {
      metadata(ref)
          .flatMap(Ownership::of)
          .filter(owner -> !owner.isOf(release))
          .ifPresent(owner -> others.add("%s (of release %s)".formatted(ref.shown(), owner)));
    }
    return others;
  }

  /** Empty for what is not there, and for what we may not see. */
  private Optional<ObjectMeta> metadata(ObjectRef ref) {
    var cache = kinds.find(ref.kind()).map(watches::of).orElse(null);
    if (cache == null || mayNotBeWatched(cache)) {
      return Optional.empty();
    }
    if (cache.hasSynced()) {
      return cache.get(ref.namespace(), ref.name()).map(HasMetadata::getMetadata);
    }
    try {
      return objects.read(ref).map(HasMetadata::getMetadata);
    } catch (KubernetesClientException refused) {
      if (refused.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
        throw refused;
      }
      return Optional.empty();
    }
  }

  private static boolean isOptedOut(ObjectMeta metadata) {
    return metadata.getAnnotations() != null
        && Annotations.DISABLED.equals(metadata.getAnnotations().get(Annotations.DRIFT_DETECTION));
  }

  /** What is kept in memory of an object. */
  Optional<? extends HasMetadata> cached(Served kind, String namespace, String name) {
    return watches.of(kind).get(namespace, name);
  }

  void forget(String namespace, String release) {
    inventories.forget(namespace, release).map(Inventory::objects).ifPresent(verdicts::forget);
  }

  /** Opens new connections after an outage. */
  public void reconnect() {
    watches.reconnect();
  }

  @Override
  public void close() {
    watches.close();
  }
}
