// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.probe;

import io.krypton.agent.gate.probe.RoleEvaluator.ApiServerPhase;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The plugins that are probed: those of the file in use, and those of a file on trial. A trial
 * probes anew what is in use already, as kube-apiserver does: what a plugin was able to do earlier
 * proves nothing for a changed file. Not thread-safe.
 */
final class ProbedPluginSet {
  private final ProbePool pool;
  private final ProbedPlugin.Intervals intervals;
  private final BooleanSupplier passed;
  private final boolean reload;
  private final Map<String, ProbedPlugin> inUse = new LinkedHashMap<>();
  private final Map<String, ProbedPlugin> onTrial = new LinkedHashMap<>();

  /**
   * Begins without any.
   *
   * @param passed whether everything was OK once
   * @param reload whether a running API server takes up a changed file by itself
   */
  ProbedPluginSet(
      ProbePool pool, ProbedPlugin.Intervals intervals, BooleanSupplier passed, boolean reload) {
    this.pool = pool;
    this.intervals = intervals;
    this.passed = passed;
    this.reload = reload;
  }

  /** By the name of the probe. */
  @Nullable ProbedPlugin find(String name) {
    return Optional.ofNullable(inUse.get(name)).orElse(onTrial.get(name));
  }

  @Nullable ProbedPlugin inUse(@Nullable ProbePlan plan) {
    return find(inUse.values(), plan);
  }

  @Nullable ProbedPlugin onTrial(@Nullable ProbePlan plan) {
    return find(onTrial.values(), plan);
  }

  private static @Nullable ProbedPlugin find(
      Collection<ProbedPlugin> among, @Nullable ProbePlan plan) {
    return among.stream()
        .filter(probedPlugin -> probedPlugin.plan().equals(plan))
        .findFirst()
        .orElse(null);
  }

  /** Uses exactly these plans; what is in use already keeps its state. */
  void use(Set<ProbePlan> plans) {
    forget(inUse, probedPlugin -> !plans.contains(probedPlugin.plan()));
    plans.stream().filter(plan -> inUse(plan) == null).forEach(plan -> watch(inUse, plan, false));
  }

  /** Probes these plans beside those in use. */
  void startTrial(Set<ProbePlan> plans) {
    endTrial();
    plans.forEach(plan -> watch(onTrial, plan, true));
  }

  void endTrial() {
    forget(onTrial, _ -> true);
  }

  /**
   * What was on trial is in use from now on; a plugin that was in use and is well stays as it is.
   */
  void adoptTrial() {
    var tried = List.copyOf(onTrial.entrySet());
    var kept =
        tried.stream()
            .map(trial -> inUse(trial.getValue().plan()))
            .filter(old -> old != null && old.isOk())
            .toList();
    forget(inUse, old -> !kept.contains(old));
    for (var trial : tried) {
      if (inUse(trial.getValue().plan()) == null) {
        onTrial.remove(trial.getKey());
        trial.getValue().endTrial();
        inUse.put(trial.getKey(), trial.getValue());
      }
    }
    endTrial();
  }

  private void watch(Map<String, ProbedPlugin> to, ProbePlan plan, boolean trial) {
    var probedPlugin = new ProbedPlugin(plan, new KubeStatusSignal(plan.api()), intervals, trial);
    var name =
        pool.watch(
            plan,
            probedPlugin.kubeStatusSignal(),
            () -> !passed.getAsBoolean() || probedPlugin.isOnTrial(),
            () -> phase(probedPlugin));
    to.put(name, probedPlugin);
  }

  private ApiServerPhase phase(ProbedPlugin probedPlugin) {
    if (probedPlugin.isOnTrial()) {
      return isReloaded() ? ApiServerPhase.RELOAD : ApiServerPhase.START;
    }
    return passed.getAsBoolean() ? ApiServerPhase.RUNNING : ApiServerPhase.START;
  }

  /** Whether an API server runs that takes up a changed file only if all of its providers work. */
  boolean isReloaded() {
    return reload && passed.getAsBoolean();
  }

  private void forget(Map<String, ProbedPlugin> from, Predicate<ProbedPlugin> unwanted) {
    var gone = from.entrySet().stream().filter(each -> unwanted.test(each.getValue())).toList();
    gone.stream()
        .map(Map.Entry::getKey)
        .forEach(
            name -> {
              from.remove(name);
              pool.forget(name);
            });
  }
}
