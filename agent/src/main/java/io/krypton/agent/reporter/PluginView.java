package io.krypton.agent.reporter;

import io.krypton.agent.report.PluginReport;
import io.krypton.kms.probe.PluginState;
import io.krypton.kms.probe.ProbeResult;
import io.krypton.kms.verdict.Damping;
import io.krypton.kms.verdict.Finding;
import io.krypton.kms.verdict.HealthClass;
import io.krypton.kms.verdict.Outcome;
import io.krypton.kms.verdict.Published;
import java.math.BigInteger;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One plugin, as the node itself sees it.
 *
 * @param report what is to be published; null while a plugin that never answered may still start
 * @param lastFinding what the last probe found wrong; null if it was good
 */
record PluginView(
    BigInteger keyId,
    @Nullable PluginReport report,
    @Nullable Finding lastFinding,
    @Nullable String remoteKeyId) {

  static PluginView unknown(BigInteger keyId) {
    return new PluginView(keyId, null, null, null);
  }

  /** The view after one more result. */
  PluginView after(PluginState<Damping> state, ProbeResult result, KeyIdFormat format) {
    var known = knownKeyId(state);
    var published = known == null ? null : format.publish(known);
    var next =
        switch (state.judgement().published()) {
          case Published.Nothing _ -> null;
          case Published.Healthy _ -> healthy(result, published);
          case Published.Failing failing -> failing(failing.finding(), result, published);
        };
    return new PluginView(keyId, next, findingOf(result), known);
  }

  /** A failure that does not count yet neither changes the report nor makes it look fresh. */
  private PluginReport healthy(ProbeResult result, @Nullable String remoteKeyId) {
    if (!result.isGood() && report != null && report.health() == HealthClass.HEALTHY) {
      return report;
    }
    return new PluginReport(
        keyId, HealthClass.HEALTHY, result.checkedAt(), remoteKeyId, null, null);
  }

  private PluginReport failing(Finding finding, ProbeResult result, @Nullable String remoteKeyId) {
    return new PluginReport(
        keyId,
        finding.healthClass(),
        result.checkedAt(),
        remoteKeyId,
        finding.cause(),
        finding.message().isEmpty() ? null : finding.message());
  }

  private static @Nullable String knownKeyId(PluginState<Damping> state) {
    var status = state.lastStatus();
    return status == null || status.keyId().isEmpty() ? null : status.keyId();
  }

  private static @Nullable Finding findingOf(ProbeResult result) {
    return switch (result.outcome()) {
      case Outcome.Good _ -> null;
      case Outcome.Suspect(var finding) -> finding;
      case Outcome.Failing(var finding) -> finding;
    };
  }

  Optional<PluginReport> judged() {
    return Optional.ofNullable(report);
  }
}
