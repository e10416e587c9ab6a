// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.KryptonApi;
import io.krypton.base.time.Backoff;
import io.krypton.multicluster.cluster.ClusterEvent;
import io.krypton.multicluster.cluster.ClusterEvent.ClusterListener;
import io.krypton.multicluster.cluster.EngageStep;
import io.krypton.multicluster.cluster.EngagedCluster;
import io.krypton.multicluster.controller.Controller;
import io.krypton.multicluster.controller.Controller.ControllerListener;
import io.krypton.multicluster.controller.ReconcileLoop;
import io.krypton.multicluster.controller.Reconciler.ReconcileResult;
import io.krypton.multicluster.controller.Reconciler.Request;
import io.krypton.multicluster.event.EventRecorder.EventSource;
import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.multicluster.queue.WorkQueue.QueueState;
import io.krypton.operator.kmshealth.input.ClockReading;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconciles the KMS health of every engaged cluster that serves a kind to report it on. A cluster
 * that serves none costs two requests per discovery interval and never delays its engagement.
 */
public final class KmsHealthController implements EngageStep, ClusterListener, ReconcileLoop {
  private static final Logger log = LoggerFactory.getLogger(KmsHealthController.class);
  private static final Duration DETACH_LIMIT = Duration.ofSeconds(1);
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofSeconds(1), 2, Duration.ofMinutes(1), 0.2);

  private final KmsHealthSettings settings;
  private final EventSource eventSource;
  private final KmsHealthListener listener;
  private final Clock wall;
  private final LongSupplier nanoTime;
  private final Map<String, ClusterTargets> clusters = new ConcurrentHashMap<>();
  private final Controller controller;

  /** Paused until {@link #resume}. */
  public KmsHealthController(
      KmsHealthSettings settings,
      ConcurrencyLimits concurrencyLimits,
      EventSource eventSource,
      KmsHealthListener listener,
      ControllerListener runs,
      Clock wall,
      LongSupplier nanoTime) {
    this.settings = settings;
    this.eventSource = eventSource;
    this.listener = listener;
    this.wall = wall;
    this.nanoTime = nanoTime;
    this.controller =
        new Controller("kmshealth", concurrencyLimits, BACKOFF, this::reconcile, runs);
  }

  private ReconcileResult reconcile(Request request) {
    var targets = clusters.get(request.key().cluster());
    return targets == null
        ? ReconcileResult.done()
        : targets
            .reconciler(request.key().name())
            .map(KmsHealthReconciler::reconcile)
            .orElseGet(ReconcileResult::done);
  }

  @Override
  public Result run(EngagedCluster engagedCluster) {
    var name = engagedCluster.name().value();
    if (settings.clusters().test(name)) {
      var targets =
          new ClusterTargets(
              engagedCluster, settings, eventSource, listener, this::now, controller::enqueue);
      clusters.put(name, targets);
      var discovery =
          Thread.ofVirtual()
              .name("kms targets of " + name)
              .unstarted(() -> discoverTargets(name, targets));
      engagedCluster.own(discovery::interrupt);
      discovery.start();
    }
    return new Result.Done();
  }

  private ClockReading now() {
    return new ClockReading(Duration.ofNanos(nanoTime.getAsLong()), wall.instant());
  }

  /** On a thread of its own: a CRD may be installed at any time, without an event. */
  private void discoverTargets(String name, ClusterTargets targets) {
    try {
      while (true) {
        Thread.sleep(discoverOnce(name, targets));
      }
    } catch (InterruptedException gone) {
      Thread.currentThread().interrupt();
    }
  }

  private Duration discoverOnce(String name, ClusterTargets targets) throws InterruptedException {
    try {
      if (targets.discover()) {
        controller.attach(name, targets.watches());
        targets.keys().forEach(controller::enqueue);
        log.atInfo()
            .addKeyValue("cluster", name)
            .addKeyValue("targets", targets.keys().size())
            .log("watching KMS health");
      }
      return settings.discoveryInterval();
    } catch (KubernetesClientException notNow) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedException();
      }
      log.atDebug()
          .addKeyValue("cluster", name)
          .addKeyValue("code", notNow.getCode())
          .log("discovery of KMS health failed, retrying");
      return AFTER_FAILURE;
    }
  }

  @Override
  public void onUnreachable(ClusterEvent.Unreachable event) {
    controller.park(event.name().value());
  }

  @Override
  public void onRecovered(ClusterEvent.Recovered event) {
    var name = event.name().value();
    var targets = clusters.get(name);
    if (targets != null) {
      targets.reconnect();
    }
    controller.unpark(name);
  }

  @Override
  public void onDisengaged(ClusterEvent.Disengaged event) {
    detach(event.name().value());
  }

  private void detach(String name) {
    clusters.remove(name);
    try {
      controller.detach(name, DETACH_LIMIT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** State of an earlier term is dropped. */
  @Override
  public void resume(BooleanSupplier permit) {
    clusters.values().forEach(ClusterTargets::reset);
    controller.resume(permit);
    clusters.values().forEach(targets -> targets.keys().forEach(controller::enqueue));
  }

  @Override
  public boolean pause(Duration limit) throws InterruptedException {
    return controller.pause(limit);
  }

  @Override
  public boolean stop(Duration grace) throws InterruptedException {
    return controller.stop(grace);
  }

  @Override
  public QueueState state() {
    return controller.state();
  }

  @Override
  public boolean isAlive() {
    return controller.isAlive();
  }

  /** The KMS health of every engaged cluster that reports one. */
  public List<KmsHealthView> views() {
    return clusters.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .flatMap(cluster -> cluster.getValue().views().values().stream())
        .toList();
  }

  /** The reporting component of events. */
  public static EventSource eventSource(String instance) {
    return new EventSource("kms-health", KryptonApi.GROUP + "/kms-health", instance);
  }
}
