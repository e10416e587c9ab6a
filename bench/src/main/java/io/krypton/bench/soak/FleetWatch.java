// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak;

import io.krypton.bench.soak.SoakResult.VitalSample;
import io.krypton.bench.soak.check.CounterTally;
import io.krypton.bench.soak.check.Vitals;
import io.krypton.bench.soak.fleet.SoakFleet;
import io.krypton.bench.soak.fleet.SoakReplica;
import io.krypton.bench.soak.plan.SoakSchedule;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Looks at the operators while a soak goes on: starts again those that have ended by themselves,
 * sums up their counters, and records how much the surviving one holds on to.
 */
final class FleetWatch implements AutoCloseable {
  private static final int TALLY_SECONDS = 5;
  private static final int SAMPLES = 12;

  private final SoakFleet fleet;
  private final CounterTally tally = new CounterTally();
  private final List<VitalSample> curve = new CopyOnWriteArrayList<>();
  private final List<String> mishaps = new CopyOnWriteArrayList<>();
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
  private final long begun = System.nanoTime();
  private final Consumer<String> progress;

  FleetWatch(SoakFleet fleet, Duration length, Consumer<String> progress) {
    this.fleet = fleet;
    this.progress = progress;
    repeat(Duration.ofSeconds(1), fleet::supervise);
    repeat(Duration.ofSeconds(TALLY_SECONDS), this::tally);
    repeat(length.dividedBy(SAMPLES), this::sample);
  }

  CounterTally counters() {
    return tally;
  }

  List<VitalSample> curve() {
    return List.copyOf(curve);
  }

  List<String> mishaps() {
    return List.copyOf(mishaps);
  }

  private void repeat(Duration period, Look look) {
    var millis = period.toMillis();
    var _ =
        timer.scheduleWithFixedDelay(() -> attempt(look), millis, millis, TimeUnit.MILLISECONDS);
  }

  private void attempt(Look look) {
    try {
      look.once();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      mishaps.add("watching the operators: " + e);
    }
  }

  /** An operator may end while it is asked. */
  private void tally() throws InterruptedException {
    for (var replica : fleet.replicas()) {
      var operator = replica.running();
      if (operator.isPresent()) {
        try {
          tally.read(replica.name() + operator.get().process().pid(), operator.get().series());
        } catch (IllegalStateException ended) {
          // What it counted last is lost.
        }
      }
    }
  }

  private void sample() throws Exception {
    var time = Duration.ofNanos(System.nanoTime() - begun);
    var when = "%d:%02d min".formatted(time.toMinutes(), time.toSecondsPart());
    var sample = sample(when, fleet.replica(SoakSchedule.SURVIVOR));
    sample.ifPresent(curve::add);
    progress.accept(
        "%s: %d Helm runs, %d drift repairs; %s"
            .formatted(
                when,
                tally.sum("krypton_helm_operations_total"),
                tally.sum("krypton_drift_repairs_total"),
                sample.map(FleetWatch::words).orElse("no answer from " + SoakSchedule.SURVIVOR)));
  }

  private static String words(VitalSample sample) {
    return "replica %s, start %d: %d threads, %.1f MiB of heap, %.1f MiB of the worker"
        .formatted(
            SoakSchedule.SURVIVOR,
            sample.start(),
            sample.vitals().threads(),
            sample.vitals().heapMib(),
            sample.vitals().workerMib());
  }

  /** Empty while the operator is away or stands still. */
  private static Optional<VitalSample> sample(String when, SoakReplica replica) throws Exception {
    var operator = replica.running();
    if (operator.isEmpty()) {
      return Optional.empty();
    }
    try {
      var vitals = Vitals.of(operator.get().process().toHandle());
      var leads = operator.get().isLeading();
      return vitals.map(it -> new VitalSample(when, replica.starts(), leads, it));
    } catch (IllegalStateException ended) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }

  /** Something that is done again and again. */
  @FunctionalInterface
  private interface Look {
    void once() throws Exception;
  }
}
