package io.krypton.operator.kmshealth;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.KryptonApi;
import io.krypton.multicluster.cluster.Cluster;
import io.krypton.multicluster.cluster.ClusterEvent;
import io.krypton.multicluster.cluster.ClusterListener;
import io.krypton.multicluster.cluster.EngageStep;
import io.krypton.multicluster.controller.Controller;
import io.krypton.multicluster.controller.ControllerListener;
import io.krypton.multicluster.controller.Loop;
import io.krypton.multicluster.controller.Outcome;
import io.krypton.multicluster.controller.Request;
import io.krypton.multicluster.event.EventSource;
import io.krypton.multicluster.queue.Backoff;
import io.krypton.multicluster.queue.Limits;
import io.krypton.multicluster.queue.QueueState;
import io.krypton.operator.kmshealth.evidence.Moment;
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
 * Looks after the KMS health of every engaged cluster that serves a place to report it. A cluster
 * that serves none costs two requests now and then, and never holds up its engagement.
 */
public final class KmsHealthController implements EngageStep, ClusterListener, Loop {
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
      Limits limits,
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
    this.controller = new Controller("kmshealth", limits, BACKOFF, this::reconcile, runs);
  }

  private Outcome reconcile(Request request) {
    var targets = clusters.get(request.key().cluster());
    return targets == null
        ? Outcome.done()
        : targets.loop(request.key().name()).map(TargetLoop::look).orElseGet(Outcome::done);
  }

  @Override
  public Result run(Cluster cluster) {
    var name = cluster.name().value();
    if (settings.clusters().test(name)) {
      var targets =
          new ClusterTargets(cluster, settings, eventSource, listener, this::now, controller::wake);
      clusters.put(name, targets);
      var looking =
          Thread.ofVirtual()
              .name("kms targets of " + name)
              .unstarted(() -> lookForTargets(name, targets));
      cluster.own(looking::interrupt);
      looking.start();
    }
    return new Result.Done();
  }

  private Moment now() {
    return new Moment(Duration.ofNanos(nanoTime.getAsLong()), wall.instant());
  }

  /** On a thread of its own: a definition may arrive at any time, and nobody announces it. */
  private void lookForTargets(String name, ClusterTargets targets) {
    try {
      while (true) {
        Thread.sleep(lookOnce(name, targets));
      }
    } catch (InterruptedException gone) {
      Thread.currentThread().interrupt();
    }
  }

  private Duration lookOnce(String name, ClusterTargets targets) throws InterruptedException {
    try {
      if (targets.discover()) {
        controller.attach(name, targets.watches());
        targets.keys().forEach(controller::wake);
        log.atInfo()
            .addKeyValue("cluster", name)
            .addKeyValue("targets", targets.keys().size())
            .log("KMS health is looked after");
      }
      return settings.lookAgain();
    } catch (KubernetesClientException notNow) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedException();
      }
      log.atDebug()
          .addKeyValue("cluster", name)
          .addKeyValue("code", notNow.getCode())
          .log("cannot tell yet whether the cluster serves KMS health");
      return AFTER_FAILURE;
    }
  }

  @Override
  public void on(ClusterEvent event) {
    var name = event.name().value();
    switch (event) {
      case ClusterEvent.Unreachable unreachable -> controller.park(name);
      case ClusterEvent.Recovered recovered -> {
        var targets = clusters.get(name);
        if (targets != null) {
          targets.reconnect();
        }
        controller.unpark(name);
      }
      case ClusterEvent.Disengaged disengaged -> forget(name);
      case ClusterEvent.Engaged ignored -> {}
      case ClusterEvent.Rejected ignored -> {}
      case ClusterEvent.Duplicate ignored -> {}
      case ClusterEvent.StepNotice ignored -> {}
      case ClusterEvent.CredentialsExpiring ignored -> {}
    }
  }

  private void forget(String name) {
    clusters.remove(name);
    try {
      controller.detach(name, DETACH_LIMIT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What was seen before a term is void in that term. */
  @Override
  public void resume(BooleanSupplier permit) {
    clusters.values().forEach(ClusterTargets::forget);
    controller.resume(permit);
    clusters.values().forEach(targets -> targets.keys().forEach(controller::wake));
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

  /** The state of every engaged cluster that has one. */
  public List<KmsView> views() {
    return clusters.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .flatMap(cluster -> cluster.getValue().views().values().stream())
        .toList();
  }

  /** As reported by events. */
  public static EventSource eventSource(String instance) {
    return new EventSource("kms-health", KryptonApi.GROUP + "/kms-health", instance);
  }
}
