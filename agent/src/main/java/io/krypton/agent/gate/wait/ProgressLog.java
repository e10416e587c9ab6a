package io.krypton.agent.gate.wait;

import io.krypton.agent.gate.snapshot.Judgement;
import io.krypton.agent.gate.snapshot.ProviderState;
import io.krypton.kms.verdict.HealthClass;
import io.krypton.kms.verdict.Reason;
import io.krypton.kms.verdict.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says now and then what is still waited for, and after a minute what may never pass. */
public final class ProgressLog {
  private static final Logger LOG = LoggerFactory.getLogger(ProgressLog.class);
  private static final Duration SUMMARY = Duration.ofSeconds(30);
  private static final Duration FIRST_HINT = Duration.ofMinutes(1);
  private static final Duration NEXT_HINT = Duration.ofMinutes(10);

  private Duration wellUntil;
  private Duration nextSummary;
  private Duration nextHint;

  /** Begins to wait at a moment of the monotonic clock. */
  public ProgressLog(Duration start) {
    this.wellUntil = start;
    this.nextSummary = start.plus(SUMMARY);
    this.nextHint = start.plus(FIRST_HINT);
  }

  /** Tells what is due. */
  public void tell(Judgement judgement, Duration now) {
    if (judgement.overall() == Verdict.OK) {
      wellUntil = now;
      nextSummary = now.plus(SUMMARY);
      nextHint = now.plus(FIRST_HINT);
      return;
    }
    var failing = judgement.required().stream().filter(state -> !state.isOk()).toList();
    if (now.compareTo(nextSummary) >= 0) {
      nextSummary = now.plus(SUMMARY);
      LOG.info("still waiting: {}", summary(judgement, failing));
    }
    if (now.compareTo(nextHint) >= 0) {
      nextHint = now.plus(NEXT_HINT);
      deadlockHint(failing);
      permanentHint(failing, now.minus(wellUntil));
    }
  }

  /** Many plugins have one answer for everything, so a fault for ever looks like one for now. */
  private static void permanentHint(List<ProviderState> failing, Duration waited) {
    var answering =
        failing.stream()
            .filter(
                state ->
                    state.finding() != null
                        && state.finding().healthClass() == HealthClass.UNHEALTHY)
            .map(state -> state.provider().name())
            .collect(Collectors.joining(", "));
    if (!answering.isEmpty()) {
      LOG.warn(
          "{} answered with errors for {}s. This may be permanent: check the key, its policy and"
              + " the plugin's credentials at the KMS",
          answering,
          waited.toSeconds());
    }
  }

  private static String summary(Judgement judgement, List<ProviderState> failing) {
    return judgement.configuration().inUse() == null
        ? judgement.complaint()
        : failing.stream().map(ProviderState::text).collect(Collectors.joining("; "));
  }

  private static void deadlockHint(List<ProviderState> failing) {
    var missing =
        failing.stream()
            .filter(
                state ->
                    state.finding() != null && state.finding().reason() == Reason.SOCKET_MISSING)
            .map(state -> "%s of %s".formatted(state.provider().address(), state.provider().name()))
            .collect(Collectors.joining(", "));
    if (!missing.isEmpty()) {
      LOG.warn(
          "missing sockets: {}. Plugins must start without API server and pod network, as static"
              + " pods or as native sidecars listed before the gate; otherwise both wait for ever",
          missing);
    }
  }
}
