package io.krypton.multicluster.cluster;

import io.krypton.multicluster.cluster.client.ClusterConnection;
import io.krypton.multicluster.cluster.client.Failure;
import io.krypton.multicluster.cluster.client.ProbeResult;
import io.krypton.multicluster.cluster.client.RequestObserver;
import io.krypton.multicluster.cluster.client.TokenSource;
import io.krypton.multicluster.cluster.kubeconfig.Kubeconfig;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
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
  private final Kubeconfig.Accepted kubeconfig;
  private final EngagementRules rules;
  private final Announcer announcer;
  private final StateBoard board;
  private final ClusterConnection connection;
  private final Semaphore hints = new Semaphore(0);

  private volatile @Nullable Cluster cluster;
  private long lookedAt = System.nanoTime();

  Engagement(
      ClusterName name,
      SecretRef secret,
      Kubeconfig.Accepted kubeconfig,
      EngagementRules rules,
      Announcer announcer,
      StateBoard board) {
    this.name = name;
    this.secret = secret;
    this.kubeconfig = kubeconfig;
    this.rules = rules;
    this.announcer = announcer;
    this.board = board;
    this.connection =
        rules
            .clients()
            .connect(name.value(), kubeconfig, token(), rules.clientSettings(), this::hint);
  }

  /** Goes on until its thread is interrupted. */
  void run() throws InterruptedException {
    while (true) {
      awaitNextLook();
      lookedAt = System.nanoTime();
      move(lookOrFail());
      warnOfExpiry();
    }
  }

  /** Ends everything that was started; nobody interrupts the thread any more when this runs. */
  void close() {
    move(new Signal.Withdrawn());
    var ending = cluster;
    if (ending != null) {
      ending.release();
    }
    connection.close();
    rules.identities().forget(secret);
  }

  Optional<Cluster> cluster() {
    return Optional.ofNullable(cluster);
  }

  private TokenSource token() {
    return rules.liveTokens().of(secret).orElseGet(() -> TokenSource.of(kubeconfig));
  }

  /** A request that got no answer is a reason to look earlier. */
  private void hint(String cluster, String verb, int code) {
    if (code == RequestObserver.NO_ANSWER) {
      hints.release();
    }
  }

  private void awaitNextLook() throws InterruptedException {
    hints.drainPermits();
    var pace = rules.pace();
    var pause = pace.untilNextLook(board.state());
    long due = lookedAt + pause.toNanos();
    long inDoubt = lookedAt + pace.doubt().toNanos();
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      if (hints.tryAcquire(left, TimeUnit.NANOSECONDS)
          && board.state() instanceof ClusterState.Engaged) {
        due = Math.min(due, inDoubt);
      }
    }
  }

  private Signal lookOrFail() throws InterruptedException {
    try {
      return look();
    } catch (RuntimeException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      LOG.atError().setCause(e).addKeyValue("cluster", name).log("looking at a cluster failed");
      return new Signal.PreparationFailed(Failure.of(e));
    }
  }

  private Signal look() throws InterruptedException {
    return switch (connection.probe(rules.pace().limitOf(board.state()))) {
      case ProbeResult.Failed(var failure) -> {
        renewConnections(failure);
        yield new Signal.Unanswered(failure);
      }
      case ProbeResult.Alive(var version) ->
          board.state() instanceof ClusterState.Connecting
              ? prepare(version)
              : new Signal.Answered();
    };
  }

  /** One late answer proves nothing; from the second on the connection itself is suspect. */
  private void renewConnections(Failure failure) {
    boolean first =
        board.state() instanceof ClusterState.Engaged(int failedProbes, var last)
            && failedProbes == 0;
    if (failure.kind() == Failure.Kind.TIMEOUT && !first) {
      connection.reconnect();
    }
  }

  private Signal prepare(String version) throws InterruptedException {
    var preparing = new Cluster(name, secret, kubeconfig, connection.client(), version);
    boolean prepared = false;
    try {
      var outcome = new Preparation(rules.steps(), announcer).run(preparing);
      prepared = outcome instanceof Signal.Prepared;
      return outcome;
    } finally {
      if (prepared) {
        cluster = preparing;
      } else {
        preparing.release();
      }
    }
  }

  private void move(Signal signal) {
    var before = board.state();
    var after = Transitions.next(before, signal);
    switchCircuit(before, after);
    var prepared = cluster;
    board.show(after, prepared == null ? null : prepared.serverVersion());
    announcer.transition(before, after, prepared);
    if (before instanceof ClusterState.Connecting
        && after instanceof ClusterState.Engaged
        && prepared != null) {
      lookForDuplicate(prepared);
    }
  }

  /**
   * It takes a request, which must not hold up the probes of a cluster that falls silent just now.
   */
  private void lookForDuplicate(Cluster engaged) {
    var look =
        Thread.ofVirtual()
            .name("cluster-" + engaged.name() + "-identity")
            .unstarted(
                () -> rules.identities().firstOther(engaged).ifPresent(announcer::duplicateOf));
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

  private void warnOfExpiry() {
    if (rules.liveTokens().of(secret).isPresent()) {
      return;
    }
    var end = kubeconfig.credentialsExpireAt();
    if (end.isPresent()) {
      var level = ExpiryWarning.at(rules.clock().instant(), end.get());
      announcer.expiry(level, end.get());
    }
  }
}
