// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.inventory;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.multicluster.cache.InformerCache;
import io.krypton.multicluster.cache.MetadataCache;
import io.krypton.multicluster.cache.MetadataSelection;
import io.krypton.multicluster.cache.ObjectCache;
import io.krypton.multicluster.controller.EventPredicate;
import io.krypton.operator.release.decide.DeployedRelease;
import io.krypton.operator.release.inventory.KindDiscovery.ServedKind;
import io.krypton.operator.release.inventory.ObjectRef.Kind;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
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
  ObjectCache<? extends HasMetadata> of(ServedKind servedKind) {
    synchronized (caches) {
      var known = caches.get(servedKind.kind());
      if (known != null) {
        return known;
      }
      var fresh = newCache(servedKind);
      if (!closed) {
        caches.put(servedKind.kind(), started(fresh));
      }
      return fresh;
    }
  }

  /** The cluster serves this version no more: what the cache still shows is of the past. */
  void remove(ServedKind servedKind) {
    synchronized (caches) {
      var gone = caches.remove(servedKind.kind());
      if (gone != null) {
        gone.close();
      }
    }
  }

  private ObjectCache<? extends HasMetadata> newCache(ServedKind servedKind) {
    var kind = servedKind.kind();
    var name = cluster + "/" + servedKind.plural();
    var type = WORKLOADS.get(kind);
    if (type == null) {
      var selection =
          new MetadataSelection(
              kind.group(), kind.version(), servedKind.plural(), "", MANAGED_BY_HELM);
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
    WorkloadReadiness.strip(workload);
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
    if (before == null ? isIrrelevantAdd(after) : !isRelevant(before, after)) {
      return;
    }
    notifyRelease(before);
    notifyRelease(after);
  }

  /**
   * What appears is what somebody, most often Helm, was asked for; only its readiness is of
   * interest.
   */
  private static boolean isIrrelevantAdd(@Nullable HasMetadata added) {
    return added == null || !WorkloadReadiness.KINDS.contains(added.getKind());
  }

  private static boolean isRelevant(HasMetadata before, @Nullable HasMetadata after) {
    return EventPredicate.<HasMetadata>ignoringStatus().test(before, after)
        || after == null
        || !WorkloadReadiness.of(before).equals(WorkloadReadiness.of(after));
  }

  private void notifyRelease(@Nullable HasMetadata object) {
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

  /** The release that an object belongs to, as Helm's annotations on it say. */
  record HelmOwner(String namespace, String release) {
    private static final String NAME = "meta.helm.sh/release-name";
    private static final String NAMESPACE = "meta.helm.sh/release-namespace";

    static Optional<HelmOwner> of(ObjectMeta metadata) {
      var annotations = metadata.getAnnotations();
      var name = annotations == null ? null : annotations.get(NAME);
      var namespace = annotations == null ? null : annotations.get(NAMESPACE);
      return name == null || namespace == null
          ? Optional.empty()
          : Optional.of(new HelmOwner(namespace, name));
    }

    boolean isOf(DeployedRelease deployed) {
      return namespace.equals(deployed.namespace()) && release.equals(deployed.name().value());
    }

    @Override
    public String toString() {
      return namespace + "/" + release;
    }
  }
}
