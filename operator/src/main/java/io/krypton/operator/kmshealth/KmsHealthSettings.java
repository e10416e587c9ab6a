package io.krypton.operator.kmshealth;

import io.krypton.operator.kmshealth.aggregate.GracePeriods;
import io.krypton.operator.kmshealth.summary.ClusterOperatorSyncer.SyncMode;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * How the aggregator works.
 *
 * @param clusters whether a cluster is looked at, by its name
 * @param discoveryInterval how often a cluster that serves nothing to look at is asked again
 * @param version ours
 */
public record KmsHealthSettings(
    Predicate<String> clusters,
    GracePeriods gracePeriods,
    String leaseNamespace,
    SyncMode statusSyncer,
    Duration discoveryInterval,
    String version) {}
