package io.krypton.multicluster.cluster;

import io.krypton.multicluster.cluster.client.ClusterConnection;
import io.krypton.multicluster.cluster.client.Failure;
import io.krypton.multicluster.cluster.client.ProbeResult;
import io.krypton.multicluster.cluster.client.RequestObserver;
import io.krypton.multicluster.cluster.kubeconfig.Kubeconfig;
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
  private final LiveAccess access;
  private final EngagementRules rules;
  private final Announcer announcer;
  private final StateBoard board;
  private final ClusterConnection connection;
  private final Semaphore hints = new Semaphore(0);
  private final AtomicBoolean looksAtOnce = new AtomicBoolean();

  private volatile @Nullable Cluster cluster;
  private @Nullable Cluster preparing;
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
    this.access = new LiveAccess(secret, kubeconfig, rules.liveTokens());
    this.rules = rules;
    this.announcer = announcer;
    this.board = board;
    this.connection =
        rules
            .clients()
            .connect(name.value(), kubeconfig, access, rules.clientSettings(), this::hint);
  }

  /** Goes on until its thread is interrupted. */
  void run() throws InterruptedException {
    while (true) {
      awaitNextLook();
      looksAtOnce.set(false);
      lookedAt = System.nanoTime();
      move(lookOrFail());
      showExpiry();
    }
  }

  /** Ends everything that was started; nobody interrupts the thread any more when this runs. */
  void close() {
    move(new Signal.Withdrawn());
    var ending = cluster;
    if (ending != null) {
      ending.release();
    }
    abandonPreparation();
    connection.close();
    rules.identities().forget(secret);
  }

  Optional<Cluster> cluster() {
    return Optional.ofNullable(cluster);
  }

  /**
   * The Secret holds this now. Whatever begins from here on uses it, Helm runs of an engagement
   * that is about to end included.
   *
   * @return whether this engagement can go on with it; otherwise a new one must begin
   */
  boolean renew(Kubeconfig now) {
    var goesOn = now instanceof Kubeconfig.Accepted accepted && access.renew(accepted);
    if (goesOn) {
      LOG.atInfo().addKeyValue("cluster", name).log("cluster has a new token");
      lookAtOnce();
    }
    return goesOn;
  }

  /** Something has changed that may let a look end differently now. */
  void lookAtOnce() {
    looksAtOnce.set(true);
    hints.release();
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
    for (long left = due - System.nanoTime();
        left > 0 && !looksAtOnce.get();
        left = due - System.nanoTime()) {
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

  /**
   * What was begun is kept while it only takes longer: a cluster with many objects would otherwise
   * be listed from the start again and again. What failed is thrown away.
   */
  private Signal prepare(String version) throws InterruptedException {
    var begun = preparing;
    if (begun == null) {
      begun =
          new Cluster(
              name, secret, access::kubeconfig, connection.client(), version, this::lookAtOnce);
      preparing = begun;
    }
    boolean keep = false;
    try {
      var outcome = new Preparation(rules.steps(), announcer).run(begun);
      if (outcome instanceof Signal.Prepared) {
        cluster = begun;
        preparing = null;
      }
      keep = outcome instanceof Signal.NotPrepared;
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

  /** A live token is renewed by somebody else: its end is no news. */
  private void showExpiry() {
    var now = access.kubeconfig();
    var end = now.credentialsExpireAt();
    board.expiring(end.orElse(null));
    if (end.isPresent() && rules.liveTokens().of(secret, now.endpoint()).isEmpty()) {
      announcer.expiry(ExpiryWarning.at(rules.clock().instant(), end.get()), end.get());
    }
  }
}
