// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.probe;

import static io.krypton.kms.probe.GateProbeSchedule.FATAL_RETRY;

import io.krypton.agent.gate.status.ProviderStatus.Observation;
import io.krypton.base.kmsreport.KeyHash;
import io.krypton.kms.config.EncryptionConfiguration.ProviderRole;
import io.krypton.kms.health.ProbeOutcome.ProbeLevel;
import io.krypton.kms.health.Verdict;
import io.krypton.kms.health.VerdictDebounce;
import io.krypton.kms.probe.PluginProbeResult;
import io.krypton.kms.probe.ProbeListener.PluginState;
import io.krypton.kms.rpc.KmsApiVersion;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A plugin in view, with what its probes have brought for each role. */
final class ProbedPlugin {
  private final ProbePlan plan;
  private final KubeStatusSignal kubeStatusSignal;
  private final Intervals intervals;
  private final Map<ProviderRole, Observation> byRole = new EnumMap<>(ProviderRole.class);
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

  ProbedPlugin(ProbePlan plan, KubeStatusSignal kube, Intervals intervals, boolean onTrial) {
    this.plan = plan;
    this.kubeStatusSignal = kube;
    this.intervals = intervals;
    this.onTrial = onTrial;
  }

  KubeStatusSignal kubeStatusSignal() {
    return kubeStatusSignal;
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
            .map(Observation::confirmation)
            .allMatch(assessed -> assessed.verdict() == Verdict.OK && !assessed.suspect());
  }

  ProbePlan plan() {
    return plan;
  }

  @Nullable Observation observation(ProviderRole role) {
    return byRole.get(role);
  }

  void update(PluginState<Map<ProviderRole, VerdictDebounce>> state, PluginProbeResult result) {
    state.assessment().forEach((role, assessed) -> byRole.put(role, next(role, assessed, result)));
  }

  private Observation next(ProviderRole role, VerdictDebounce assessed, PluginProbeResult result) {
    var before = Optional.ofNullable(byRole.get(role));
    var failing = isFailing(assessed);
    var wasFailing = before.filter(old -> isFailing(old.confirmation())).isPresent();
    // A good Status before a round trip that fails again is no attempt of its own.
    var attempt = result.isGood() ? 0 : 1;
    var attempts = failing ? before.map(Observation::attempts).orElse(0) + attempt : 0;
    // While only the round trip fails, Status is asked at ticks.
    var calm = result.isGood() || result.level() == ProbeLevel.DEEP;
    var since =
        before
            .filter(old -> wasFailing == failing)
            .map(Observation::since)
            .orElse(result.checkedAt());
    return new Observation(
        assessed,
        attempts,
        since,
        result.checkedAt(),
        result.startedAt().plus(result.duration()),
        intervals.validFor(calm, plan.timeout()),
        plan.api() == KmsApiVersion.V1 ? "" : KeyHash.label(result.keyId()),
        kubeStatusSignal.last());
  }

  private static boolean isFailing(VerdictDebounce assessed) {
    return assessed.suspect() || (assessed.verdict() != Verdict.OK && assessed.finding() != null);
  }
}
