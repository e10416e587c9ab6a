// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak;

import io.krypton.bench.soak.SoakResult.VitalSample;
import io.krypton.bench.soak.check.FleetInspector;
import io.krypton.bench.soak.check.Invariant;
import io.krypton.bench.soak.check.SoakAudit;
import io.krypton.bench.soak.check.TenantFact;
import io.krypton.bench.soak.check.TenantInvariants;
import io.krypton.bench.soak.check.Vitals;
import io.krypton.bench.soak.fleet.SoakFleet;
import io.krypton.bench.soak.fleet.SoakReplica;
import io.krypton.bench.soak.plan.SoakSchedule;
import io.krypton.bench.soak.plan.SoakSettings;
import io.krypton.bench.soak.plan.TenantModel;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** One soak, from the start of the operators to what must hold at the end. */
final class Soak {
  private static final Duration SETTLE_LIMIT = Duration.ofMinutes(10);
  private static final Duration LOOK = Duration.ofSeconds(5);

  /** Longer than the interval in which each Tenant is reconciled again. */
  private static final Duration SHORT_QUIET = Duration.ofSeconds(20);

  private static final Duration QUIET = Duration.ofMinutes(1);
  private static final int LONG_SOAK_MINUTES = 10;
  private static final int QUIET_ATTEMPTS = 5;

  private static final String FLAT =
      "threads and live heap of the operator that went through it, and its Helm worker, are those of a fresh one";

  private final SoakSettings settings;
  private final SoakSchedule schedule;
  private final TenantModel model;
  private final SoakFleet fleet;
  private final Consumer<String> progress;
  private final Consumer<String> diary;
  private final List<Invariant> invariants = new ArrayList<>();

  Soak(SoakSettings settings, SoakFleet fleet, Consumer<String> progress, Consumer<String> diary) {
    this.settings = settings;
    this.schedule = SoakSchedule.of(settings);
    this.model = TenantModel.after(schedule.edits());
    this.fleet = fleet;
    this.progress = progress;
    this.diary = diary;
  }

  SoakResult run() throws Exception {
    for (var replica : fleet.replicas()) {
      replica.start();
    }
    for (var replica : fleet.replicas()) {
      replica.running().orElseThrow().awaitEngaged(settings.clusters());
    }
    progress.accept(
        "%d faults and %d edits from now on"
            .formatted(schedule.faults().size(), schedule.edits().size()));
    var run = new SoakRun(fleet, settings, diary);
    try (var watch = new FleetWatch(fleet, settings.length(), progress)) {
      run.play(schedule);
      progress.accept("the last fault is over");
      var settled = settle();
      progress.accept("settled after %d s".formatted(settled.toSeconds()));
      invariants.add(
          new Invariant("quiet", "a fleet at rest costs no write and no Helm run", quietWrites()));
      var curve = new ArrayList<>(watch.curve());
      try {
        curve.addAll(compareWithFresh());
      } catch (IllegalStateException e) {
        invariants.add(new Invariant("flat", FLAT, List.of("cannot be compared: " + e)));
      }
      var audit = SoakAudit.read(fleet);
      invariants.add(
          new Invariant(
              "never two writers",
              "once an operator has written to a release, Helm of the other one does so no more",
              audit.overlaps()));
      invariants.addAll(SoakEvidence.of(fleet));
      var mishaps = new ArrayList<>(run.mishaps());
      mishaps.addAll(watch.mishaps());
      invariants.add(new Invariant("as planned", "each step of the schedule was made", mishaps));
      return new SoakResult(notes(run), happened(audit, watch), curve, settled, invariants);
    }
  }

  /** Ends when the Tenants are as they should be, or when that takes too long. */
  private Duration settle() throws InterruptedException {
    var begun = System.nanoTime();
    while (true) {
      var found = look();
      var took = Duration.ofNanos(System.nanoTime() - begun);
      if (found.stream().allMatch(Invariant::holds) || took.compareTo(SETTLE_LIMIT) > 0) {
        invariants.addAll(found);
        return took;
      }
      diary.accept("not yet: " + found.stream().flatMap(it -> it.violations().stream()).toList());
      Thread.sleep(LOOK);
    }
  }

  /** An API server that has just been started may be late. */
  private List<Invariant> look() {
    try {
      return TenantInvariants.of(model, facts());
    } catch (UncheckedIOException | IllegalStateException e) {
      return List.of(
          new Invariant("all answer", "each API server can be asked at the end", List.of("" + e)));
    }
  }

  private List<TenantFact> facts() {
    return fleet.edges().stream()
        .flatMap(it -> FleetInspector.read(fleet.plane(it)).stream())
        .toList();
  }

  /** Events may still be under way when the last Tenant is ready; after them comes silence. */
  private List<String> quietWrites() throws InterruptedException {
    var length = settings.minutes() < LONG_SOAK_MINUTES ? SHORT_QUIET : QUIET;
    var writes = List.<String>of();
    for (var attempt = 0; attempt < QUIET_ATTEMPTS; attempt++) {
      writes = SoakAudit.writesWithin(length, fleet);
      if (writes.isEmpty()) {
        break;
      }
    }
    return writes;
  }

  /** The survivor, alone, and then another process in its place. */
  private List<VitalSample> compareWithFresh() throws Exception {
    var survivor = fleet.replica(SoakSchedule.SURVIVOR);
    for (var replica : fleet.replicas()) {
      if (replica != survivor) {
        replica.terminate();
      }
    }
    var old = vitals("at the end", survivor);
    survivor.terminate();
    invariants.add(
        new Invariant(
            "nothing orphaned",
            "no process of an operator outlives it",
            SoakEvidence.processes(fleet)));
    survivor.start();
    var fresh = vitals("fresh", survivor);
    survivor.terminate();
    invariants.add(new Invariant("flat", FLAT, old.vitals().comparedWith(fresh.vitals())));
    return List.of(old, fresh);
  }

  /** Of an operator that leads a fleet at rest. */
  private VitalSample vitals(String when, SoakReplica replica) throws Exception {
    var operator = replica.running().orElseThrow();
    operator.awaitLeading();
    operator.awaitEngaged(settings.clusters());
    if (invariants.stream().allMatch(Invariant::holds)) {
      operator.awaitReady(model.living().size());
    }
    operator.awaitQuiet();
    diary.accept(
        "threads %s: %s".formatted(when, Vitals.threadNames(operator.process().toHandle())));
    return new VitalSample(
        when, replica.starts(), true, Vitals.of(operator.process().toHandle()).orElseThrow());
  }

  private Map<String, Long> happened(SoakAudit audit, FleetWatch watch) {
    var all = new LinkedHashMap<>(audit.counts());
    var counters = watch.counters();
    all.put(
        "drift repairs, at least", counters.sum("krypton_drift_repairs_total", "result=\"done\""));
    all.put("releases unlocked, at least", counters.sum("krypton_release_unlocks_total"));
    all.put(
        "Helm runs that did not end well, at least",
        counters.sum("krypton_helm_operations_total")
            - counters.sum("krypton_helm_operations_total", "result=\"done\""));
    for (var replica : fleet.replicas()) {
      all.put("starts of replica " + replica.name(), (long) replica.starts());
    }
    all.put("Tenants at the end", (long) model.living().size());
    return all;
  }

  private List<String> notes(SoakRun run) {
    var notes = new ArrayList<String>();
    run.skipped()
        .forEach(
            (fault, count) ->
                notes.add(
                    "%d of %s were left out: there is no C compiler here".formatted(count, fault)));
    if (fleet.replicas().stream().anyMatch(it -> !it.disk().isReal())) {
      notes.add("No file system could be mounted: a full disk is a directory without rights here.");
    }
    return notes;
  }
}
