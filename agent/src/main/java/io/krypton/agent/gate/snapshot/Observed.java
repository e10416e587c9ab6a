package io.krypton.agent.gate.snapshot;

import io.krypton.kms.verdict.Confirmation;
import java.time.Duration;
import java.time.Instant;

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
 * @param kubeText what kube-apiserver says to the last answer of Status; empty without objection
 */
public record Observed(
    Confirmation confirmation,
    int attempts,
    Instant since,
    Instant lastProbe,
    Duration finished,
    Duration validFor,
    String keyIdHash,
    KubeStatus kubeText) {}
