package io.krypton.agent.gate.wait;

import io.krypton.agent.gate.settings.GateMode;
import io.krypton.agent.gate.settings.GateSettings;
import io.krypton.agent.gate.settings.OnFatal;
import io.krypton.agent.gate.snapshot.Judgement;
import io.krypton.agent.gate.snapshot.ProviderState;
import io.krypton.kms.verdict.Verdict;
import java.time.Duration;

/** What a gate that is waited for does next. */
public enum Decision {
  GO_ON(-1, ""),
  OPEN(0, "ok"),
  BAD_CONFIGURATION(3, "config-invalid"),
  FATAL(4, "fatal"),
  GIVE_UP(5, "wait");

  private final int exit;
  private final String word;

  Decision(int exit, String word) {
    this.exit = exit;
    this.word = word;
  }

  public int exit() {
    return exit;
  }

  /** As the termination log has it. */
  public String word() {
    return word;
  }

  /**
   * Decides from what is known.
   *
   * @param okRounds how often in a row all required providers were OK
   * @param elapsed since the start
   */
  static Decision whatNext(GateSettings settings, Judgement known, int okRounds, Duration elapsed) {
    var judgement = settings.onFatal() == OnFatal.PASS ? known.passingFatal() : known;
    var decided = byKnowledge(settings, judgement, okRounds);
    var tooLate = settings.maxWait().isPositive() && elapsed.compareTo(settings.maxWait()) >= 0;
    return decided == GO_ON && tooLate ? GIVE_UP : decided;
  }

  private static Decision byKnowledge(GateSettings settings, Judgement judgement, int okRounds) {
    var waiting = judgement.configuration().waiting();
    if (waiting != null && waiting.invalid()) {
      return settings.waitForConfig() ? GO_ON : BAD_CONFIGURATION;
    }
    if (judgement.configuration().inUse() == null) {
      return GO_ON;
    }
    return settings.mode() == GateMode.CHECK
        ? afterOneRound(judgement)
        : whileWaiting(settings, judgement, okRounds);
  }

  private static Decision afterOneRound(Judgement judgement) {
    return switch (judgement.overall()) {
      case OK -> OPEN;
      case FATAL -> FATAL;
      case WAIT ->
          judgement.required().stream().allMatch(ProviderState::isDecided) ? GIVE_UP : GO_ON;
    };
  }

  private static Decision whileWaiting(GateSettings settings, Judgement judgement, int okRounds) {
    if (judgement.overall() == Verdict.FATAL && settings.onFatal() == OnFatal.EXIT) {
      return FATAL;
    }
    var nothingToProbe = judgement.required().isEmpty();
    return judgement.overall() == Verdict.OK
            && (nothingToProbe || okRounds >= settings.successThreshold())
        ? OPEN
        : GO_ON;
  }
}
