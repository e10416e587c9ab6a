package io.krypton.multicluster.cluster;

import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.ClusterConnection;
import io.krypton.multicluster.client.ClusterConnection.ProbeResult;
import io.krypton.multicluster.client.ClusterFailure;
import io.krypton.multicluster.client.RequestObserver;
import io.krypton.multicluster.cluster.ClusterEvent.ClusterListener;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One accepted kubeconfig of one cluster, from its first look to its end, on that cluster's thread.
 */
final class Engagement {
  private static final Logger LOG = LoggerFactory.getLogger(Engagement.class);

  private final ClusterName name;
  private final SecretRef secret;
  private final LiveCredentials access;
  private final EngagementRules rules;
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
      EngagementRules rules,
      ClusterEventPublisher clusterEventPublisher,
      ClusterStatusHolder board) {
    this.name = name;
    this.secret = secret;
    this.access = new LiveCredentials(secret, kubeconfig, rules.liveTokens());
    this.rules = rules;
    this.publisher = clusterEventPublisher;
    this.status = board;
    this.connection =
        rules
            .clients()
            .connect(name.value(), kubeconfig, access, rules.clientSettings(), this::onRequest);
  }

  /** Goes on until its thread is interrupted. */
  void run() throws InterruptedException {
    while (true) {
      awaitNextProbe();
      probeRequested.set(false);
      lastProbeAt = System.nanoTime();
      transition(probeOrFail());
      updateExpiry();
    }
  }

  /** Ends everything that was started; nobody interrupts the thread any more when this runs. */
  void close() {
    transition(new LifecycleEvent.Withdrawn());
    var ending = engagedCluster;
    if (ending != null) {
      ending.release();
    }
    abandonPreparation();
    connection.close();
    rules.identities().forget(secret);
  }

  Optional<EngagedCluster> cluster() {
    return Optional.ofNullable(engagedCluster);
  }

  /**
   * The Secret holds this now. Whatever begins from here on uses it, Helm runs of an engagement
   * that is about to end included.
   *
   * @return whether this engagement can go on with it; otherwise a new one must begin
   */
  boolean renew(ParsedKubeconfig now) {
    var goesOn = now instanceof ParsedKubeconfig.Accepted accepted && access.renew(accepted);
    if (goesOn) {
      LOG.atInfo().addKeyValue("cluster", name).log("cluster has a new token");
      probeNow();
    }
    return goesOn;
  }

  /** Something has changed that may let a look end differently now. */
  void probeNow() {
    probeRequested.set(true);
    earlyProbes.release();
  }

  /** A request that got no answer is a reason to look earlier. */
  private void onRequest(String cluster, String verb, int code) {
    if (code == RequestObserver.NO_ANSWER) {
      earlyProbes.release();
    }
  }

  private void awaitNextProbe() throws InterruptedException {
    earlyProbes.drainPermits();
    var healthCheckTimings = rules.timings();
    var pause = healthCheckTimings.untilNextProbe(status.state());
    long due = lastProbeAt + pause.toNanos();
    long inDoubt = lastProbeAt + healthCheckTimings.retryInterval().toNanos();
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
      LOG.atError().setCause(e).addKeyValue("cluster", name).log("looking at a cluster failed");
      return new LifecycleEvent.PreparationFailed(ClusterFailure.of(e));
    }
  }

  private LifecycleEvent probe() throws InterruptedException {
    return switch (connection.probe(rules.timings().timeoutFor(status.state()))) {
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

  /** One late answer proves nothing; from the second on the connection itself is suspect. */
  private void renewConnections(ClusterFailure clusterFailure) {
    boolean first =
        status.state() instanceof ClusterState.Engaged(int failedProbes, var last)
            && failedProbes == 0;
    if (clusterFailure.kind() == ClusterFailure.Kind.TIMEOUT && !first) {
      connection.reconnect();
    }
  }

  /**
   * What was begun is kept while it only takes longer: a cluster with many objects would otherwise
   * be listed from the start again and again. What failed is thrown away.
   */
  private LifecycleEvent prepare(String version) throws InterruptedException {
    var begun = preparing;
    if (begun == null) {
      begun =
          new EngagedCluster(
              name, secret, access::kubeconfig, connection.client(), version, this::probeNow);
      preparing = begun;
    }
    boolean keep = false;
    try {
      var outcome = new EngageStepRunner(rules.steps(), publisher).run(begun);
      if (outcome instanceof LifecycleEvent.Prepared) {
        engagedCluster = begun;
        preparing = null;
      }
      keep = outcome instanceof LifecycleEvent.NotPrepared;
      return outcome;
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

  /**
   * It takes a request, which must not hold up the probes of a cluster that falls silent just now.
   */
  private void checkForDuplicate(EngagedCluster engaged) {
    var look =
        Thread.ofVirtual()
            .name("cluster-" + engaged.name() + "-identity")
            .unstarted(
                () -> rules.identities().findDuplicate(engaged).ifPresent(publisher::duplicateOf));
    engaged.own(look::interrupt);
    look.start();
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

  /** A live token is renewed by somebody else: its end is no news. */
  private void updateExpiry() {
    var now = access.kubeconfig();
    var end = now.credentialsExpireAt();
    status.updateExpiry(end.orElse(null));
    if (end.isPresent() && rules.liveTokens().of(secret, now.endpoint()).isEmpty()) {
      publisher.expiry(ExpiryWarning.at(rules.clock().instant(), end.get()), end.get());
    }
  }

  /** What all engagements of a registry have in common. */
  record EngagementRules(
      ClientFactory clients,
      ClientSettings clientSettings,
      HealthCheckTimings timings,
      List<EngageStep> steps,
      ClusterListener listener,
      LiveTokens liveTokens,
      ApiServerIdentities identities,
      Clock clock) {

    EngagementRules {
      steps = List.copyOf(steps);
    }
  }
}
