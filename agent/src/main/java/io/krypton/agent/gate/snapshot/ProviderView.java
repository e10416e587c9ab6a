package io.krypton.agent.gate.snapshot;

import io.krypton.kms.verdict.Finding;
import io.krypton.kms.verdict.Phase;
import io.krypton.kms.verdict.Reason;
import io.krypton.kms.verdict.Verdict;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A provider with all that is known of it; what it is worth depends on the time of asking. */
public record ProviderView(GateProvider provider, @Nullable Observed observed) {

  /** The state at a moment of the monotonic clock: an old result proves nothing. */
  public ProviderState at(Duration now) {
    var unusable = provider.configured().endpoint().whyUnusable();
    if (unusable.isPresent()) {
      var finding =
          new Finding(
              Reason.ADDRESS_UNUSABLE,
              Phase.ADDRESS,
              "",
              Verdict.FATAL,
              unusable.get(),
              Reason.ADDRESS_UNUSABLE.hint());
      return new ProviderState(provider, Verdict.FATAL, finding, "", observed);
    }
    if (observed == null || isUndecided(observed)) {
      return new ProviderState(provider, Verdict.WAIT, null, "not probed yet", observed);
    }
    var age = now.minus(observed.finished());
    if (age.compareTo(observed.validFor()) > 0) {
      var stale = "stale: last probe finished %ds ago".formatted(age.toSeconds());
      return new ProviderState(provider, Verdict.WAIT, null, stale, observed);
    }
    var confirmation = observed.confirmation();
    var found = Hints.improve(provider, confirmation.finding(), confirmation.verdict());
    return new ProviderState(provider, confirmation.verdict(), found, "", observed);
  }

  /** Status was good, and the first round trip is under way. */
  private static boolean isUndecided(Observed observed) {
    var confirmation = observed.confirmation();
    return confirmation.verdict() == Verdict.WAIT && confirmation.finding() == null;
  }
}
