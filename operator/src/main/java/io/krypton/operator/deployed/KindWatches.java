package io.krypton.operator.deployed;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.multicluster.watch.EventFilter;
import io.krypton.multicluster.watch.InformerCache;
import io.krypton.multicluster.watch.MetadataCache;
import io.krypton.multicluster.watch.MetadataSelection;
import io.krypton.multicluster.watch.ObjectCache;
import io.krypton.operator.deployed.KindIndex.Served;
import io.krypton.operator.deployed.ObjectRef.Kind;
import io.krypton.operator.manifest.WorkloadReadiness;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows the kinds that releases of one cluster hold. A watch starts when the first release needs
 * it. Of workloads, whose readiness is in the status, that part is kept too; all others are
 * followed by their metadata.
 */
final class KindWatches implements AutoCloseable {
  private static final String MANAGED_BY_HELM = "app.kubernetes.io/managed-by=Helm";
  private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
  private static final String RELEASE_NAME = "meta.helm.sh/release-name";
  private static final String RELEASE_NAMESPACE = "meta.helm.sh/release-namespace";
  static final Map<Kind, Class<? extends HasMetadata>> WORKLOADS =
      Map.of(
          new Kind("apps/v1", "Deployment"), Deployment.class,
          new Kind("apps/v1", "StatefulSet"), StatefulSet.class,
          new Kind("apps/v1", "DaemonSet"), DaemonSet.class,
          new Kind("batch/v1", "Job"), Job.class);

  private final String cluster;
  private final KubernetesClient client;
  private final BiConsumer<String, String> changed;
  private final Map<Kind, ObjectCache<? extends HasMetadata>> caches = new HashMap<>();
  private boolean closed;

  /**
   * @param changed hears namespace and name of a release one of whose objects changed in a way that
   *     may matter
   */
  KindWatches(String cluster, KubernetesClient client, BiConsumer<String, String> changed) {
    this.cluster = cluster;
    this.client = client;
    this.changed = changed;
  }

  /** The objects of a kind in the version that the cluster serves. */
  ObjectCache<? extends HasMetadata> of(Served served) {
    synchronized (caches) {
      var known = caches.get(served.kind());
      if (known != null) {
        return known;
      }
      var fresh = newCache(served);
      if (!closed) {
        caches.put(served.kind(), started(fresh));
      }
      return fresh;
    }
  }

  /** The cluster serves this version no more: what the cache still shows is of the past. */
  void drop(Served served) {
    synchronized (caches) {
      var gone = caches.remove(served.kind());
      if (gone != null) {
        gone.close();
      }
    }
  }

  private ObjectCache<? extends HasMetadata> newCache(Served served) {
    var kind = served.kind();
    var name = cluster + "/" + served.plural();
    var type = WORKLOADS.get(kind);
    if (type == null) {
      var selection =
          new MetadataSelection(kind.group(), kind.version(), served.plural(), "", MANAGED_BY_HELM);
      return new MetadataCache(name, client, selection, Map.of());
    }
    return workloads(name, type);
  }

  private <T extends HasMetadata> ObjectCache<T> workloads(String name, Class<T> type) {
    return new InformerCache<>(
        name,
        client.resources(type).inAnyNamespace().withLabelSelector(MANAGED_BY_HELM),
        KindWatches::slim);
  }

  /** Who wrote and when, and whether it is ready: no other part of a workload is asked for. */
  static void slim(HasMetadata workload) {
    WorkloadReadiness.slim(workload);
    var metadata = workload.getMetadata();
    if (metadata.getManagedFields() != null) {
      metadata.getManagedFields().forEach(writer -> writer.setFieldsV1(null));
    }
    if (metadata.getAnnotations() != null) {
      metadata.getAnnotations().remove(LAST_APPLIED);
    }
  }

  private <T extends HasMetadata> ObjectCache<T> started(ObjectCache<T> cache) {
    var _ = cache.subscribe(this::onChange);
    cache.start();
    return cache;
  }

  private void onChange(@Nullable HasMetadata before, @Nullable HasMetadata after) {
    if (before == null ? isNoNews(after) : !matters(before, after)) {
      return;
    }
    tell(before);
    tell(after);
  }

  /** What appears is what somebody, most often Helm, was asked for; only its readiness is news. */
  private static boolean isNoNews(@Nullable HasMetadata added) {
    return added == null || !WorkloadReadiness.KINDS.contains(added.getKind());
  }

  private static boolean matters(HasMetadata before, @Nullable HasMetadata after) {
    return EventFilter.<HasMetadata>ignoringStatus().passes(before, after)
        || after == null
        || !WorkloadReadiness.of(before).equals(WorkloadReadiness.of(after));
  }

  private void tell(@Nullable HasMetadata object) {
    var annotations = object == null ? null : object.getMetadata().getAnnotations();
    if (annotations != null) {
      var namespace = annotations.get(RELEASE_NAMESPACE);
      var name = annotations.get(RELEASE_NAME);
      if (namespace != null && name != null) {
        changed.accept(namespace, name);
      }
    }
  }

  /** Opens new connections after an outage. */
  void reconnect() {
    synchronized (caches) {
      caches.values().forEach(ObjectCache::reconnect);
    }
  }

  @Override
  public void close() {
    synchronized (caches) {
      closed = true;
      caches.values().forEach(ObjectCache::close);
    }
  }
}
