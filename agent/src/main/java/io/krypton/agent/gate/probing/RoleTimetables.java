package io.krypton.agent.gate.probing;

import io.krypton.kms.encryption.ProviderRole;
import io.krypton.kms.probe.GateTimetable;
import io.krypton.kms.probe.ProbeResult;
import io.krypton.kms.probe.Timetable;
import io.krypton.kms.verdict.Confirmation;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;

/** One plugin that providers of several roles share: probed as the most impatient role wants. */
final class RoleTimetables implements Timetable<Map<ProviderRole, Confirmation>> {
  private final Map<ProviderRole, GateTimetable> byRole;

  RoleTimetables(Map<ProviderRole, GateTimetable> byRole) {
    this.byRole = new EnumMap<>(byRole);
  }

  @Override
  public void observe(ProbeResult result) {
    byRole.values().forEach(timetable -> timetable.observe(result));
  }

  @Override
  public Map<ProviderRole, Confirmation> judgement() {
    var judgements = new EnumMap<ProviderRole, Confirmation>(ProviderRole.class);
    byRole.forEach((role, timetable) -> judgements.put(role, timetable.judgement()));
    return judgements;
  }

  @Override
  public Duration nextStatus() {
    return earliest(GateTimetable::nextStatus);
  }

  @Override
  public Duration nextDeep() {
    return earliest(GateTimetable::nextDeep);
  }

  @Override
  public boolean awaitsSocket() {
    return byRole.values().stream().anyMatch(GateTimetable::awaitsSocket);
  }

  private Duration earliest(Function<GateTimetable, Duration> moment) {
    return byRole.values().stream().map(moment).min(Comparator.naturalOrder()).orElse(NEVER);
  }
}
