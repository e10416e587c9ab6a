package io.krypton.cli.operator;

import io.krypton.multicluster.cluster.client.ClientSettings;
import io.krypton.multicluster.cluster.client.ClusterConnection;
import io.krypton.multicluster.cluster.home.HomeConnection;
import io.krypton.multicluster.cluster.home.HomeListener;
import io.krypton.multicluster.controller.Loop;
import io.krypton.multicluster.event.EventRecorder;
import io.krypton.multicluster.event.EventSource;
import io.krypton.multicluster.leader.KubernetesLease;
import io.krypton.multicluster.leader.LeaderElection;
import io.krypton.multicluster.leader.LeadershipListener;
import io.krypton.multicluster.leader.Term;
import io.krypton.multicluster.leader.Timings;
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
  private final List<Loop> loops;
  private final Timings timings;
  private final Runnable onLoss;
  private final List<LeadershipListener> others = new CopyOnWriteArrayList<>();
  private volatile @Nullable LeaderElection election;
  private volatile boolean givesBack;
  private @Nullable ClusterConnection leases;

  /** What others need of home once it is known. */
  record Home(HomeConnection connection, EventRecorder events) {}

  /**
   * A process that does not stand for election yet.
   *
   * @param onLoss called when a term ends that was not given back
   */
  Leadership(OperatorSettings settings, Collection<Loop> loops, Runnable onLoss) {
    this.settings = settings;
    this.onLoss = onLoss;
    this.loops = List.copyOf(loops);
    var process = settings.process();
    this.timings = new Timings(process.leaseDuration, process.renewDeadline, process.retryPeriod);
  }

  /** Tells one more of each term that begins and ends. */
  void alsoTell(LeadershipListener other) {
    others.add(other);
  }

  /** Stands for election on each home that is found, then tells the next listener of it. */
  HomeListener andThen(Consumer<Home> next) {
    return found -> {
      standOn(found);
      next.accept(
          new Home(
              found,
              new EventRecorder(
                  found.client(),
                  new EventSource(LEASE, "mesh.openkcm.io/" + LEASE, settings.instanceName()))));
    };
  }

  private synchronized void standOn(HomeConnection home) {
    if (!settings.process().leaderElect) {
      loops.forEach(loop -> loop.resume(() -> true));
      return;
    }
    var before = election;
    if (before != null) {
      givesBack = true;
      stop(before);
      closeLeases();
      givesBack = false;
    }
    var connection = home.another().apply(leaseSettings());
    var lease =
        new KubernetesLease(
            connection.client(), settings.namespace(), LEASE, connection::reconnect);
    var next = new LeaderElection(lease, settings.instanceName(), timings, this);
    leases = connection;
    election = next;
    next.start();
  }

  private ClientSettings leaseSettings() {
    return ClientSettings.remote(OperatorProcess.USER_AGENT).forLease(timings.renewDeadline());
  }

  private synchronized void closeLeases() {
    if (leases != null) {
      leases.close();
    }
  }

  @Override
  public void startedLeading(Term term) {
    loops.forEach(loop -> loop.resume(term::isHeld));
    others.forEach(other -> other.startedLeading(term));
  }

  @Override
  public void stoppedLeading(Term term) throws InterruptedException {
    if (!givesBack) {
      onLoss.run();
    }
    together(loop -> loop.pause(timings.gap()));
    for (var other : others) {
      other.stoppedLeading(term);
    }
  }

  boolean isLeading() {
    var current = election;
    return current == null ? !settings.process().leaderElect : current.isLeading();
  }

  /** A loop that neither leads nor tries is stuck, and a restart is the cure. */
  Optional<String> problem() {
    var current = election;
    return current == null || current.sinceLastStep().compareTo(STUCK_AFTER) < 0
        ? Optional.empty()
        : Optional.of("neither leads nor tries");
  }

  void stop(Duration grace) throws InterruptedException {
    together(loop -> loop.stop(grace));
    var current = election;
    if (current != null) {
      givesBack = true;
      current.stop();
      closeLeases();
    }
  }

  private interface Ending {
    boolean of(Loop loop) throws InterruptedException;
  }

  /** At the same time: no loop may work on because another takes long to end. */
  private void together(Ending ending) throws InterruptedException {
    var threads =
        loops.stream()
            .map(loop -> Thread.ofVirtual().name("loop ending").start(() -> end(loop, ending)))
            .toList();
    for (var thread : threads) {
      thread.join();
    }
  }

  private static void end(Loop loop, Ending ending) {
    try {
      ending.of(loop);
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
