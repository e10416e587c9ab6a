package io.krypton.agent.gate.probing;

import static io.krypton.kms.probe.GateTimetable.FATAL_RETRY;

import io.krypton.agent.gate.snapshot.Observed;
import io.krypton.kms.encryption.ProviderRole;
import io.krypton.kms.probe.PluginState;
import io.krypton.kms.probe.ProbeResult;
import io.krypton.kms.protocol.KmsApi;
import io.krypton.kms.verdict.Confirmation;
import io.krypton.kms.verdict.KeyIdHash;
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

  /** How often a plugin is probed, which bounds the age of results. */
  record Intervals(Duration healthy, Duration unhealthy) {
    Duration validFor(boolean good, Duration timeout) {
      return (good ? healthy : longestPause()).multipliedBy(2).plus(timeout);
    }

    private Duration longestPause() {
      return unhealthy.compareTo(FATAL_RETRY) > 0 ? unhealthy : FATAL_RETRY;
    }
  }

  Probed(ProbePlan plan, KubeStatusSignal kube, Intervals intervals) {
    this.plan = plan;
    this.kube = kube;
    this.intervals = intervals;
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
    var since =
        before.filter(old -> wasFailing == failing).map(Observed::since).orElse(result.checkedAt());
    return new Observed(
        judged,
        attempts,
        since,
        result.checkedAt(),
        result.startedAt().plus(result.took()),
        intervals.validFor(judged.verdict() == Verdict.OK && !judged.suspect(), plan.timeout()),
        plan.api() == KmsApi.V1 ? "" : KeyIdHash.of(result.keyId()),
        kube.last());
  }

  private static boolean isFailing(Confirmation judged) {
    return judged.suspect() || (judged.verdict() != Verdict.OK && judged.finding() != null);
  }
}
