package io.krypton.operator.release;

import io.krypton.operator.namespace.Owner;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.values.ChartValues;
import io.krypton.operator.release.values.ChartValues.DefaultValue;
import org.jspecify.annotations.Nullable;

/**
 * What an owner wants on one cluster.
 *
 * @param values all layers merged
 * @param base what the chart gets beneath them, if it knows the key
 * @param appliedFingerprint the fingerprint that the owner's annotation holds from the last success
 * @param reportedRevision the revision that the owner's status names from the last success, zero if
 *     none
 * @param forced one Helm run is asked for even if nothing changed
 * @param requested the owner changed, or a reconcile was requested
 * @param requestedAt when a user asked for a run that is not in the status yet
 * @param failures how often in a row it has failed before
 */
public record DesiredRelease(
    Owner owner,
    ReleaseName release,
    String workspace,
    ChartValues values,
    DefaultValue base,
    @Nullable String appliedFingerprint,
    int reportedRevision,
    boolean forced,
    boolean requested,
    @Nullable String requestedAt,
    int failures) {}
