// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.input;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.Labels;
import io.krypton.multicluster.cache.ApiFailure;
import io.krypton.multicluster.cache.InformerCache;
import io.krypton.multicluster.cache.ObjectCache;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The Leases of the reporters of one cluster: in the namespace that is configured, and in a few
 * that reporters name themselves.
 */
public final class LeaseWatch implements AutoCloseable {
  /** Whoever may report could otherwise make us watch every namespace. */
  static final int MOST_NAMED = 4;

  private static final int FORBIDDEN = 403;

  private final String cluster;
  private final KubernetesClient client;
  private final String namespace;
  private final Runnable enqueue;
  private final InformerCache<Lease> configured;
  private final Map<String, InformerCache<Lease>> named = new TreeMap<>();
  private final Map<String, Set<String>> wanted = new HashMap<>();
  private boolean closed;

  /**
   * Begins with the namespace that is configured.
   *
   * @param wake is called when a Lease changes in another one
   */
  public LeaseWatch(String cluster, KubernetesClient client, String namespace, Runnable wake) {
    this.cluster = cluster;
    this.client = client;
    this.namespace = namespace;
    this.enqueue = wake;
    this.configured = cache(namespace);
  }

  private InformerCache<Lease> cache(String where) {
    return new InformerCache<>(
        cluster + "/leases", client.leases().inNamespace(where).withLabel(Labels.KMS_TARGET));
  }

  public void start() {
    configured.start();
  }

  public ObjectCache<Lease> configured() {
    return configured;
  }

  public Optional<ApiFailure> failure() {
    return configured.failure();
  }

  /** The namespaces that the reporters of one target name; those that nobody names any more go. */
  public synchronized void watchNamespaces(String target, Collection<String> namespaces) {
    wanted.put(target, Set.copyOf(namespaces));
    var all = new TreeSet<String>();
    wanted.values().forEach(all::addAll);
    all.remove(namespace);
    for (var gone : new HashSet<>(named.keySet())) {
      if (!all.contains(gone)) {
        var cache = named.remove(gone);
        if (cache != null) {
          cache.close();
        }
      }
    }
    all.stream()
        .filter(each -> !closed && !named.containsKey(each) && named.size() < MOST_NAMED)
        .forEach(this::startWatch);
  }

  private void startWatch(String where) {
    var fresh = cache(where);
    named.put(where, fresh);
    fresh.subscribe((before, after) -> enqueue.run());
    fresh.start();
    var _ = fresh.synced().thenRun(enqueue);
  }

  /** As the watches show them. */
  public synchronized LeaseSnapshot fromCache() {
    var leases = new TreeMap<String, List<Lease>>();
    var refused = new TreeMap<String, String>();
    leases.put(namespace, configured.list());
    named.forEach(
        (where, cache) -> {
          var failure = cache.failure();
          if (failure.filter(it -> it.code() == FORBIDDEN).isPresent()) {
            refused.put(where, "may not be read");
          } else if (!cache.hasSynced()) {
            refused.put(where, "is not read yet");
          }
          leases.put(where, refused.containsKey(where) ? List.of() : cache.list());
        });
    return new LeaseSnapshot(namespace, leases, refused);
  }

  /** As the server itself lists them now. */
  public LeaseSnapshot fromServer() {
    var before = fromCache();
    var leases = new TreeMap<String, List<Lease>>();
    before
        .leases()
        .forEach(
            (where, known) ->
                leases.put(where, before.unreadable().containsKey(where) ? known : list(where)));
    return new LeaseSnapshot(namespace, leases, before.unreadable());
  }

  private List<Lease> list(String where) {
    return client.leases().inNamespace(where).withLabel(Labels.KMS_TARGET).list().getItems();
  }

  public synchronized void reconnect() {
    configured.reconnect();
    named.values().forEach(ObjectCache::reconnect);
  }

  @Override
  public synchronized void close() {
    closed = true;
    configured.close();
    named.values().forEach(ObjectCache::close);
  }

  /**
   * The Leases of reporters at one moment.
   *
   * @param configured the namespace of {@code --kms-lease-namespace}
   * @param leases by namespace, for each that is watched
   * @param unreadable why some of these namespaces cannot be read
   */
  public record LeaseSnapshot(
      String configured, Map<String, List<Lease>> leases, Map<String, String> unreadable) {
    public LeaseSnapshot {
      leases = Map.copyOf(leases);
      unreadable = Map.copyOf(unreadable);
    }

    List<Lease> inNamespace(String namespace) {
      return leases.getOrDefault(namespace, List.of());
    }
  }
}
