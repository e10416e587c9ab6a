// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.distribution;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.TlsProfileNames;
import io.krypton.base.time.Backoff;
import io.krypton.multicluster.cache.InformerCache;
import io.krypton.multicluster.cache.ObjectCache;
import io.krypton.multicluster.controller.Controller;
import io.krypton.multicluster.controller.Controller.ControllerListener;
import io.krypton.multicluster.controller.EventPredicate;
import io.krypton.multicluster.controller.Reconciler.ReconcileResult;
import io.krypton.multicluster.event.EventRecorder;
import io.krypton.multicluster.event.EventRecorder.EventSource;
import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.operator.platform.Platform.PlatformState;
import io.krypton.operator.tls.profile.JvmTls;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs passes while this process leads: when the cluster's profile, the ConfigMap or a Deployment
 * changes, and every so often. Watches only wake; what a pass decides on it reads itself, so a
 * watch that fails delays and never misleads.
 */
public final class TlsProfileController implements AutoCloseable {
  private static final String CLUSTER = "home";
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofSeconds(1), 2, Duration.ofSeconds(30), 0.2);

  private final TlsProfileSettings settings;
  private final EventSource eventSource;
  private final Supplier<PlatformState> platform;
  private final JvmTls jvm;
  private final WorkKey key;
  private final Controller controller;
  private @Nullable Binding binding;

  /** All that belongs to one client. */
  private record Binding(
      KubernetesClient client,
      TlsProfileReconciler reconciler,
      EventRecorder events,
      List<ObjectCache<?>> caches) {
    void close() {
      caches.forEach(ObjectCache::close);
      events.close();
    }
  }

  public TlsProfileController(
      TlsProfileSettings settings,
      EventSource eventSource,
      Supplier<PlatformState> platform,
      JvmTls jvm,
      ControllerListener listener) {
    this.settings = settings;
    this.eventSource = eventSource;
    this.platform = platform;
    this.jvm = jvm;
    this.key = new WorkKey(CLUSTER, settings.namespace(), TlsProfileNames.CONFIG_MAP);
    this.controller =
        new Controller(
            "tls-profile", new ConcurrencyLimits(1, 1), BACKOFF, request -> reconcile(), listener);
  }

  private ReconcileResult reconcile() throws InterruptedException {
    var now = current();
    return now == null ? ReconcileResult.done() : now.reconciler().reconcile(platform.get());
  }

  private synchronized @Nullable Binding current() {
    return binding;
  }

  /** Works on this cluster from now on, instead of an earlier one. */
  public void attach(KubernetesClient client) throws InterruptedException {
    var events = new EventRecorder(client, eventSource);
    var reconciler =
        new TlsProfileReconciler(
            settings,
            new TlsProfileClient(client, settings.namespace()),
            new TlsProfileStatusWriter(client, InstantSource.system()),
            new TlsProfileEvents(events, settings.namespace()),
            jvm);
    var caches = new ArrayList<ObjectCache<?>>();
    caches.add(
        watched(
            new InformerCache<>(
                "home/tls-profile",
                client
                    .configMaps()
                    .inNamespace(settings.namespace())
                    .withName(TlsProfileNames.CONFIG_MAP))));
    caches.add(
        watched(
            new InformerCache<>(
                "home/deployments", TlsProfileClient.deployments(client, settings.namespace()))));
    synchronized (this) {
      if (binding != null) {
        binding.close();
      }
      binding = new Binding(client, reconciler, events, caches);
    }
    controller.attach(CLUSTER, List.of());
    onPlatformChange();
  }

  /** More may be known now; on OpenShift the object with the profile is watched from then on. */
  public void onPlatformChange() {
    synchronized (this) {
      var now = binding;
      var follows =
          platform
              .get()
              .known()
              .filter(it -> settings.publishOn(it) == TlsProfileSettings.Publish.CLUSTER)
              .isPresent();
      if (now != null && follows && now.caches().size() == 2) {
        now.caches()
            .add(
                watched(
                    new InformerCache<>(
                        "home/apiservers", TlsProfileClient.apiServer(now.client()))));
      }
    }
    enqueue();
  }

  private <T extends HasMetadata> ObjectCache<T> watched(ObjectCache<T> cache) {
    var wakes = EventPredicate.<T>ignoringStatus();
    cache.subscribe(
        (before, after) -> {
          if (wakes.test(before, after)) {
            enqueue();
          }
        });
    cache.start();
    return cache;
  }

  private void enqueue() {
    controller.enqueueAndResetBackoff(key);
  }

  /** Begins to work as long as the permit is given. */
  public void resume(BooleanSupplier permit) {
    controller.resume(permit);
    enqueue();
  }

  /** Begins nothing and interrupts what runs; answers whether it has ended in time. */
  public boolean pause(Duration limit) throws InterruptedException {
    return controller.pause(limit);
  }

  public boolean stop(Duration grace) throws InterruptedException {
    return controller.stop(grace);
  }

  public boolean isAlive() {
    return controller.isAlive();
  }

  /** Ends the watches and, if {@link #stop} has not done so, what runs. */
  @Override
  public void close() {
    try {
      controller.stop(Duration.ZERO);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      if (binding != null) {
        binding.close();
      }
    }
  }
}
