// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator;

import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.ClusterConnection;
import io.krypton.multicluster.controller.ReconcileLoop;
import io.krypton.multicluster.event.EventRecorder;
import io.krypton.multicluster.event.EventRecorder.EventSource;
import io.krypton.multicluster.home.HomeClusterConnector.HomeListener;
import io.krypton.multicluster.home.HomeConnection;
import io.krypton.multicluster.leader.KubernetesLeaseStore;
import io.krypton.multicluster.leader.LeaderElection;
import io.krypton.multicluster.leader.LeadershipListener;
import io.krypton.multicluster.leader.LeadershipListener.Term;
import io.krypton.multicluster.leader.LeaseTimings;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets the controllers work while this process holds the Lease on home, or always if it need not
 * hold one.
 */
final class Leadership implements LeadershipListener {
  private static final String LEASE = "krypton-operator";
  private static final Duration STUCK_AFTER = Duration.ofSeconds(30);

  private final OperatorSettings settings;
  private final List<ReconcileLoop> loops;
  private final LeaseTimings leaseTimings;
  private final Runnable onLoss;
  private final List<LeadershipListener> listeners = new CopyOnWriteArrayList<>();
  private volatile @Nullable LeaderElection election;
  private volatile boolean releasing;
  private @Nullable ClusterConnection leases;

  /** Home once it is connected, and a recorder of events there. */
  record Home(HomeConnection connection, EventRecorder events) {}

  /**
   * A process that does not stand for election yet.
   *
   * @param onLoss called when a term ends that was not given back
   */
  Leadership(OperatorSettings settings, Collection<ReconcileLoop> loops, Runnable onLoss) {
    this.settings = settings;
    this.onLoss = onLoss;
    this.loops = List.copyOf(loops);
    this.leaseTimings = settings.election().timings();
  }

  /** Tells one more of each term that begins and ends. */
  void addListener(LeadershipListener other) {
    listeners.add(other);
  }

  /** Stands for election on each home that is found, then tells the next listener of it. */
  HomeListener electThen(Consumer<Home> next) {
    return found -> {
      runElectionOn(found);
      next.accept(
          new Home(
              found,
              new EventRecorder(
                  found.client(),
                  new EventSource(LEASE, "mesh.openkcm.io/" + LEASE, settings.instance()))));
    };
  }

  private synchronized void runElectionOn(HomeConnection home) {
    if (!settings.election().enabled()) {
      loops.forEach(reconcileLoop -> reconcileLoop.resume(() -> true));
      return;
    }
    var before = election;
    if (before != null) {
      releasing = true;
      stop(before);
      closeLeases();
      releasing = false;
    }
    var connection = home.newConnection().apply(leaseSettings());
    var lease =
        new KubernetesLeaseStore(
            connection.client(), settings.home().namespace(), LEASE, connection::reconnect);
    var next = new LeaderElection(lease, settings.instance(), leaseTimings, this);
    leases = connection;
    election = next;
    next.start();
  }

  private ClientSettings leaseSettings() {
    return ClientSettings.remote(Operator.USER_AGENT).forLease(leaseTimings.renewDeadline());
  }

  private synchronized void closeLeases() {
    if (leases != null) {
      leases.close();
    }
  }

  @Override
  public void startedLeading(Term term) {
    loops.forEach(reconcileLoop -> reconcileLoop.resume(term::isHeld));
    listeners.forEach(other -> other.startedLeading(term));
  }

  @Override
  public void stoppedLeading(Term term) throws InterruptedException {
    if (!releasing) {
      onLoss.run();
    }
    onAllLoops(reconcileLoop -> reconcileLoop.pause(leaseTimings.handoverGap()));
    for (var other : listeners) {
      other.stoppedLeading(term);
    }
  }

  boolean isLeading() {
    var current = election;
    return current == null ? !settings.election().enabled() : current.isLeading();
  }

  /** A loop that neither leads nor tries is stuck; only a restart helps. */
  Optional<String> problem() {
    var current = election;
    return current == null || current.sinceLastStep().compareTo(STUCK_AFTER) < 0
        ? Optional.empty()
        : Optional.of("leader election loop is stuck");
  }

  void stop(Duration grace) throws InterruptedException {
    onAllLoops(reconcileLoop -> reconcileLoop.stop(grace));
    var current = election;
    if (current != null) {
      releasing = true;
      current.stop();
      closeLeases();
    }
  }

  private interface LoopAction {
    boolean apply(ReconcileLoop reconcileLoop) throws InterruptedException;
  }

  /** At the same time: no loop may work on because another takes long to end. */
  private void onAllLoops(LoopAction loopAction) throws InterruptedException {
    var threads =
        loops.stream()
            .map(
                reconcileLoop ->
                    Thread.ofVirtual()
                        .name("loop stop")
                        .start(() -> end(reconcileLoop, loopAction)))
            .toList();
    for (var thread : threads) {
      thread.join();
    }
  }

  private static void end(ReconcileLoop reconcileLoop, LoopAction loopAction) {
    try {
      loopAction.apply(reconcileLoop);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void stop(LeaderElection election) {
    try {
      election.stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
