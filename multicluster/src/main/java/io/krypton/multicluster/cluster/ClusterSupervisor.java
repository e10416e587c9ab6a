// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import io.krypton.multicluster.cluster.ClusterEvent.DisengageReason;
import io.krypton.multicluster.cluster.ClusterRegistry.SecretContent;
import io.krypton.multicluster.cluster.ClusterSnapshot.ClusterStatusHolder;
import io.krypton.multicluster.cluster.ClusterStateMachine.LifecycleEvent;
import io.krypton.multicluster.cluster.Engagement.EngagementContext;
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
 * Supervises the cluster of one Secret. It holds the desired kubeconfig, which may change at any
 * time without blocking, and a thread that ends the old engagement and begins the new one.
 */
final class ClusterSupervisor {
  private static final Logger log = LoggerFactory.getLogger(ClusterSupervisor.class);

  private final ClusterName name;
  private final SecretRef secret;
  private final EngagementContext context;
  private final Predicate<ClusterSupervisor> mayExit;
  private final ClusterStatusHolder status;
  private final Thread thread;

  private @Nullable SecretContent desired;
  private @Nullable Supplier<DisengageReason> disengageReason;
  private boolean interruptible;
  private volatile @Nullable Engagement engagement;

  /**
   * A supervisor that has yet to be started.
   *
   * @param mayExit called when no cluster is desired; true ends the thread, false means that one is
   *     desired again
   */
  ClusterSupervisor(
      ClusterName name,
      SecretRef secret,
      EngagementContext context,
      Predicate<ClusterSupervisor> mayExit) {
    this.name = name;
    this.secret = secret;
    this.context = context;
    this.mayExit = mayExit;
    this.status = new ClusterStatusHolder(name, secret, context.clock());
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
    boolean continues = running != null && running.renew(content.parse());
    if (!continues || disengageReason != null) {
      supersede(() -> DisengageReason.KUBECONFIG_CHANGED);
    }
  }

  /** Probes at once, e.g. because a live token changed. */
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

  /** The first reason wins: later ones arrive while the engagement is already ending. */
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

  /** From here on the thread is not interrupted, so that closing completes. */
  private synchronized Supplier<DisengageReason> stopInterrupts() {
    interruptible = false;
    Thread.interrupted();
    return disengageReason == null ? () -> DisengageReason.NOT_LISTED : disengageReason;
  }

  private void engage(SecretContent content) {
    var publisher = new ClusterEventPublisher(name, secret, context.listener());
    try {
      supervise(content, publisher);
    } catch (InterruptedException superseded) {
      // Expected: the desired kubeconfig changed.
    }
    var reason = stopInterrupts();
    var ending = engagement;
    engagement = null;
    if (ending != null) {
      ending.close();
    }
    publisher.disengaged(reason);
  }

  private void supervise(SecretContent content, ClusterEventPublisher publisher)
      throws InterruptedException {
    switch (content.parse()) {
      case ParsedKubeconfig.Refused(var reason) -> reject(reason, publisher);
      case ParsedKubeconfig.Accepted accepted -> {
        status.reset(accepted.credentialsExpireAt().orElse(null));
        Engagement current;
        try {
          current = new Engagement(name, secret, accepted, context, publisher, status);
        } catch (RuntimeException e) {
          // The policy should have caught it. Its text is not logged: it may quote a value.
          log.atError()
              .addKeyValue("cluster", name)
              .addKeyValue("exception", e.getClass().getName())
              .log("cannot build a client from an accepted kubeconfig");
          reject("no client can be built from the kubeconfig", publisher);
          return;
        }
        engagement = current;
        current.run();
      }
    }
  }

  private void reject(String reason, ClusterEventPublisher publisher) throws InterruptedException {
    status.reset(null);
    var before = status.state();
    var rejected = ClusterStateMachine.next(before, new LifecycleEvent.KubeconfigRefused(reason));
    status.update(rejected, null);
    publisher.transition(before, rejected, null);
    new CountDownLatch(1).await();
  }
}
