// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.wait;

import io.krypton.agent.gate.config.GateSettings;
import io.krypton.agent.gate.config.GateSettings.GateMode;
import io.krypton.agent.gate.config.GateSettings.OnFatal;
import io.krypton.agent.gate.status.GateStatus;
import io.krypton.agent.gate.status.ProviderStatus;
import io.krypton.kms.health.Verdict;
import java.time.Duration;

/** What a gate that is waited for does next. */
public enum GateDecision {
  GO_ON(-1, ""),
  OPEN(0, "ok"),
  BAD_CONFIGURATION(3, "config-invalid"),
  FATAL(4, "fatal"),
  GIVE_UP(5, "wait");

  private final int exitCode;
  private final String value;

  GateDecision(int exit, String value) {
    this.exitCode = exit;
    this.value = value;
  }

  public int exitCode() {
    return exitCode;
  }

  /** As the termination log has it. */
  public String value() {
    return value;
  }

  /**
   * Decides from what is known.
   *
   * @param okRounds how often in a row all required providers were OK
   * @param elapsed since the start
   */
  static GateDecision whatNext(
      GateSettings settings, GateStatus known, int okRounds, Duration elapsed) {
    var gateStatus = settings.onFatal() == OnFatal.PASS ? known.withFatalNotRequired() : known;
    var decided = byStatus(settings, gateStatus, okRounds);
    var tooLate = settings.maxWait().isPositive() && elapsed.compareTo(settings.maxWait()) >= 0;
    return decided == GO_ON && tooLate ? GIVE_UP : decided;
  }

  private static GateDecision byStatus(GateSettings settings, GateStatus gateStatus, int okRounds) {
    var pending = gateStatus.configuration().pending();
    if (pending != null && pending.invalid()) {
      return settings.waitForConfig() ? GO_ON : BAD_CONFIGURATION;
    }
    if (gateStatus.configuration().inUse() == null) {
      return GO_ON;
    }
    return settings.mode() == GateMode.CHECK
        ? afterOneRound(gateStatus)
        : whileWaiting(settings, gateStatus, okRounds);
  }

  private static GateDecision afterOneRound(GateStatus gateStatus) {
    return switch (gateStatus.overall()) {
      case OK -> OPEN;
      case FATAL -> FATAL;
      case WAIT ->
          gateStatus.required().stream().allMatch(ProviderStatus::hasResult) ? GIVE_UP : GO_ON;
    };
  }

  private static GateDecision whileWaiting(
      GateSettings settings, GateStatus gateStatus, int okRounds) {
    if (gateStatus.overall() == Verdict.FATAL && settings.onFatal() == OnFatal.EXIT) {
      return FATAL;
    }
    var nothingToProbe = gateStatus.required().isEmpty();
    return gateStatus.overall() == Verdict.OK
            && (nothingToProbe || okRounds >= settings.successThreshold())
        ? OPEN
        : GO_ON;
  }
}
