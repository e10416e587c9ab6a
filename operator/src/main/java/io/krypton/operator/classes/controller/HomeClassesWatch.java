// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.controller;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.KryptonApi;
import io.krypton.api.chartrollout.ChartRollout;
import io.krypton.api.rolloutapproval.RolloutApproval;
import io.krypton.api.tenantclass.TenantClass;
import io.krypton.multicluster.cache.InformerCache;
import io.krypton.multicluster.cache.ObjectCache;
import io.krypton.multicluster.event.EventRecorder;
import io.krypton.multicluster.status.StatusWriter;
import io.krypton.operator.classes.revision.RevisionStore;
import io.krypton.operator.release.reconcile.ReferencedValues;
import io.krypton.operator.release.reconcile.ReferencedValues.ValuesListener;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the classes of one home cluster, from a thread of its own, as soon as that cluster serves
 * their kinds: one watch for each kind. Until then there can be no class, and it costs one
 * discovery request every half minute.
 */
final class HomeClassesWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HomeClassesWatch.class);
  private static final String FIELD_MANAGER = "krypton-operator";
  private static final Set<String> PLURALS =
      Set.of("tenantclasses", "chartrollouts", "rolloutapprovals");
  private static final Duration INITIAL_DELAY = Duration.ofSeconds(1);
  private static final Duration MAX_DELAY = Duration.ofSeconds(30);
  private static final Duration SYNC_TIMEOUT = Duration.ofSeconds(30);

  private final KubernetesClient client;
  private final List<InformerCache<?>> caches;
  private final HomeClasses homeClasses;
  private final ClassesListener listener;
  private final Thread thread;

  /** Hears of what home has, from the thread of the watch. */
  interface ClassesListener {
    /** Home does not serve the kinds, so that there is no class. */
    void onNotServed();

    /** Called once, when all is listed. */
    void onSynced(HomeClasses homeClasses) throws InterruptedException;
  }

  HomeClassesWatch(
      KubernetesClient client,
      String namespace,
      EventRecorder events,
      ValuesListener values,
      ClassesListener listener) {
    this.client = client;
    this.listener = listener;
    var classes =
        new InformerCache<>(
            "home/tenantclasses",
            client.resources(TenantClass.class).inNamespace(namespace),
            Map.of());
    var rollouts =
        new InformerCache<>(
            "home/chartrollouts",
            client.resources(ChartRollout.class).inNamespace(namespace),
            HomeClasses.rolloutIndexes());
    var approvals =
        new InformerCache<>(
            "home/rolloutapprovals",
            client.resources(RolloutApproval.class).inNamespace(namespace),
            HomeClasses.approvalIndexes());
    this.caches = List.of(classes, rollouts, approvals);
    this.homeClasses =
        new HomeClasses(
            client,
            namespace,
            classes,
            rollouts,
            approvals,
            new HomeClasses.Writers(
                new StatusWriter<>(client, FIELD_MANAGER),
                new StatusWriter<>(client, FIELD_MANAGER),
                new StatusWriter<>(client, FIELD_MANAGER)),
            events,
            new ReferencedValues("home", client, values),
            new RevisionStore(client, namespace));
    this.thread = Thread.ofVirtual().name("home classes").unstarted(this::watchClasses);
  }

  void start() {
    thread.start();
  }

  private void watchClasses() {
    try {
      awaitServed();
      caches.forEach(ObjectCache::start);
      for (var cache : caches) {
        while (!cache.awaitSync(SYNC_TIMEOUT)) {
          cache
              .failure()
              .ifPresent(
                  failure ->
                      log.atWarn()
                          .addKeyValue("error", failure.message())
                          .log("classes cannot be listed, so nothing is rolled out; retrying"));
        }
      }
      listener.onSynced(homeClasses);
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitServed() throws InterruptedException {
    var pause = INITIAL_DELAY;
    while (!areServed()) {
      Thread.sleep(pause);
      pause = pause.multipliedBy(2).compareTo(MAX_DELAY) < 0 ? pause.multipliedBy(2) : MAX_DELAY;
    }
  }

  /** Only an answer counts: while home is silent, there may well be classes. */
  private boolean areServed() {
    try {
      var resources = client.getApiResources(KryptonApi.GROUP + "/" + KryptonApi.VERSION);
      var names =
          resources == null
              ? Set.<String>of()
              : resources.getResources().stream()
                  .map(resource -> resource.getName())
                  .collect(Collectors.toSet());
      if (names.containsAll(PLURALS)) {
        return true;
      }
      listener.onNotServed();
    } catch (KubernetesClientException failed) {
      if (failed.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        listener.onNotServed();
      } else {
        log.atDebug().addKeyValue("code", failed.getCode()).log("home did not answer");
      }
    }
    return false;
  }

  @Override
  public void close() {
    thread.interrupt();
    caches.forEach(ObjectCache::close);
    homeClasses.references().close();
  }
}
