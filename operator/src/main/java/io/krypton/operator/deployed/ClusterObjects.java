package io.krypton.operator.deployed;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.Annotations;
import io.krypton.multicluster.watch.ObjectCache;
import io.krypton.operator.manifest.Readiness;
import io.krypton.operator.manifest.WorkloadReadiness;
import io.krypton.operator.rollout.DeployedRelease;
import io.krypton.operator.rollout.Findings;
import io.krypton.operator.rollout.TargetCluster;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** The objects of all releases on one cluster. */
public final class ClusterObjects implements AutoCloseable {
  private static final Duration SYNC_PATIENCE = Duration.ofSeconds(2);
  private static final Set<Integer> NOT_TO_BE_WATCHED =
      Set.of(HttpURLConnection.HTTP_FORBIDDEN, HttpURLConnection.HTTP_BAD_METHOD);

  private final Inventories inventories;
  private final KindWatches watches;
  private final LiveObjects objects;
  private final DriftCheck check;
  private final BiConsumer<String, String> wake;

  /** What was found about an object; it holds until the object or its release changes. */
  private record Verdict(String version, boolean differs) {}

  private final Map<ObjectRef, Verdict> verdicts = new ConcurrentHashMap<>();

  /**
   * One for each engaged cluster.
   *
   * @param wake hears namespace and name of a release that should be looked at
   */
  public ClusterObjects(String cluster, KubernetesClient client, BiConsumer<String, String> wake) {
    var kinds = new KindIndex(client);
    this.inventories = new Inventories(kinds);
    this.watches = new KindWatches(cluster, client, kinds, wake);
    this.objects = new LiveObjects(client, kinds);
    this.check = new DriftCheck(client, objects);
    this.wake = wake;
  }

  Findings inspect(TargetCluster target, DeployedRelease release) throws IOException {
    var look = new Look(release.revision());
    for (var ref : inventories.of(target, release).objects()) {
      look(ref, release, look);
    }
    return new Findings(
        look.missing, changed(target, release, look), look.pending, look.broken, look.complete);
  }

  private static final class Look {
    final List<String> missing = new ArrayList<>();
    final List<String> changed = new ArrayList<>();
    final Map<ObjectRef, String> suspects = new HashMap<>();
    final List<String> pending = new ArrayList<>();
    final List<String> broken = new ArrayList<>();
    boolean complete = true;
    private final int revision;

    Look(int revision) {
      this.revision = revision;
    }

    /** A new status is no new version, for kinds that count generations. */
    String version(ObjectMeta metadata) {
      var spec =
          metadata.getGeneration() == null
              ? metadata.getResourceVersion()
              : metadata.getGeneration().toString();
      return "%s@%s in %d".formatted(metadata.getUid(), spec, revision);
    }
  }

  private void look(ObjectRef ref, DeployedRelease release, Look look) {
    var cache = watches.of(ref.kind());
    if (cache.isEmpty()) {
      look.missing.add(ref.shown());
      return;
    }
    if (mayNotBeWatched(cache.get())) {
      objects
          .read(ref)
          .ifPresentOrElse(live -> lookAt(live, ref, look), () -> look.missing.add(ref.shown()));
      return;
    }
    if (!cache.get().hasSynced()) {
      look.complete = false;
      wakeWhenSynced(cache.get(), release);
      return;
    }
    Optional<? extends HasMetadata> live = cache.get().get(ref.namespace(), ref.name());
    // Before anybody repairs what a late cache has not heard of yet, the server is asked.
    (live.isPresent() ? live : objects.read(ref))
        .ifPresentOrElse(
            present -> lookAt(present, ref, look), () -> look.missing.add(ref.shown()));
  }

  private static boolean mayNotBeWatched(ObjectCache<?> cache) {
    return cache
        .failure()
        .filter(failure -> NOT_TO_BE_WATCHED.contains(failure.code()))
        .isPresent();
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

  private void lookAt(HasMetadata live, ObjectRef ref, Look look) {
    judge(live.getMetadata(), ref, look);
    switch (WorkloadReadiness.of(live)) {
      case Readiness.Ready ready -> {}
      case Readiness.NotReady(var shown) -> look.pending.add(shown);
      case Readiness.Failed(var shown) -> look.broken.add(shown);
    }
  }

  private void judge(ObjectMeta metadata, ObjectRef ref, Look look) {
    if (isOptedOut(metadata) || !Suspicion.about(metadata)) {
      return;
    }
    var version = look.version(metadata);
    var verdict = verdicts.get(ref);
    if (verdict == null || !verdict.version().equals(version)) {
      look.suspects.put(ref, version);
    } else if (verdict.differs()) {
      look.changed.add(ref.shown());
    }
  }

  private List<String> changed(TargetCluster target, DeployedRelease release, Look look)
      throws IOException {
    if (look.suspects.isEmpty()) {
      return look.changed;
    }
    for (var object : inventories.manifest(target, release).objects()) {
      var ref = inventories.reference(object, release.namespace());
      var version = look.suspects.get(ref);
      if (version != null) {
        var differs = check.differs(ref, object);
        verdicts.put(ref, new Verdict(version, differs));
        if (differs) {
          look.changed.add(ref.shown());
        }
      }
    }
    return look.changed;
  }

  private static boolean isOptedOut(ObjectMeta metadata) {
    return metadata.getAnnotations() != null
        && Annotations.DISABLED.equals(metadata.getAnnotations().get(Annotations.DRIFT_DETECTION));
  }

  void forget(String namespace, String release) {
    inventories.forget(namespace, release);
    verdicts.keySet().removeIf(ref -> ref.namespace().equals(namespace));
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
