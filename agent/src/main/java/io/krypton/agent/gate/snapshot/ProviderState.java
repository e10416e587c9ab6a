package io.krypton.agent.gate.snapshot;

import io.krypton.kms.verdict.Finding;
import io.krypton.kms.verdict.Verdict;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A provider as it counts at one moment.
 *
 * @param finding what is wrong, or only degraded if the verdict is OK
 * @param unknown why there is no result that counts; empty if there is one
 */
public record ProviderState(
    GateProvider provider,
    Verdict verdict,
    @Nullable Finding finding,
    String unknown,
    @Nullable Observed observed) {

  public boolean isOk() {
    return verdict == Verdict.OK;
  }

  /** OK so far, but the last probe failed. */
  public boolean isSuspect() {
    return observed != null && isOk() && observed.confirmation().suspect();
  }

  /** The reason for being OK with something missing. */
  public Optional<String> degraded() {
    return finding != null && isOk() && !isSuspect()
        ? Optional.of(finding.reason().word())
        : Optional.empty();
  }

  /** Whether a probe has come to any result at all. */
  public boolean isDecided() {
    return unknown.isEmpty();
  }

  /** The message of the finding, with the way to FATAL if it is on it. */
  public String message() {
    if (finding == null) {
      return unknown;
    }
    var progress = observed == null ? Optional.<String>empty() : observed.confirmation().progress();
    return finding.message() + progress.map(candidate -> "; " + candidate).orElse("");
  }

  public int attempts() {
    return observed == null || isOk() ? 0 : observed.attempts();
  }

  /** What a check says when it fails: always with the name of the provider. */
  public String text() {
    var who =
        "KMS provider \"%s\" (%s, %s, %s, %s): "
            .formatted(
                provider.name(),
                provider.checkName(),
                provider.api().word(),
                provider.role(),
                provider.address());
    if (finding == null) {
      return who + (unknown.isEmpty() ? "ok" : unknown);
    }
    var when =
        observed == null
            ? ""
            : " (attempt %d, since %s)".formatted(observed.attempts(), seconds(observed.since()));
    return "%s%s %s in %s: %s%s; hint: %s"
        .formatted(
            who,
            verdict,
            finding.reason().word(),
            finding.phase().word(),
            message(),
            when,
            finding.hint());
  }

  static String seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
