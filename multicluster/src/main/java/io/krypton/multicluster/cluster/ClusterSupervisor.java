package io.krypton.multicluster.cluster;

import io.krypton.multicluster.cluster.ClusterEvent.DisengageReason;
import io.krypton.multicluster.cluster.ClusterSnapshot.ClusterStatusHolder;
import io.krypton.multicluster.cluster.ClusterStateMachine.LifecycleEvent;
import io.krypton.multicluster.cluster.Engagement.EngagementRules;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
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
final class ClusterSupervisor {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterSupervisor.class);

  private final ClusterName name;
  private final SecretRef secret;
  private final EngagementRules rules;
  private final Predicate<ClusterSupervisor> mayExit;
  private final ClusterStatusHolder status;
  private final Thread thread;

  private @Nullable SecretContent desired;
  private @Nullable Supplier<DisengageReason> disengageReason;
  private boolean interruptible;
  private volatile @Nullable Engagement engagement;

  /**
   * A place that is not started yet.
   *
   * @param leave called when nothing is wanted; true ends the thread, false says that something is
   *     wanted again
   */
  ClusterSupervisor(
      ClusterName name,
      SecretRef secret,
      EngagementRules rules,
      Predicate<ClusterSupervisor> leave) {
    this.name = name;
    this.secret = secret;
    this.rules = rules;
    this.mayExit = leave;
    this.status = new ClusterStatusHolder(name, secret, rules.clock());
    this.thread = Thread.ofVirtual().name("cluster-" + name).unstarted(this::supervise);
  }

  void start() {
    thread.start();
  }

  synchronized void setDesired(SecretContent content) {
    if (desired != null && desired.equalsBytesOf(content)) {
      return;
    }
    desired = content;
    var running = engagement;
    boolean goesOn = running != null && running.renew(content.parse());
    if (!goesOn || disengageReason != null) {
      supersede(() -> DisengageReason.KUBECONFIG_CHANGED);
    }
  }

  /** A live token became known, or another. */
  void probeNow() {
    var running = engagement;
    if (running != null) {
      running.probeNow();
    }
  }

  synchronized void withdraw(Supplier<DisengageReason> reason) {
    if (desired != null) {
      desired = null;
      supersede(reason);
    }
  }

  /** What comes while the engagement is still ending did not end it: the first reason stays. */
  private void supersede(Supplier<DisengageReason> reason) {
    if (disengageReason == null) {
      disengageReason = reason;
    }
    if (interruptible) {
      thread.interrupt();
    }
  }

  synchronized boolean isDesired() {
    return desired != null;
  }

  ClusterName name() {
    return name;
  }

  ClusterSnapshot snapshot() {
    return status.snapshot();
  }

  Optional<EngagedCluster> cluster() {
    var current = engagement;
    return current == null ? Optional.empty() : current.cluster();
  }

  void join(Duration limit) throws InterruptedException {
    thread.join(limit);
  }

  private void supervise() {
    while (true) {
      var content = next();
      if (content != null) {
        engage(content);
      } else if (mayExit.test(this)) {
        return;
      }
    }
  }

  private synchronized @Nullable SecretContent next() {
    interruptible = desired != null;
    disengageReason = null;
    return desired;
  }

  /** From here on the thread is not interrupted: what is being closed shall be closed in full. */
  private synchronized Supplier<DisengageReason> stopInterrupts() {
    interruptible = false;
    Thread.interrupted();
    return disengageReason == null ? () -> DisengageReason.NOT_LISTED : disengageReason;
  }

  private void engage(SecretContent content) {
    var clusterEventPublisher = new ClusterEventPublisher(name, secret, rules.listener());
    try {
      supervise(content, clusterEventPublisher);
    } catch (InterruptedException superseded) {
      // Expected: somebody wants something else now.
    }
    var reason = stopInterrupts();
    var ending = engagement;
    engagement = null;
    if (ending != null) {
      ending.close();
    }
    clusterEventPublisher.disengaged(reason);
  }

  private void supervise(SecretContent content, ClusterEventPublisher clusterEventPublisher)
      throws InterruptedException {
    switch (content.parse()) {
      case ParsedKubeconfig.Refused(var reason) -> reject(reason, clusterEventPublisher);
      case ParsedKubeconfig.Accepted accepted -> {
        status.reset(accepted.credentialsExpireAt().orElse(null));
        Engagement current;
        try {
          current = new Engagement(name, secret, accepted, rules, clusterEventPublisher, status);
        } catch (RuntimeException e) {
          // The policy should have caught it. Its text is not logged: it may quote a value.
          LOG.atError()
              .addKeyValue("cluster", name)
              .addKeyValue("exception", e.getClass().getName())
              .log("an accepted kubeconfig makes no client");
          reject("no client can be built from the kubeconfig", clusterEventPublisher);
          return;
        }
        engagement = current;
        current.run();
      }
    }
  }

  private void reject(String reason, ClusterEventPublisher clusterEventPublisher)
      throws InterruptedException {
    status.reset(null);
    var before = status.state();
    var rejected = ClusterStateMachine.next(before, new LifecycleEvent.KubeconfigRefused(reason));
    status.update(rejected, null);
    clusterEventPublisher.transition(before, rejected, null);
    new CountDownLatch(1).await();
  }
}
