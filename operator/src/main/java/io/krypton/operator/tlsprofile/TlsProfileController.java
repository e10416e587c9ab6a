package io.krypton.operator.tlsprofile;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.TlsProfileNames;
import io.krypton.multicluster.controller.Controller;
import io.krypton.multicluster.controller.ControllerListener;
import io.krypton.multicluster.controller.Outcome;
import io.krypton.multicluster.event.EventRecorder;
import io.krypton.multicluster.event.EventSource;
import io.krypton.multicluster.queue.Backoff;
import io.krypton.multicluster.queue.Limits;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.multicluster.watch.EventFilter;
import io.krypton.multicluster.watch.InformerCache;
import io.krypton.multicluster.watch.ObjectCache;
import io.krypton.operator.platform.PlatformState;
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

  private final ProfileSettings settings;
  private final EventSource eventSource;
  private final Supplier<PlatformState> platform;
  private final JvmTls jvm;
  private final WorkKey key;
  private final Controller controller;
  private @Nullable Attached attached;

  /** All that belongs to one client. */
  private record Attached(
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
      ProfileSettings settings,
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
        new Controller("tls-profile", new Limits(1, 1), BACKOFF, request -> pass(), listener);
  }

  private Outcome pass() throws InterruptedException {
    var now = current();
    return now == null ? Outcome.done() : now.reconciler().pass(platform.get());
  }

  private synchronized @Nullable Attached current() {
    return attached;
  }

  /** Works on this cluster from now on, instead of an earlier one. */
  public void attach(KubernetesClient client) throws InterruptedException {
    var events = new EventRecorder(client, eventSource);
    var reconciler =
        new TlsProfileReconciler(
            settings,
            new ProfileObjects(client, settings.namespace()),
            new ProfileReport(client, InstantSource.system()),
            new ProfileEvents(events, settings.namespace()),
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
                "home/deployments", ProfileObjects.deployments(client, settings.namespace()))));
    synchronized (this) {
      if (attached != null) {
        attached.close();
      }
      attached = new Attached(client, reconciler, events, caches);
    }
    controller.attach(CLUSTER, List.of());
    platformChanged();
  }

  /** More may be known now; on OpenShift the object with the profile is watched from then on. */
  public void platformChanged() {
    synchronized (this) {
      var now = attached;
      var follows =
          platform
              .get()
              .known()
              .filter(it -> settings.publishOn(it) == ProfileSettings.Publish.CLUSTER)
              .isPresent();
      if (now != null && follows && now.caches().size() == 2) {
        now.caches()
            .add(
                watched(
                    new InformerCache<>(
                        "home/apiservers", ProfileObjects.apiServer(now.client()))));
      }
    }
    wake();
  }

  private <T extends HasMetadata> ObjectCache<T> watched(ObjectCache<T> cache) {
    var wakes = EventFilter.<T>ignoringStatus();
    cache.subscribe(
        (before, after) -> {
          if (wakes.passes(before, after)) {
            wake();
          }
        });
    cache.start();
    return cache;
  }

  private void wake() {
    controller.wakeFresh(key);
  }

  /** Begins to work as long as the permit is given. */
  public void resume(BooleanSupplier permit) {
    controller.resume(permit);
    wake();
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
      if (attached != null) {
        attached.close();
      }
    }
  }
}
