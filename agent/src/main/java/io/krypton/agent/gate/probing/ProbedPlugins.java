package io.krypton.agent.gate.probing;

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
final class ProbedPlugins {
  private final ProbePool pool;
  private final Probed.Intervals intervals;
  private final BooleanSupplier passed;
  private final boolean reload;
  private final Map<String, Probed> inUse = new LinkedHashMap<>();
  private final Map<String, Probed> onTrial = new LinkedHashMap<>();

  /**
   * Begins without any.
   *
   * @param passed whether everything was OK once
   * @param reload whether a running API server takes up a changed file by itself
   */
  ProbedPlugins(
      ProbePool pool, Probed.Intervals intervals, BooleanSupplier passed, boolean reload) {
    this.pool = pool;
    this.intervals = intervals;
    this.passed = passed;
    this.reload = reload;
  }

  /** By the name of the probe. */
  @Nullable Probed find(String name) {
    return Optional.ofNullable(inUse.get(name)).orElse(onTrial.get(name));
  }

  @Nullable Probed inUse(@Nullable ProbePlan plan) {
    return find(inUse.values(), plan);
  }

  @Nullable Probed onTrial(@Nullable ProbePlan plan) {
    return find(onTrial.values(), plan);
  }

  private static @Nullable Probed find(Collection<Probed> among, @Nullable ProbePlan plan) {
    return among.stream().filter(probed -> probed.plan().equals(plan)).findFirst().orElse(null);
  }

  /** Uses exactly these plans; what is in use already keeps its state. */
  void use(Set<ProbePlan> plans) {
    forget(inUse, probed -> !plans.contains(probed.plan()));
    plans.stream().filter(plan -> inUse(plan) == null).forEach(plan -> watch(inUse, plan, false));
  }

  /** Probes these plans beside those in use. */
  void tryOut(Set<ProbePlan> plans) {
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

  private void watch(Map<String, Probed> to, ProbePlan plan, boolean trial) {
    var probed = new Probed(plan, new KubeStatusSignal(plan.api()), intervals, trial);
    var name =
        pool.watch(
            plan,
            probed.kube(),
            () -> !passed.getAsBoolean() || probed.isOnTrial(),
            () -> moment(probed));
    to.put(name, probed);
  }

  private Moment moment(Probed probed) {
    if (probed.isOnTrial()) {
      return isReloaded() ? Moment.RELOAD : Moment.START;
    }
    return passed.getAsBoolean() ? Moment.RUNNING : Moment.START;
  }

  /** Whether an API server runs that takes up a changed file only if all of its providers work. */
  boolean isReloaded() {
    return reload && passed.getAsBoolean();
  }

  private void forget(Map<String, Probed> from, Predicate<Probed> unwanted) {
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
