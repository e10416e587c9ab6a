// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth;

import io.krypton.operator.kmshealth.aggregate.GracePeriods;
import io.krypton.operator.kmshealth.summary.ClusterOperatorSyncer.SyncMode;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * Settings of the aggregator.
 *
 * @param clusters whether a cluster is watched, by its name
 * @param discoveryInterval how often discovery is repeated on a cluster that serves no target
 * @param version ours
 */
public record KmsHealthSettings(
    Predicate<String> clusters,
    GracePeriods gracePeriods,
    String leaseNamespace,
    SyncMode statusSyncer,
    Duration discoveryInterval,
    String version) {}
