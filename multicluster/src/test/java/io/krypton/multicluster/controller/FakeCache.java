// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.controller;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.krypton.multicluster.cache.ApiFailure;
import io.krypton.multicluster.cache.ObjectCache;
import io.krypton.multicluster.cache.ObjectCache.ChangeListener;
import io.krypton.multicluster.cache.ObjectCache.Subscription;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** ConfigMaps in one namespace, changed by the test. */
final class FakeCache implements ObjectCache<ConfigMap> {
  private final Map<String, ConfigMap> objects = new ConcurrentHashMap<>();
  private final List<ChangeListener<? super ConfigMap>> listeners = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Void> synced = new CompletableFuture<>();

  private volatile CountDownLatch gate = new CountDownLatch(0);

  static FakeCache syncedWith(String... names) {
    var cache = new FakeCache();
    List.of(names).forEach(name -> cache.put(name, 1));
    cache.sync();
    return cache;
  }

  void sync() {
    synced.complete(null);
  }

  void put(String name, long generation) {
    var object =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("ns")
            .withName(name)
            .withGeneration(generation)
            .endMetadata()
            .build();
    var before = objects.put(name, object);
    listeners.forEach(listener -> listener.changed(before, object));
  }

  /** Whoever lists waits for it from now on. */
  void listAfter(CountDownLatch opened) {
    gate = opened;
  }

  int listeners() {
    return listeners.size();
  }

  @Override
  public void start() {}

  @Override
  public Optional<ConfigMap> get(String namespace, String name) {
    return Optional.ofNullable(objects.get(name));
  }

  @Override
  public List<ConfigMap> list() {
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return List.copyOf(objects.values());
  }

  @Override
  public List<ConfigMap> byIndex(String index, String value) {
    return List.of();
  }

  @Override
  public CompletableFuture<Void> synced() {
    return synced;
  }

  @Override
  public boolean isRunning() {
    return true;
  }

  @Override
  public Optional<ApiFailure> failure() {
    return Optional.empty();
  }

  @Override
  public Subscription subscribe(ChangeListener<? super ConfigMap> listener) {
    listeners.add(listener);
    list().forEach(object -> listener.changed(null, object));
    return () -> listeners.remove(listener);
  }

  @Override
  public void reconnect() {}

  @Override
  public void close() {}
}
