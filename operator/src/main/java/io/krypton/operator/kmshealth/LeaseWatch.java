package io.krypton.operator.kmshealth;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.Labels;
import io.krypton.multicluster.watch.ApiFailure;
import io.krypton.multicluster.watch.InformerCache;
import io.krypton.multicluster.watch.ObjectCache;
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
final class LeaseWatch implements AutoCloseable {
  /** Whoever may report could otherwise make us watch every namespace. */
  static final int MOST_NAMED = 4;

  private static final int FORBIDDEN = 403;

  private final String cluster;
  private final KubernetesClient client;
  private final String namespace;
  private final Runnable wake;
  private final InformerCache<Lease> configured;
  private final Map<String, InformerCache<Lease>> named = new TreeMap<>();
  private final Map<String, Set<String>> wanted = new HashMap<>();
  private boolean closed;

  /**
   * Begins with the namespace that is configured.
   *
   * @param wake is called when a Lease changes in another one
   */
  LeaseWatch(String cluster, KubernetesClient client, String namespace, Runnable wake) {
    this.cluster = cluster;
    this.client = client;
    this.namespace = namespace;
    this.wake = wake;
    this.configured = cache(namespace);
  }

  private InformerCache<Lease> cache(String where) {
    return new InformerCache<>(
        cluster + "/leases", client.leases().inNamespace(where).withLabel(Labels.KMS_TARGET));
  }

  void start() {
    configured.start();
  }

  ObjectCache<Lease> configured() {
    return configured;
  }

  Optional<ApiFailure> failure() {
    return configured.failure();
  }

  /** The namespaces that the reporters of one target name; those that nobody names any more go. */
  synchronized void follow(String target, Collection<String> namespaces) {
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
        .forEach(this::begin);
  }

  private void begin(String where) {
    var fresh = cache(where);
    named.put(where, fresh);
    fresh.subscribe((before, after) -> wake.run());
    fresh.start();
    var _ = fresh.synced().thenRun(wake);
  }

  /** As the watches show them. */
  synchronized LeaseView seen() {
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
    return new LeaseView(namespace, leases, refused);
  }

  /** As the server itself lists them now. */
  LeaseView asked() {
    var before = seen();
    var leases = new TreeMap<String, List<Lease>>();
    before
        .leases()
        .forEach(
            (where, known) ->
                leases.put(where, before.refused().containsKey(where) ? known : listed(where)));
    return new LeaseView(namespace, leases, before.refused());
  }

  private List<Lease> listed(String where) {
    return client.leases().inNamespace(where).withLabel(Labels.KMS_TARGET).list().getItems();
  }

  synchronized void reconnect() {
    configured.reconnect();
    named.values().forEach(ObjectCache::reconnect);
  }

  @Override
  public synchronized void close() {
    closed = true;
    configured.close();
    named.values().forEach(ObjectCache::close);
  }
}
