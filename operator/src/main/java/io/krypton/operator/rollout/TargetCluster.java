package io.krypton.operator.rollout;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PartialObjectMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.Labels;
import io.krypton.multicluster.watch.MetadataReader;
import io.krypton.multicluster.watch.MetadataSelection;
import io.krypton.multicluster.watch.ObjectCache;
import io.krypton.operator.helm.Kubeconfig;
import io.krypton.operator.release.ReleaseHistory;
import io.krypton.operator.release.ReleaseName;
import io.krypton.operator.release.ReleaseSecret;
import io.krypton.operator.release.Revision;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** One engaged cluster as the engine uses it: caches to look at, a client to change it. */
public final class TargetCluster {
  /** Index of release Secrets by {@code <namespace>/<release>}. */
  private static final String BY_RELEASE = "release";

  private static final String SECRETS = "secrets";

  private final String name;
  private final KubernetesClient client;
  private final Supplier<Kubeconfig> kubeconfig;
  private final ObjectCache<PartialObjectMetadata> namespaces;
  private final ObjectCache<PartialObjectMetadata> releaseSecrets;

  public TargetCluster(
      String name,
      KubernetesClient client,
      Supplier<Kubeconfig> kubeconfig,
      ObjectCache<PartialObjectMetadata> namespaces,
      ObjectCache<PartialObjectMetadata> releaseSecrets) {
    this.name = name;
    this.client = client;
    this.kubeconfig = kubeconfig;
    this.namespaces = namespaces;
    this.releaseSecrets = releaseSecrets;
  }

  public String name() {
    return name;
  }

  public KubernetesClient client() {
    return client;
  }

  Kubeconfig kubeconfig() {
    return kubeconfig.get();
  }

  Optional<ObjectMeta> namespace(String namespace) {
    return namespaces.get("", namespace).map(PartialObjectMetadata::getMetadata);
  }

  /** Whether the namespace was made for this owner. */
  public boolean isHeldBy(Owner owner, String namespace) {
    return namespace(namespace)
        .map(ObjectMeta::getLabels)
        .map(labels -> owner.uid().equals(labels.get(Labels.OWNER_UID)))
        .orElse(false);
  }

  /** What the cache knows; it may lag behind what a Helm process of ours just did. */
  public ReleaseHistory knownHistory(String namespace, ReleaseName release) {
    return history(releaseSecrets.byIndex(BY_RELEASE, indexKey(namespace, release.value())));
  }

  /** What the server knows now. */
  public ReleaseHistory readHistory(String namespace, ReleaseName release)
      throws InterruptedException {
    var selector = selector() + ",name=" + release.value();
    return history(MetadataReader.list(client, releaseSecretsIn(namespace).withLabels(selector)));
  }

  /**
   * All releases of a namespace, asked from the server: on deletion a lagging cache would leave one
   * behind.
   */
  Map<String, ReleaseHistory> readReleases(String namespace) throws InterruptedException {
    var all = MetadataReader.list(client, releaseSecretsIn(namespace).withLabels(selector()));
    var releases = new TreeMap<String, ReleaseHistory>();
    all.stream()
        .collect(Collectors.groupingBy(it -> ReleaseSecret.release(it.getMetadata()).orElse("")))
        .forEach((release, secrets) -> releases.put(release, history(secrets)));
    releases.remove("");
    return releases;
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
                .orElse(List.of()));
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
