// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.provider;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.krypton.multicluster.cluster.ClusterEvent.DisengageReason;
import io.krypton.multicluster.cluster.ClusterRegistry;
import io.krypton.multicluster.cluster.ClusterRegistry.SecretContent;
import io.krypton.multicluster.cluster.SecretRef;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Provides a registry with clusters: those of labelled Secrets, and those of Secrets that some
 * object references. A Secret that is both is watched, and engaged, once.
 */
public final class ClusterProvider implements AutoCloseable {
  private static final int REASON_TIMEOUT_MILLIS = 1000;

  private final ClusterRegistry registry;
  private final DiscoverySettings settings;
  private final Set<SecretRef> labelled = new HashSet<>();
  private final Map<SecretRef, Set<String>> holders = new HashMap<>();
  private final Map<SecretRef, String> keys = new HashMap<>();
  private @Nullable KubernetesClient home;
  private @Nullable ReferencedSecretWatcher named;
  private @Nullable SecretInformer labels;
  private boolean synced;
  private volatile Consumer<SecretRef> onMissing = secret -> {};

  /** What is known of the Secrets that provide clusters; read by many, so without a lock. */
  private final Map<SecretRef, Map<String, String>> labelsOf = new ConcurrentHashMap<>();

  private volatile Consumer<SecretRef> onLabels = secret -> {};

  public ClusterProvider(ClusterRegistry registry, DiscoverySettings settings) {
    this.registry = registry;
    this.settings = settings;
  }

  /**
   * Watches this home cluster from now on. Clusters from another home stay until the first complete
   * list of this one.
   */
  public synchronized void attach(KubernetesClient client) {
    close();
    home = client;
    labels =
        new SecretInformer(
            client
                .secrets()
                .inNamespace(settings.namespace())
                .withLabel(settings.label(), DiscoverySettings.LABEL_VALUE)
                .runnableInformer(0),
            this::onLabelled,
            this::onUnlabelled,
            this::onListed);
    named = new ReferencedSecretWatcher(client, this::onReferenced);
    holders.keySet().forEach(this::watchByName);
  }

  /** Tells when it has become known that a Secret, which somebody refers to, does not exist. */
  public void onMissing(Consumer<SecretRef> listener) {
    onMissing = listener;
  }

  /** Tells when the labels of a Secret have become known, or others; must be quick. */
  public void onLabels(Consumer<SecretRef> listener) {
    onLabels = listener;
  }

  /** The labels that the Secret of a cluster was last seen with; none if it was not seen yet. */
  public Map<String, String> labels(SecretRef secret) {
    return labelsOf.getOrDefault(secret, Map.of());
  }

  /** Whether a Secret, which somebody refers to, is known not to exist. */
  public synchronized boolean isMissing(SecretRef secret) {
    return named != null && named.isMissing(secret);
  }

  /** Whether the labelled Secrets were listed completely once. */
  public synchronized boolean hasSynced() {
    return synced;
  }

  /** A holder, any name of an object, refers to this Secret; saying so twice changes nothing. */
  public void engage(SecretRef secret, String holder) {
    engage(secret, settings.key(), holder);
  }

  /**
   * The same with a data key of its own. A Secret is one cluster: whoever comes first, and before
   * all its label, decides on the key. Answers false if that is another one.
   */
  public synchronized boolean engage(SecretRef secret, String key, String holder) {
    if (!key.equals(keyOf(secret)) && (labelled.contains(secret) || holders.containsKey(secret))) {
      return false;
    }
    holders.computeIfAbsent(secret, unheld -> new HashSet<>()).add(holder);
    keys.put(secret, key);
    watchByName(secret);
    return true;
  }

  /** Whether the Secret is wanted for its label, and not only because somebody refers to it. */
  public synchronized boolean carriesLabel(SecretRef secret) {
    return labelled.contains(secret);
  }

  /** The holder refers to it no more. The last one to leave lets the cluster go. */
  public synchronized void release(SecretRef secret, String holder) {
    var others = holders.get(secret);
    if (others == null || !others.remove(holder) || !others.isEmpty()) {
      return;
    }
    holders.remove(secret);
    keys.remove(secret);
    unwatch(secret);
    if (!labelled.contains(secret)) {
      labelsOf.remove(secret);
      registry.disengage(secret, () -> DisengageReason.NO_LONGER_REFERENCED);
    }
  }

  private synchronized void onLabelled(Secret secret) {
    var ref = refOf(secret);
    if (labelled.add(ref) && holders.containsKey(ref)) {
      // What is prepared on a cluster may depend on the label, so it is engaged anew.
      registry.disengage(ref, () -> DisengageReason.LABEL_CHANGED);
    }
    unwatch(ref);
    apply(ref, secret);
  }

  private synchronized void onUnlabelled(Secret secret) {
    var ref = refOf(secret);
    labelled.remove(ref);
    if (holders.containsKey(ref)) {
      registry.disengage(ref, () -> DisengageReason.LABEL_CHANGED);
      watchByName(ref);
    } else {
      labelsOf.remove(ref);
      registry.disengage(ref, () -> reasonUnlisted(ref));
    }
  }

  private synchronized void onListed(List<Secret> secrets) {
    synced = true;
    var keep = new HashSet<SecretRef>();
    secrets.forEach(secret -> keep.add(refOf(secret)));
    labelled.retainAll(keep);
    holders.keySet().forEach(this::watchByName);
    keep.addAll(holders.keySet());
    labelsOf.keySet().retainAll(keep);
    registry.retain(keep, DisengageReason.NOT_LISTED);
  }

  private void apply(SecretRef ref, Secret secret) {
    if (secret.getMetadata().getDeletionTimestamp() != null) {
      registry.disengage(ref, () -> DisengageReason.SECRET_TERMINATING);
      return;
    }
    rememberLabels(ref, secret);
    var key = keyOf(ref);
    registry.engage(ref, SecretContent.of(key, bytesOf(secret, key)));
  }

  /** Before it is engaged: who hears of the cluster finds its labels. */
  private void rememberLabels(SecretRef ref, Secret secret) {
    var labels = secret.getMetadata().getLabels();
    var now = labels == null ? Map.<String, String>of() : Map.copyOf(labels);
    if (!now.equals(labelsOf.put(ref, now))) {
      onLabels.accept(ref);
    }
  }

  /** Only while the label informer does not hold it: two watches could contradict each other. */
  private void watchByName(SecretRef ref) {
    if (named != null && !labelled.contains(ref)) {
      named.follow(ref);
    }
  }

  private void onReferenced(SecretRef ref, @Nullable Secret secret) {
    synchronized (this) {
      if (named == null || !named.isFollowed(ref)) {
        return;
      }
      if (secret != null) {
        apply(ref, secret);
        return;
      }
      registry.disengage(ref, () -> DisengageReason.SECRET_DELETED);
    }
    onMissing.accept(ref);
  }

  private void unwatch(SecretRef ref) {
    if (named != null) {
      named.unfollow(ref);
    }
  }

  /** A watch by label cannot distinguish a removed label from a deleted Secret. */
  private DisengageReason reasonUnlisted(SecretRef ref) {
    KubernetesClient client;
    synchronized (this) {
      client = home;
    }
    if (client == null) {
      return DisengageReason.NOT_LISTED;
    }
    var shortTimeout =
        new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
            .withRequestTimeout(REASON_TIMEOUT_MILLIS)
            .withRequestRetryBackoffLimit(0)
            .build();
    try {
      var secret =
          client
              .newClient(shortTimeout)
              .adapt(KubernetesClient.class)
              .secrets()
              .inNamespace(ref.namespace())
              .withName(ref.name())
              .get();
      return secret == null ? DisengageReason.SECRET_DELETED : DisengageReason.LABEL_REMOVED;
    } catch (KubernetesClientException e) {
      return DisengageReason.NOT_LISTED;
    }
  }

  private String keyOf(SecretRef ref) {
    return labelled.contains(ref) ? settings.key() : keys.getOrDefault(ref, settings.key());
  }

  private static byte @Nullable [] bytesOf(Secret secret, String key) {
    var encoded = secret.getData() == null ? null : secret.getData().get(key);
    return encoded == null ? null : Base64.getDecoder().decode(encoded);
  }

  private static SecretRef refOf(Secret secret) {
    return new SecretRef(secret.getMetadata().getNamespace(), secret.getMetadata().getName());
  }

  /** Stops watching. Clusters stay engaged. */
  @Override
  public synchronized void close() {
    if (labels != null) {
      labels.close();
      labels = null;
    }
    if (named != null) {
      named.close();
      named = null;
    }
    home = null;
  }

  /**
   * Which Secrets provide clusters.
   *
   * @param namespace where labelled Secrets are discovered
   * @param label Secrets with this label and the value {@code true} are discovered
   * @param key the data key that holds the kubeconfig
   */
  public record DiscoverySettings(String namespace, String label, String key) {
    public static final String LABEL_VALUE = "true";
  }

  /**
   * An informer of Secrets that retries for ever. A failed list or watch changes nothing; only a
   * successful list or a watch event does.
   */
  public static final class SecretInformer implements AutoCloseable {
    private final SharedIndexInformer<Secret> informer;

    /**
     * Starts watching at once.
     *
     * @param informer not started yet
     * @param present a Secret was added or updated
     * @param absent a Secret was deleted or left the selection
     * @param listed the first complete list; called once
     */
    public SecretInformer(
        SharedIndexInformer<Secret> informer,
        Consumer<Secret> present,
        Consumer<Secret> absent,
        Consumer<List<Secret>> listed) {
      this.informer = informer;
      informer.addEventHandler(handler(present, absent));
      // The library's default is to stop for good when the very first list fails.
      informer.exceptionHandler((started, failure) -> true);
      var _ = informer.start().thenRun(() -> listed.accept(informer.getStore().list()));
    }

    private static ResourceEventHandler<Secret> handler(
        Consumer<Secret> present, Consumer<Secret> absent) {
      return new ResourceEventHandler<>() {
        @Override
        public void onAdd(Secret secret) {
          present.accept(secret);
        }

        @Override
        public void onUpdate(Secret before, Secret after) {
          present.accept(after);
        }

        @Override
        public void onDelete(Secret secret, boolean finalStateUnknown) {
          absent.accept(secret);
        }
      };
    }

    @Override
    public void close() {
      informer.stop();
    }
  }
}
