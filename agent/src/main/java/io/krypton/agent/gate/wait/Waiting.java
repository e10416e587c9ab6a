package io.krypton.agent.gate.wait;

import io.krypton.agent.gate.probing.Gatekeeper;
import io.krypton.agent.gate.settings.GateSettings;
import io.krypton.agent.gate.settings.OnFatal;
import io.krypton.agent.gate.snapshot.Judgement;
import io.krypton.kms.encryption.ConfigurationWatch;
import io.krypton.kms.probe.Ticker;
import io.krypton.kms.verdict.Verdict;
import java.time.Clock;
import java.time.Duration;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A gate that is waited for, from the first probe to the decision. */
public final class Waiting implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Waiting.class);
  private static final Duration POLL = Duration.ofSeconds(1);

  private final GateSettings settings;
  private final Ticker ticker = Ticker.system();
  private final Gatekeeper gatekeeper;

  public Waiting(GateSettings settings) {
    this.settings = settings;
    this.gatekeeper = new Gatekeeper(settings, Clock.systemUTC(), ticker);
  }

  /** Returns with a decision other than to go on. */
  public Decision run() throws InterruptedException {
    gatekeeper.start();
    try (var _ =
        ConfigurationWatch.start(
            settings.configuration(), settings.readOptions(), poll(), gatekeeper::read)) {
      return decide();
    }
  }

  private Duration poll() {
    return settings.configPoll().compareTo(POLL) < 0 ? settings.configPoll() : POLL;
  }

  private Decision decide() throws InterruptedException {
    var progress = new ProgressLog(gatekeeper.now());
    var rounds = OkRounds.NONE;
    while (true) {
      var now = gatekeeper.now();
      var judgement = gatekeeper.snapshot().at(now);
      var counted = settings.onFatal() == OnFatal.PASS ? judgement.passingFatal() : judgement;
      rounds = rounds.after(counted, now);
      var decision = Decision.whatNext(settings, judgement, rounds.count(), elapsed());
      if (decision != Decision.GO_ON) {
        warnOfPassedOver(judgement);
        return decision;
      }
      progress.tell(counted, now);
      gatekeeper.awaitChange(untilNextLook());
    }
  }

  private void warnOfPassedOver(Judgement judgement) {
    if (settings.onFatal() != OnFatal.PASS) {
      return;
    }
    judgement.required().stream()
        .filter(state -> state.verdict() == Verdict.FATAL)
        .forEach(state -> LOG.warn("passing in spite of: {}", state.text()));
  }

  private Duration untilNextLook() {
    var left = settings.maxWait().minus(elapsed());
    var bounded = settings.maxWait().isPositive() && left.compareTo(POLL) < 0;
    return bounded && left.isPositive() ? left : POLL;
  }

  private Duration elapsed() {
    return ticker.now();
  }

  /** The end of it, or the state of things when it was stopped. */
  public TerminationReport report(String verdict, int exit) {
    var judgement = gatekeeper.snapshot().at(gatekeeper.now());
    return new TerminationReport(
        settings.mode().command(),
        verdict,
        exit,
        elapsed(),
        judgement.configuration().hash(),
        judgement.complaint(),
        judgement.providers());
  }

  /** What keeps it closed, one sentence for each cause. */
  public String whatIsWrong() {
    var judgement = gatekeeper.snapshot().at(gatekeeper.now());
    if (!judgement.complaint().isEmpty()) {
      return judgement.complaint();
    }
    return judgement.required().stream()
        .filter(state -> !state.isOk())
        .map(state -> state.text())
        .collect(Collectors.joining("\n"));
  }

  @Override
  public void close() {
    gatekeeper.close();
  }
}
