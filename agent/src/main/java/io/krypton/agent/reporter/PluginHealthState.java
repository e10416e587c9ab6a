// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter;

import io.krypton.agent.reporter.config.ReporterSettings.KeyIdFormat;
import io.krypton.base.kmsreport.KeyId;
import io.krypton.base.kmsreport.PluginReport;
import io.krypton.base.kmsreport.ReportedHealth;
import io.krypton.base.kmsreport.ReportedRole;
import io.krypton.base.kmsreport.UnreadableKeys;
import io.krypton.kms.health.ProbeFinding;
import io.krypton.kms.health.ProbeOutcome;
import io.krypton.kms.health.ProbeOutcome.ProbeLevel;
import io.krypton.kms.health.ReportDebounce;
import io.krypton.kms.health.ReportDebounce.PublishedState;
import io.krypton.kms.probe.PluginProbeResult;
import io.krypton.kms.probe.ProbeListener.PluginState;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One plugin, as the node itself sees it.
 *
 * @param report what is to be published; null while a plugin that never answered may still start
 * @param lastFinding what the last probe found wrong; null if it was good
 * @param oldKeys what the last round trip that was good found of older keys; null if all is well
 * @param role what the API server uses it for; null if unknown
 */
record PluginHealthState(
    KeyId keyId,
    @Nullable PluginReport report,
    @Nullable ProbeFinding lastFinding,
    @Nullable String remoteKeyId,
    ProbeOutcome.@Nullable OldKeysUnreadable oldKeys,
    @Nullable ReportedRole role) {

  static PluginHealthState unknown(KeyId keyId) {
    return new PluginHealthState(keyId, null, null, null, null, null);
  }

  /** The state after one more result. */
  PluginHealthState withResult(
      PluginState<ReportDebounce> state, PluginProbeResult result, KeyIdFormat format) {
    var known = knownKeyId(state);
    var published = known == null ? null : format.format(known);
    var unreadable = oldKeysAfter(result);
    var next =
        switch (state.assessment().published()) {
          case PublishedState.Nothing _ -> null;
          case PublishedState.Healthy _ -> healthy(result, published, unreadable);
          case PublishedState.Failing failing -> failing(failing.finding(), result, published);
        };
    return new PluginHealthState(keyId, next, findingOf(result), known, unreadable, role);
  }

  /** The state once the API server is known to use the plugin otherwise. */
  PluginHealthState withRole(@Nullable ReportedRole other) {
    var next = report == null ? null : report.withRole(other);
    return new PluginHealthState(keyId, next, lastFinding, remoteKeyId, oldKeys, other);
  }

  /** A round trip that fails has not come to the older keys, so that they stay as they were. */
  private ProbeOutcome.@Nullable OldKeysUnreadable oldKeysAfter(PluginProbeResult result) {
    if (result.level() != ProbeLevel.DEEP) {
      return oldKeys;
    }
    return switch (result.outcome()) {
      case ProbeOutcome.Good _ -> null;
      case ProbeOutcome.OldKeysUnreadable unreadable -> unreadable;
      case ProbeOutcome.Suspect _, ProbeOutcome.Failing _ -> oldKeys;
    };
  }

  /** A failure that does not count yet neither changes the report nor makes it look fresh. */
  private PluginReport healthy(
      PluginProbeResult result,
      @Nullable String remoteKeyId,
      ProbeOutcome.@Nullable OldKeysUnreadable unreadable) {
    if (!result.isGood() && report != null && report.health() == ReportedHealth.HEALTHY) {
      return report;
    }
    var next = PluginReport.healthy(keyId, result.checkedAt(), remoteKeyId).withRole(role);
    return unreadable == null
        ? next
        : next.withUnreadableKeys(
            UnreadableKeys.named(unreadable.keyHashes().stream()), unreadable.finding().message());
  }

  private PluginReport failing(
      ProbeFinding finding, PluginProbeResult result, @Nullable String remoteKeyId) {
    var health =
        switch (finding.healthClass()) {
          case UNHEALTHY -> ReportedHealth.UNHEALTHY;
          case ERROR -> ReportedHealth.ERROR;
          case HEALTHY -> throw new IllegalArgumentException("not a failure: " + finding);
        };
    return PluginReport.failing(
            keyId, health, result.checkedAt(), remoteKeyId, finding.cause(), finding.message())
        .withRole(role);
  }

  private static @Nullable String knownKeyId(PluginState<ReportDebounce> state) {
    var status = state.lastStatus();
    return status == null || status.keyId().isEmpty() ? null : status.keyId();
  }

  private static @Nullable ProbeFinding findingOf(PluginProbeResult result) {
    return switch (result.outcome()) {
      case ProbeOutcome.Good _, ProbeOutcome.OldKeysUnreadable _ -> null;
      case ProbeOutcome.Suspect(var finding) -> finding;
      case ProbeOutcome.Failing(var finding) -> finding;
    };
  }

  Optional<PluginReport> currentReport() {
    return Optional.ofNullable(report);
  }
}
