package io.krypton.operator.kmshealth;

import io.krypton.operator.kmshealth.publish.StatusSyncer;
import io.krypton.operator.kmshealth.verdict.Patience;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * How the aggregator works.
 *
 * @param clusters whether a cluster is looked at, by its name
 * @param lookAgain how often a cluster that serves nothing to look at is asked again
 * @param version ours
 */
public record KmsHealthSettings(
    Predicate<String> clusters,
    Patience patience,
    String leaseNamespace,
    StatusSyncer statusSyncer,
    Duration lookAgain,
    String version) {}
