// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.wait;

import io.krypton.agent.gate.status.GateStatus;
import io.krypton.agent.gate.status.ProviderStatus;
import io.krypton.kms.health.HealthClass;
import io.krypton.kms.health.Reason;
import io.krypton.kms.health.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says now and then what is still waited for, and after a minute what may never pass. */
public final class ProgressLog {
  private static final Logger log = LoggerFactory.getLogger(ProgressLog.class);
  private static final Duration SUMMARY = Duration.ofSeconds(30);
  private static final Duration FIRST_HINT = Duration.ofMinutes(1);
  private static final Duration NEXT_HINT = Duration.ofMinutes(10);

  private Duration lastOk;
  private Duration nextSummary;
  private Duration nextHint;

  /** Begins to wait at a moment of the monotonic clock. */
  public ProgressLog(Duration start) {
    this.lastOk = start;
    this.nextSummary = start.plus(SUMMARY);
    this.nextHint = start.plus(FIRST_HINT);
  }

  /** Logs what is due. */
  public void log(GateStatus gateStatus, Duration now) {
    if (gateStatus.overall() == Verdict.OK) {
      lastOk = now;
      nextSummary = now.plus(SUMMARY);
      nextHint = now.plus(FIRST_HINT);
      return;
    }
    var failing = gateStatus.required().stream().filter(state -> !state.isOk()).toList();
    if (now.compareTo(nextSummary) >= 0) {
      nextSummary = now.plus(SUMMARY);
      log.info("still waiting: {}", summary(gateStatus, failing));
    }
    if (now.compareTo(nextHint) >= 0) {
      nextHint = now.plus(NEXT_HINT);
      deadlockHint(failing);
      permanentHint(failing, now.minus(lastOk));
    }
  }

  /** Many plugins have one error for everything, so a permanent fault may be reported as WAIT. */
  private static void permanentHint(List<ProviderStatus> failing, Duration waited) {
    var answering =
        failing.stream()
            .filter(
                state ->
                    state.finding() != null
                        && state.finding().healthClass() == HealthClass.UNHEALTHY)
            .map(state -> state.provider().name())
            .collect(Collectors.joining(", "));
    if (!answering.isEmpty()) {
      log.warn(
          "{} answered with errors for {}s. This may be permanent: check the key, its policy and"
              + " the plugin's credentials at the KMS",
          answering,
          waited.toSeconds());
    }
  }

  private static String summary(GateStatus gateStatus, List<ProviderStatus> failing) {
    return gateStatus.configuration().inUse() == null
        ? gateStatus.configurationError()
        : failing.stream().map(ProviderStatus::text).collect(Collectors.joining("; "));
  }

  private static void deadlockHint(List<ProviderStatus> failing) {
    var missing =
        failing.stream()
            .filter(
                state ->
                    state.finding() != null && state.finding().reason() == Reason.SOCKET_MISSING)
            .map(state -> "%s of %s".formatted(state.provider().address(), state.provider().name()))
            .collect(Collectors.joining(", "));
    if (!missing.isEmpty()) {
      log.warn(
          "missing sockets: {}. Plugins must start without API server and pod network, as static"
              + " pods or as native sidecars listed before the gate; otherwise both wait for ever",
          missing);
    }
  }
}
