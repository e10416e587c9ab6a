// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak;

import io.krypton.bench.soak.fleet.FaultInjector;
import io.krypton.bench.soak.fleet.SoakFleet;
import io.krypton.bench.soak.fleet.TenantEditor;
import io.krypton.bench.soak.plan.SoakFault;
import io.krypton.bench.soak.plan.SoakSchedule;
import io.krypton.bench.soak.plan.SoakSettings;
import io.krypton.bench.soak.plan.SoakStep;
import io.krypton.bench.soak.plan.SoakStep.FaultStep;
import io.krypton.bench.soak.plan.SoakStep.TenantStep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Makes everything of a schedule happen in its time. Steps of one Tenant, and faults of one target,
 * come one after the other; all others are independent, so that a dead API server holds up only
 * those who need it.
 */
final class SoakRun {
  /** For whoever tries until an API server answers: all faults are over by then. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final SoakFleet fleet;
  private final FaultInjector injector;
  private final TenantEditor editor;
  private final Consumer<String> diary;
  private final Map<Object, CompletableFuture<Void>> faults = new HashMap<>();
  private final Map<Object, CompletableFuture<Void>> edits = new HashMap<>();
  private final List<String> mishaps = new CopyOnWriteArrayList<>();
  private final Map<SoakFault, Integer> skipped = new EnumMap<>(SoakFault.class);

  SoakRun(SoakFleet fleet, SoakSettings settings, Consumer<String> diary) {
    this.fleet = fleet;
    this.injector = new FaultInjector(fleet);
    this.editor = new TenantEditor(fleet, settings);
    this.diary = diary;
  }

  /** What did not go as planned, on the side of the soak. */
  List<String> mishaps() {
    var all = new ArrayList<>(mishaps);
    all.addAll(editor.surprises());
    return all;
  }

  /** Faults that this machine does not allow. */
  Map<SoakFault, Integer> skipped() {
    return Map.copyOf(skipped);
  }

  /** Returns when all steps have been made and all trouble is over. */
  void play(SoakSchedule schedule) throws Exception {
    var executor = Executors.newVirtualThreadPerTaskExecutor();
    try {
      var begun = System.nanoTime();
      for (var step : schedule.steps()) {
        sleepUntil(begun, step.at());
        dispatch(step, executor);
      }
      await(faults);
      fleet.heal();
      await(edits);
    } finally {
      executor.shutdownNow();
    }
  }

  private static void sleepUntil(long begun, Duration at) throws InterruptedException {
    var left = at.toNanos() - (System.nanoTime() - begun);
    if (left > 0) {
      TimeUnit.NANOSECONDS.sleep(left);
    }
  }

  private void dispatch(SoakStep step, ExecutorService executor) {
    switch (step) {
      case FaultStep fault when !isPossible(fault) -> skipped.merge(fault.fault(), 1, Integer::sum);
      case FaultStep fault ->
          enqueue(
              faults,
              List.of(fault.fault().scope(), fault.target()),
              executor,
              () -> attempt(fault, this::suffer));
      case TenantStep edit ->
          enqueue(edits, edit.tenant(), executor, () -> attempt(edit, editor::apply));
    }
  }

  private boolean isPossible(FaultStep step) {
    return step.fault() != SoakFault.CLOCK_JUMP
        || fleet.replica(step.target().replica()).clock().canJump();
  }

  private static void enqueue(
      Map<Object, CompletableFuture<Void>> queues,
      Object queue,
      ExecutorService executor,
      Runnable task) {
    var before = queues.getOrDefault(queue, CompletableFuture.completedFuture(null));
    queues.put(queue, before.thenRunAsync(task, executor));
  }

  private <T extends SoakStep> void attempt(T step, StepAction<T> action) {
    try {
      action.on(step);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      mishaps.add("%s at %d s: %s".formatted(step, step.at().toSeconds(), e));
    }
  }

  private void suffer(FaultStep step) throws Exception {
    diary.accept("%s begins: %s".formatted(Instant.now(), step));
    try {
      injector.begin(step);
      Thread.sleep(step.duration());
    } finally {
      injector.end(step);
      diary.accept("%s ends: %s".formatted(Instant.now(), step));
    }
  }

  private void await(Map<Object, CompletableFuture<Void>> queues) throws Exception {
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    for (var queue : queues.entrySet()) {
      try {
        queue.getValue().get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        mishaps.add("%s is not done within %s".formatted(queue.getKey(), PATIENCE));
      }
    }
  }

  /** What a step does. */
  @FunctionalInterface
  private interface StepAction<T> {
    void on(T step) throws Exception;
  }
}
