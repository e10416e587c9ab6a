package io.krypton.agent.gate.probing;

import static io.krypton.kms.probe.GateTimetable.FATAL_RETRY;

import io.krypton.agent.gate.snapshot.Observed;
import io.krypton.kms.encryption.ProviderRole;
import io.krypton.kms.probe.PluginState;
import io.krypton.kms.probe.ProbeResult;
import io.krypton.kms.protocol.KmsApi;
import io.krypton.kms.verdict.Confirmation;
import io.krypton.kms.verdict.KeyIdHash;
import io.krypton.kms.verdict.Level;
import io.krypton.kms.verdict.Verdict;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A plugin in view, with what its probes have brought for each role. */
final class Probed {
  private final ProbePlan plan;
  private final KubeStatusSignal kube;
  private final Intervals intervals;
  private final Map<ProviderRole, Observed> byRole = new EnumMap<>(ProviderRole.class);
  private volatile boolean onTrial;

  /** How often a plugin is probed, which bounds the age of results. */
  record Intervals(Duration healthy, Duration unhealthy) {
    /**
     * How long a result counts.
     *
     * @param calm whether the next one comes with a tick; else the plugin is probed more often, and
     *     perhaps connected first
     */
    Duration validFor(boolean calm, Duration timeout) {
      return calm
          ? healthy.multipliedBy(2).plus(timeout)
          : longestPause().plus(timeout).multipliedBy(2);
    }

    private Duration longestPause() {
      return unhealthy.compareTo(FATAL_RETRY) > 0 ? unhealthy : FATAL_RETRY;
    }
  }

  Probed(ProbePlan plan, KubeStatusSignal kube, Intervals intervals, boolean onTrial) {
    this.plan = plan;
    this.kube = kube;
    this.intervals = intervals;
    this.onTrial = onTrial;
  }

  KubeStatusSignal kube() {
    return kube;
  }

  /** Whether it is probed for a file that is not in use yet. */
  boolean isOnTrial() {
    return onTrial;
  }

  void endTrial() {
    onTrial = false;
  }

  /** Whether there is nothing that a new start could improve. */
  boolean isOk() {
    return !byRole.isEmpty()
        && byRole.values().stream()
            .map(Observed::confirmation)
            .allMatch(judged -> judged.verdict() == Verdict.OK && !judged.suspect());
  }

  ProbePlan plan() {
    return plan;
  }

  @Nullable Observed as(ProviderRole role) {
    return byRole.get(role);
  }

  void take(PluginState<Map<ProviderRole, Confirmation>> state, ProbeResult result) {
    state.judgement().forEach((role, judged) -> byRole.put(role, next(role, judged, result)));
  }

  private Observed next(ProviderRole role, Confirmation judged, ProbeResult result) {
    var before = Optional.ofNullable(byRole.get(role));
    var failing = isFailing(judged);
    var wasFailing = before.filter(old -> isFailing(old.confirmation())).isPresent();
    // A good Status before a round trip that fails again is no attempt of its own.
    var attempt = result.isGood() ? 0 : 1;
    var attempts = failing ? before.map(Observed::attempts).orElse(0) + attempt : 0;
    // While only the round trip fails, Status is asked at ticks.
    var calm = result.isGood() || result.level() == Level.DEEP;
    var since =
        before.filter(old -> wasFailing == failing).map(Observed::since).orElse(result.checkedAt());
    return new Observed(
        judged,
        attempts,
        since,
        result.checkedAt(),
        result.startedAt().plus(result.took()),
        intervals.validFor(calm, plan.timeout()),
        plan.api() == KmsApi.V1 ? "" : KeyIdHash.of(result.keyId()),
        kube.last());
  }

  private static boolean isFailing(Confirmation judged) {
    return judged.suspect() || (judged.verdict() != Verdict.OK && judged.finding() != null);
  }
}
