// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.wait;

import io.krypton.agent.gate.config.GateSettings;
import io.krypton.agent.gate.config.GateSettings.OnFatal;
import io.krypton.agent.gate.probe.GateController;
import io.krypton.agent.gate.status.GateStatus;
import io.krypton.kms.config.ConfigurationWatcher;
import io.krypton.kms.health.Verdict;
import io.krypton.kms.probe.Ticker;
import java.time.Clock;
import java.time.Duration;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A gate that is waited for, from the first probe to the decision. */
public final class GateWaiter implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(GateWaiter.class);
  private static final Duration POLL = Duration.ofSeconds(1);

  private final GateSettings settings;
  private final Ticker ticker = Ticker.system();
  private final GateController controller;

  public GateWaiter(GateSettings settings) {
    this.settings = settings;
    this.controller = new GateController(settings, Clock.systemUTC(), ticker);
  }

  /** Returns with a decision other than to go on. */
  public GateDecision run() throws InterruptedException {
    controller.start();
    try (var _ =
        ConfigurationWatcher.start(
            settings.configuration(),
            settings.readOptions(),
            poll(),
            controller::onConfiguration)) {
      return decide();
    }
  }

  private Duration poll() {
    return settings.configPoll().compareTo(POLL) < 0 ? settings.configPoll() : POLL;
  }

  private GateDecision decide() throws InterruptedException {
    var progress = new ProgressLog(controller.now());
    var rounds = ConsecutiveSuccesses.NONE;
    while (true) {
      var now = controller.now();
      var gateStatus = controller.snapshot().at(now);
      var counted =
          settings.onFatal() == OnFatal.PASS ? gateStatus.withFatalNotRequired() : gateStatus;
      rounds = rounds.after(counted, now);
      var gateDecision = GateDecision.whatNext(settings, gateStatus, rounds.count(), elapsed());
      if (gateDecision != GateDecision.GO_ON) {
        warnOfIgnoredFatal(gateStatus);
        return gateDecision;
      }
      progress.log(counted, now);
      controller.awaitChange(untilNextPoll());
    }
  }

  private void warnOfIgnoredFatal(GateStatus gateStatus) {
    if (settings.onFatal() != OnFatal.PASS) {
      return;
    }
    gateStatus.required().stream()
        .filter(state -> state.verdict() == Verdict.FATAL)
        .forEach(state -> log.warn("passing despite FATAL: {}", state.text()));
  }

  private Duration untilNextPoll() {
    var left = settings.maxWait().minus(elapsed());
    var bounded = settings.maxWait().isPositive() && left.compareTo(POLL) < 0;
    return bounded && left.isPositive() ? left : POLL;
  }

  private Duration elapsed() {
    return ticker.now();
  }

  /** The end of it, or the state of things when it was stopped. */
  public TerminationMessage terminationMessage(String verdict, int exit) {
    return TerminationMessage.of(
        settings, controller.snapshot().at(controller.now()), verdict, exit, elapsed());
  }

  /** What keeps it closed, one sentence for each cause. */
  public String failureMessage() {
    var gateStatus = controller.snapshot().at(controller.now());
    if (!gateStatus.configurationError().isEmpty()) {
      return gateStatus.configurationError();
    }
    return gateStatus.required().stream()
        .filter(state -> !state.isOk())
        .map(state -> state.text())
        .collect(Collectors.joining("\n"));
  }

  @Override
  public void close() {
    controller.close();
  }

  /**
   * Counts rounds in a row in which all required providers were OK, each from fresh probes.
   *
   * @param lastCounted the monotonic clock when the last one was counted
   */
  record ConsecutiveSuccesses(int count, Duration lastCounted) {
    static final ConsecutiveSuccesses NONE = new ConsecutiveSuccesses(0, Duration.ZERO);

    private static final Duration MIN_SPACING = Duration.ofSeconds(1);

    ConsecutiveSuccesses after(GateStatus gateStatus, Duration now) {
      if (gateStatus.overall() != Verdict.OK
          || gateStatus.required().stream().anyMatch(state -> state.isSuspect())) {
        return NONE;
      }
      return count == 0
              || (now.minus(lastCounted).compareTo(MIN_SPACING) >= 0 && isFresh(gateStatus))
          ? new ConsecutiveSuccesses(count + 1, now)
          : this;
    }

    private boolean isFresh(GateStatus gateStatus) {
      return gateStatus.required().stream()
          .allMatch(
              state ->
                  state.observation() != null
                      && state.observation().finished().compareTo(lastCounted) > 0);
    }
  }
}
