// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PartialObjectMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.krypton.api.Labels;
import io.krypton.multicluster.cache.MetadataClient;
import io.krypton.multicluster.cache.MetadataSelection;
import io.krypton.multicluster.cache.ObjectCache;
import io.krypton.operator.namespace.Owner;
import io.krypton.operator.release.decide.ReleaseHistory;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.decide.ReleaseSecret;
import io.krypton.operator.release.decide.Revision;
import io.krypton.operator.release.helm.HelmOperation.HelmKubeconfig;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One engaged cluster as a rollout uses it: caches to read, a client to write. */
public final class TargetCluster {
  /** Index of release Secrets by {@code <namespace>/<release>}. */
  private static final String BY_RELEASE = "release";

  /** Index of release Secrets by namespace. */
  private static final String BY_NAMESPACE = "namespace";

  private static final String SECRETS = "secrets";

  /** Made with a server, and gone with it: it identifies a server, whatever its names. */
  private static final String KUBE_SYSTEM = "kube-system";

  /** A watch that takes longer is behind, or broken. */
  private static final Duration WATCH_DELAY = Duration.ofMillis(300);

  private final String name;
  private final KubernetesClient client;
  private final Supplier<HelmKubeconfig> kubeconfig;
  private final ObjectCache<PartialObjectMetadata> namespaces;
  private final ObjectCache<PartialObjectMetadata> releaseSecrets;
  private final ReleaseChanges changes = new ReleaseChanges();

  public TargetCluster(
      String name,
      KubernetesClient client,
      Supplier<HelmKubeconfig> kubeconfig,
      ObjectCache<PartialObjectMetadata> namespaces,
      ObjectCache<PartialObjectMetadata> releaseSecrets) {
    this.name = name;
    this.client = client;
    this.kubeconfig = kubeconfig;
    this.namespaces = namespaces;
    this.releaseSecrets = releaseSecrets;
    var _ = releaseSecrets.subscribe(this::onChange);
  }

  private void onChange(
      @Nullable PartialObjectMetadata before, @Nullable PartialObjectMetadata after) {
    var changed = after == null ? before : after;
    if (changed != null) {
      var metadata = changed.getMetadata();
      ReleaseSecret.release(metadata)
          .ifPresent(release -> changes.changed(metadata.getNamespace(), release));
    }
  }

  public String name() {
    return name;
  }

  public KubernetesClient client() {
    return client;
  }

  /** The credentials as they are at the moment of asking. */
  Supplier<HelmKubeconfig> kubeconfig() {
    return kubeconfig;
  }

  /** Whether two clusters are two names of one API server, as far as that is known. */
  public boolean isSameServerAs(TargetCluster other) {
    var uid = namespace(KUBE_SYSTEM).map(ObjectMeta::getUid);
    return uid.isPresent() && uid.equals(other.namespace(KUBE_SYSTEM).map(ObjectMeta::getUid));
  }

  /** The API server behind the name; two names may lead to one. */
  String serverUid() {
    return namespace("kube-system").map(ObjectMeta::getUid).orElse(name);
  }

  Optional<ObjectMeta> namespace(String namespace) {
    return namespaces.get("", namespace).map(PartialObjectMetadata::getMetadata);
  }

  /** Whether the namespace was made for this owner. */
  public boolean isNamespaceOwnedBy(Owner owner, String namespace) {
    return namespace(namespace)
        .map(ObjectMeta::getLabels)
        .map(labels -> owner.uid().equals(labels.get(Labels.OWNER_UID)))
        .orElse(false);
  }

  /** What the cache knows; it may lag behind what a Helm process of ours just did. */
  public ReleaseHistory cachedHistory(String namespace, ReleaseName release) {
    return history(releaseSecrets.byIndex(BY_RELEASE, indexKey(namespace, release.value())));
  }

  /**
   * What the cache knows, once it knows what a run of ours has just done: mostly the watch is on
   * its way with it.
   *
   * @return empty if it does not know that in time
   */
  Optional<ReleaseHistory> awaitCachedHistory(
      String namespace, ReleaseName release, Predicate<ReleaseHistory> isUpToDate)
      throws InterruptedException {
    try (var waiter = changes.waiter(namespace, release.value())) {
      do {
        var history = cachedHistory(namespace, release);
        if (isUpToDate.test(history)) {
          return Optional.of(history);
        }
      } while (waiter.await(WATCH_DELAY));
      return Optional.empty();
    }
  }

  /** What the server knows now. */
  public ReleaseHistory readHistory(String namespace, ReleaseName release)
      throws InterruptedException {
    var selector = selector() + ",name=" + release.value();
    return history(MetadataClient.list(client, releaseSecretsIn(namespace).withLabels(selector)));
  }

  /**
   * All releases of a namespace, asked from the server: on deletion a lagging cache would leave one
   * behind.
   */
  Map<String, ReleaseHistory> readReleases(String namespace) throws InterruptedException {
    return releases(
        MetadataClient.list(client, releaseSecretsIn(namespace).withLabels(selector())));
  }

  /** All releases of a namespace, of all owners, as far as the cache knows. */
  public Map<String, ReleaseHistory> cachedReleases(String namespace) {
    return releases(releaseSecrets.byIndex(BY_NAMESPACE, namespace));
  }

  private static Map<String, ReleaseHistory> releases(Collection<PartialObjectMetadata> secrets) {
    var releases = new TreeMap<String, ReleaseHistory>();
    secrets.stream()
        .collect(Collectors.groupingBy(it -> ReleaseSecret.release(it.getMetadata()).orElse("")))
        .forEach((release, its) -> releases.put(release, history(its)));
    releases.remove("");
    return releases;
  }

  /** Sets labels of a stored revision; null removes one. */
  void patchLabels(
      String namespace, ReleaseName release, int revision, Map<String, @Nullable String> labels) {
    var patch = JsonNodeFactory.instance.objectNode();
    var node = patch.putObject("metadata").putObject("labels");
    labels.forEach(node::put);
    client
        .secrets()
        .inNamespace(namespace)
        .withName(ReleaseSecret.name(release, revision))
        .patch(PatchContext.of(PatchType.JSON_MERGE), patch.toString());
  }

  private static String indexKey(String namespace, String release) {
    return namespace + "/" + release;
  }

  /** The indexes that the cache of release Secrets must have. */
  public static Map<String, Function<PartialObjectMetadata, List<String>>> indexes() {
    return Map.of(
        BY_RELEASE,
        secret ->
            ReleaseSecret.release(secret.getMetadata())
                .map(release -> List.of(indexKey(secret.getMetadata().getNamespace(), release)))
                .orElse(List.of()),
        BY_NAMESPACE,
        secret -> List.of(secret.getMetadata().getNamespace()));
  }

  /** The Secrets of all releases on a cluster, for the watch behind the cache. */
  public static MetadataSelection allReleaseSecrets() {
    return new MetadataSelection("", "v1", SECRETS, "", selector());
  }

  private static MetadataSelection releaseSecretsIn(String namespace) {
    return new MetadataSelection("", "v1", SECRETS, namespace, "");
  }

  private static String selector() {
    return ReleaseSecret.SELECTOR.entrySet().stream()
        .map(label -> label.getKey() + "=" + label.getValue())
        .collect(Collectors.joining(","));
  }

  private static ReleaseHistory history(Collection<PartialObjectMetadata> secrets) {
    return ReleaseHistory.of(
        secrets.stream()
            .map(secret -> ReleaseSecret.revision(secret.getMetadata()).orElse(null))
            .filter(Objects::nonNull)
            .map(Revision.class::cast)
            .toList());
  }
}
