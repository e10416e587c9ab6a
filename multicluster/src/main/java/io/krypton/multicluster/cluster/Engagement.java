// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.ClusterConnection;
import io.krypton.multicluster.client.ClusterConnection.ProbeResult;
import io.krypton.multicluster.client.ClusterFailure;
import io.krypton.multicluster.client.RequestObserver;
import io.krypton.multicluster.cluster.ClusterEventPublisher.ExpiryWarning;
import io.krypton.multicluster.cluster.ClusterRegistry.ApiServerIdentities;
import io.krypton.multicluster.cluster.ClusterSnapshot.ClusterStatusHolder;
import io.krypton.multicluster.cluster.ClusterStateMachine.LifecycleEvent;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One accepted kubeconfig of one cluster, from the first probe to the end, on the cluster's thread.
 */
final class Engagement {
  private static final Logger log = LoggerFactory.getLogger(Engagement.class);

  private final ClusterName name;
  private final SecretRef secret;
  private final LiveCredentials credentials;
  private final EngagementContext context;
  private final ClusterEventPublisher publisher;
  private final ClusterStatusHolder status;
  private final ClusterConnection connection;
  private final Semaphore earlyProbes = new Semaphore(0);
  private final AtomicBoolean probeRequested = new AtomicBoolean();

  private volatile @Nullable EngagedCluster engagedCluster;
  private @Nullable EngagedCluster preparing;
  private long lastProbeAt = System.nanoTime();

  Engagement(
      ClusterName name,
      SecretRef secret,
      ParsedKubeconfig.Accepted kubeconfig,
      EngagementContext context,
      ClusterEventPublisher publisher,
      ClusterStatusHolder status) {
    this.name = name;
    this.secret = secret;
    this.credentials = new LiveCredentials(secret, kubeconfig, context.liveTokens());
    this.context = context;
    this.publisher = publisher;
    this.status = status;
    this.connection =
        context
            .clients()
            .connect(
                name.value(), kubeconfig, credentials, context.clientSettings(), this::onRequest);
  }

  /** Probes until its thread is interrupted. */
  void run() throws InterruptedException {
    while (true) {
      awaitNextProbe();
      probeRequested.set(false);
      lastProbeAt = System.nanoTime();
      transition(probeOrFail());
      updateExpiry();
    }
  }

  /** Releases everything; the thread is no longer interrupted when this runs. */
  void close() {
    transition(new LifecycleEvent.Withdrawn());
    var ending = engagedCluster;
    if (ending != null) {
      ending.release();
    }
    abandonPreparation();
    connection.close();
    context.identities().forget(secret);
  }

  Optional<EngagedCluster> cluster() {
    return Optional.ofNullable(engagedCluster);
  }

  /**
   * Takes over the current content of the Secret. Everything that starts from here on uses it,
   * including Helm runs of an engagement that is about to end.
   *
   * @return whether this engagement continues with it; otherwise a new one must begin
   */
  boolean renew(ParsedKubeconfig now) {
    var continues =
        now instanceof ParsedKubeconfig.Accepted accepted && credentials.renew(accepted);
    if (continues) {
      log.atInfo().addKeyValue("cluster", name).log("cluster token renewed");
      probeNow();
    }
    return continues;
  }

  /** Probes at once: the result may differ now. */
  void probeNow() {
    probeRequested.set(true);
    earlyProbes.release();
  }

  /** A request without a response triggers an early probe. */
  private void onRequest(String cluster, String verb, int code) {
    if (code == RequestObserver.NO_ANSWER) {
      earlyProbes.release();
    }
  }

  private void awaitNextProbe() throws InterruptedException {
    earlyProbes.drainPermits();
    var timings = context.timings();
    var pause = timings.untilNextProbe(status.state());
    long due = lastProbeAt + pause.toNanos();
    long inDoubt = lastProbeAt + timings.retryInterval().toNanos();
    for (long left = due - System.nanoTime();
        left > 0 && !probeRequested.get();
        left = due - System.nanoTime()) {
      if (earlyProbes.tryAcquire(left, TimeUnit.NANOSECONDS)
          && status.state() instanceof ClusterState.Engaged) {
        due = Math.min(due, inDoubt);
      }
    }
  }

  private LifecycleEvent probeOrFail() throws InterruptedException {
    try {
      return probe();
    } catch (RuntimeException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      log.atError()
          .setCause(e)
          .addKeyValue("cluster", name)
          .log("cluster probe failed unexpectedly");
      return new LifecycleEvent.PreparationFailed(ClusterFailure.of(e));
    }
  }

  private LifecycleEvent probe() throws InterruptedException {
    return switch (connection.probe(context.timings().timeoutFor(status.state()))) {
      case ProbeResult.Failed(var clusterFailure) -> {
        renewConnections(clusterFailure);
        yield new LifecycleEvent.Unanswered(clusterFailure);
      }
      case ProbeResult.Alive(var version) ->
          status.state() instanceof ClusterState.Connecting
              ? prepare(version)
              : new LifecycleEvent.Answered();
    };
  }

  /** One timeout may be load; from the second on the connection is replaced. */
  private void renewConnections(ClusterFailure clusterFailure) {
    boolean first =
        status.state() instanceof ClusterState.Engaged(int failedProbes, var last)
            && failedProbes == 0;
    if (clusterFailure.kind() == ClusterFailure.Kind.TIMEOUT && !first) {
      connection.reconnect();
    }
  }

  /**
   * Keeps what the steps started while one is not ready yet: a cluster with many objects would
   * otherwise be listed from the start again and again. After a failure everything is released.
   */
  private LifecycleEvent prepare(String version) throws InterruptedException {
    var begun = preparing;
    if (begun == null) {
      begun =
          new EngagedCluster(
              name, secret, credentials::kubeconfig, connection.client(), version, this::probeNow);
      preparing = begun;
    }
    boolean keep = false;
    try {
      var result = new EngageStepRunner(context.steps(), publisher).run(begun);
      if (result instanceof LifecycleEvent.Prepared) {
        engagedCluster = begun;
        preparing = null;
      }
      keep = result instanceof LifecycleEvent.NotPrepared;
      return result;
    } finally {
      if (!keep) {
        abandonPreparation();
      }
    }
  }

  private void abandonPreparation() {
    if (preparing != null) {
      preparing.release();
      preparing = null;
    }
  }

  private void transition(LifecycleEvent lifecycleEvent) {
    var before = status.state();
    var after = ClusterStateMachine.next(before, lifecycleEvent);
    switchCircuit(before, after);
    var prepared = engagedCluster;
    status.update(after, prepared == null ? null : prepared.serverVersion());
    publisher.transition(before, after, prepared);
    if (before instanceof ClusterState.Connecting
        && after instanceof ClusterState.Engaged
        && prepared != null) {
      checkForDuplicate(prepared);
    }
  }

  /** On its own thread: the request must not delay the probes of a cluster that stops answering. */
  private void checkForDuplicate(EngagedCluster engaged) {
    var check =
        Thread.ofVirtual()
            .name("cluster-" + engaged.name() + "-identity")
            .unstarted(
                () ->
                    context.identities().findDuplicate(engaged).ifPresent(publisher::duplicateOf));
    engaged.own(check::interrupt);
    check.start();
  }

  private void switchCircuit(ClusterState before, ClusterState after) {
    boolean wasOut = before instanceof ClusterState.Unreachable;
    boolean isOut = after instanceof ClusterState.Unreachable;
    if (!wasOut && isOut) {
      connection.openCircuit();
    } else if (wasOut && !isOut) {
      connection.closeCircuit();
    }
  }

  /** A live token is renewed outside of the Secret: its expiry is not reported. */
  private void updateExpiry() {
    var now = credentials.kubeconfig();
    var end = now.credentialsExpireAt();
    status.updateExpiry(end.orElse(null));
    if (end.isPresent() && context.liveTokens().of(secret, now.endpoint()).isEmpty()) {
      publisher.expiry(ExpiryWarning.at(context.clock().instant(), end.get()), end.get());
    }
  }

  /** What all engagements of a registry share. */
  record EngagementContext(
      ClientFactory clients,
      ClientSettings clientSettings,
      HealthCheckTimings timings,
      List<EngageStep> steps,
      Consumer<ClusterEvent> listener,
      LiveTokens liveTokens,
      ApiServerIdentities identities,
      Clock clock) {

    EngagementContext {
      steps = List.copyOf(steps);
    }
  }
}
