package io.krypton.multicluster.cluster;

import io.krypton.multicluster.cluster.kubeconfig.Kubeconfig;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The place of one Secret. It holds what is wanted, which may change at any time without waiting,
 * and a thread that follows: ends the old engagement, begins the new one.
 */
final class ClusterSlot {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterSlot.class);

  private final ClusterName name;
  private final SecretRef secret;
  private final EngagementRules rules;
  private final Predicate<ClusterSlot> leave;
  private final StateBoard board;
  private final Thread thread;

  private @Nullable SecretContent wanted;
  private @Nullable Supplier<DisengageReason> why;
  private boolean interruptible;
  private volatile @Nullable Engagement engagement;

  /**
   * A place that is not started yet.
   *
   * @param leave called when nothing is wanted; true ends the thread, false says that something is
   *     wanted again
   */
  ClusterSlot(
      ClusterName name, SecretRef secret, EngagementRules rules, Predicate<ClusterSlot> leave) {
    this.name = name;
    this.secret = secret;
    this.rules = rules;
    this.leave = leave;
    this.board = new StateBoard(name, secret, rules.clock());
    this.thread = Thread.ofVirtual().name("cluster-" + name).unstarted(this::follow);
  }

  void start() {
    thread.start();
  }

  synchronized void want(SecretContent content) {
    if (wanted != null && wanted.equalsBytesOf(content)) {
      return;
    }
    wanted = content;
    var running = engagement;
    boolean goesOn = running != null && running.renew(content.parse());
    if (!goesOn || why != null) {
      supersede(() -> DisengageReason.KUBECONFIG_CHANGED);
    }
  }

  /** A live token became known, or another. */
  void lookAtOnce() {
    var running = engagement;
    if (running != null) {
      running.lookAtOnce();
    }
  }

  synchronized void withdraw(Supplier<DisengageReason> reason) {
    if (wanted != null) {
      wanted = null;
      supersede(reason);
    }
  }

  /** What comes while the engagement is still ending did not end it: the first reason stays. */
  private void supersede(Supplier<DisengageReason> reason) {
    if (why == null) {
      why = reason;
    }
    if (interruptible) {
      thread.interrupt();
    }
  }

  synchronized boolean isWanted() {
    return wanted != null;
  }

  ClusterName name() {
    return name;
  }

  ClusterSnapshot snapshot() {
    return board.snapshot();
  }

  Optional<Cluster> cluster() {
    var current = engagement;
    return current == null ? Optional.empty() : current.cluster();
  }

  void join(Duration limit) throws InterruptedException {
    thread.join(limit);
  }

  private void follow() {
    while (true) {
      var content = next();
      if (content != null) {
        engage(content);
      } else if (leave.test(this)) {
        return;
      }
    }
  }

  private synchronized @Nullable SecretContent next() {
    interruptible = wanted != null;
    why = null;
    return wanted;
  }

  /** From here on the thread is not interrupted: what is being closed shall be closed in full. */
  private synchronized Supplier<DisengageReason> quiet() {
    interruptible = false;
    Thread.interrupted();
    return why == null ? () -> DisengageReason.NOT_LISTED : why;
  }

  private void engage(SecretContent content) {
    var announcer = new Announcer(name, secret, rules.listener());
    try {
      follow(content, announcer);
    } catch (InterruptedException superseded) {
      // Expected: somebody wants something else now.
    }
    var reason = quiet();
    var ending = engagement;
    engagement = null;
    if (ending != null) {
      ending.close();
    }
    announcer.disengaged(reason);
  }

  private void follow(SecretContent content, Announcer announcer) throws InterruptedException {
    switch (content.parse()) {
      case Kubeconfig.Refused(var reason) -> reject(reason, announcer);
      case Kubeconfig.Accepted accepted -> {
        board.restart(accepted.credentialsExpireAt().orElse(null));
        Engagement current;
        try {
          current = new Engagement(name, secret, accepted, rules, announcer, board);
        } catch (RuntimeException e) {
          // The policy should have caught it. Its text is not logged: it may quote a value.
          LOG.atError()
              .addKeyValue("cluster", name)
              .addKeyValue("exception", e.getClass().getName())
              .log("an accepted kubeconfig makes no client");
          reject("no client can be built from the kubeconfig", announcer);
          return;
        }
        engagement = current;
        current.run();
      }
    }
  }

  private void reject(String reason, Announcer announcer) throws InterruptedException {
    board.restart(null);
    var before = board.state();
    var rejected = Transitions.next(before, new Signal.KubeconfigRefused(reason));
    board.show(rejected, null);
    announcer.transition(before, rejected, null);
    new CountDownLatch(1).await();
  }
}
