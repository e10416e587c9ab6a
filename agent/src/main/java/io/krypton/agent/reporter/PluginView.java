package io.krypton.agent.reporter;

import io.krypton.agent.report.PluginReport;
import io.krypton.kms.encryption.ProviderRole;
import io.krypton.kms.probe.PluginState;
import io.krypton.kms.probe.ProbeResult;
import io.krypton.kms.verdict.Damping;
import io.krypton.kms.verdict.Finding;
import io.krypton.kms.verdict.HealthClass;
import io.krypton.kms.verdict.Level;
import io.krypton.kms.verdict.Outcome;
import io.krypton.kms.verdict.Published;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One plugin, as the node itself sees it.
 *
 * @param report what is to be published; null while a plugin that never answered may still start
 * @param lastFinding what the last probe found wrong; null if it was good
 * @param oldKeys what the last round trip that was good told of older keys; null if all is well
 * @param role what the API server uses it for; null if nobody said
 */
record PluginView(
    BigInteger keyId,
    @Nullable PluginReport report,
    @Nullable Finding lastFinding,
    @Nullable String remoteKeyId,
    Outcome.@Nullable OldKeysUnreadable oldKeys,
    @Nullable ProviderRole role) {

  static PluginView unknown(BigInteger keyId) {
    return new PluginView(keyId, null, null, null, null, null);
  }

  /** The view after one more result. */
  PluginView after(PluginState<Damping> state, ProbeResult result, KeyIdFormat format) {
    var known = knownKeyId(state);
    var published = known == null ? null : format.publish(known);
    var unreadable = oldKeysAfter(result);
    var next =
        switch (state.judgement().published()) {
          case Published.Nothing _ -> null;
          case Published.Healthy _ -> healthy(result, published, unreadable);
          case Published.Failing failing -> failing(failing.finding(), result, published);
        };
    return new PluginView(keyId, next, findingOf(result), known, unreadable, role);
  }

  /** The view once the API server is known to use the plugin otherwise. */
  PluginView as(@Nullable ProviderRole other) {
    var next = report == null ? null : report.withRole(other);
    return new PluginView(keyId, next, lastFinding, remoteKeyId, oldKeys, other);
  }

  /** A round trip that fails has not come to the older keys, so that they stay as they were. */
  private Outcome.@Nullable OldKeysUnreadable oldKeysAfter(ProbeResult result) {
    if (result.level() != Level.DEEP) {
      return oldKeys;
    }
    return switch (result.outcome()) {
      case Outcome.Good _ -> null;
      case Outcome.OldKeysUnreadable unreadable -> unreadable;
      case Outcome.Suspect _, Outcome.Failing _ -> oldKeys;
    };
  }

  /** A failure that does not count yet neither changes the report nor makes it look fresh. */
  private PluginReport healthy(
      ProbeResult result,
      @Nullable String remoteKeyId,
      Outcome.@Nullable OldKeysUnreadable unreadable) {
    if (!result.isGood() && report != null && report.health() == HealthClass.HEALTHY) {
      return report;
    }
    return new PluginReport(
        keyId,
        HealthClass.HEALTHY,
        result.checkedAt(),
        remoteKeyId,
        null,
        unreadable == null ? null : unreadable.finding().message(),
        role,
        unreadable == null ? List.of() : unreadable.keyHashes());
  }

  private PluginReport failing(Finding finding, ProbeResult result, @Nullable String remoteKeyId) {
    return new PluginReport(
        keyId,
        finding.healthClass(),
        result.checkedAt(),
        remoteKeyId,
        finding.cause(),
        finding.message().isEmpty() ? null : finding.message(),
        role,
        List.of());
  }

  private static @Nullable String knownKeyId(PluginState<Damping> state) {
    var status = state.lastStatus();
    return status == null || status.keyId().isEmpty() ? null : status.keyId();
  }

  private static @Nullable Finding findingOf(ProbeResult result) {
    return switch (result.outcome()) {
      case Outcome.Good _, Outcome.OldKeysUnreadable _ -> null;
      case Outcome.Suspect(var finding) -> finding;
      case Outcome.Failing(var finding) -> finding;
    };
  }

  Optional<PluginReport> judged() {
    return Optional.ofNullable(report);
  }
}
