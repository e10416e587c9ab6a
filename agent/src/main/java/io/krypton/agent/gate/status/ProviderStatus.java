// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.status;

import io.krypton.kms.health.ProbeFinding;
import io.krypton.kms.health.Verdict;
import io.krypton.kms.health.VerdictDebounce;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A provider as it counts at one moment.
 *
 * @param finding what is wrong, or only degraded if the verdict is OK
 * @param unknownReason why there is no result that counts; empty if there is one
 */
public record ProviderStatus(
    GateProvider provider,
    Verdict verdict,
    @Nullable ProbeFinding finding,
    String unknownReason,
    @Nullable Observation observation) {

  public boolean isOk() {
    return verdict == Verdict.OK;
  }

  /** OK so far, but the last probe failed. */
  public boolean isSuspect() {
    return observation != null && isOk() && observation.confirmation().suspect();
  }

  /** The reason for being OK with something missing. */
  public Optional<String> degraded() {
    return finding != null && isOk() && !isSuspect()
        ? Optional.of(finding.reason().value())
        : Optional.empty();
  }

  /** Whether a probe has come to any result at all. */
  public boolean hasResult() {
    return unknownReason.isEmpty();
  }

  /** The message of the finding, with the way to FATAL if it is on it. */
  public String message() {
    if (finding == null) {
      return unknownReason;
    }
    var progress =
        observation == null ? Optional.<String>empty() : observation.confirmation().progress();
    return finding.message() + progress.map(candidate -> "; " + candidate).orElse("");
  }

  public int attempts() {
    return observation == null || isOk() ? 0 : observation.attempts();
  }

  /** What a check says when it fails: always with the name of the provider. */
  public String text() {
    var who =
        "KMS provider \"%s\" (%s, %s, %s, %s): "
            .formatted(
                provider.name(),
                provider.checkName(),
                provider.api().value(),
                provider.role(),
                provider.address());
    if (finding == null) {
      return who + (unknownReason.isEmpty() ? "ok" : unknownReason);
    }
    var when =
        observation == null
            ? ""
            : " (attempt %d, since %s)"
                .formatted(observation.attempts(), formatSeconds(observation.since()));
    return "%s%s %s in %s: %s%s; hint: %s"
        .formatted(
            who,
            verdict,
            finding.reason().value(),
            finding.phase().value(),
            message(),
            when,
            finding.hint());
  }

  static String formatSeconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /**
   * What probes of a provider have brought so far.
   *
   * @param confirmation what is believed
   * @param attempts failures in a row
   * @param since when it began to be as it is: good, or failing
   * @param lastProbe the wall clock when the last probe began
   * @param finished the monotonic clock when it ended
   * @param validFor how long after that the result counts
   * @param keyIdHash of the key in use; empty if there is none
   * @param kubeStatus what kube-apiserver says to the last answer of Status; empty without
   *     objection
   */
  public record Observation(
      VerdictDebounce confirmation,
      int attempts,
      Instant since,
      Instant lastProbe,
      Duration finished,
      Duration validFor,
      String keyIdHash,
      KubeStatus kubeStatus) {}
}
