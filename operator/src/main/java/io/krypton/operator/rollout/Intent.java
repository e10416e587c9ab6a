package io.krypton.operator.rollout;

import io.krypton.operator.release.ReleaseName;
import io.krypton.operator.values.BaseValue;
import io.krypton.operator.values.Values;
import org.jspecify.annotations.Nullable;

/**
 * What an owner wants on one cluster.
 *
 * @param values all layers merged
 * @param base what the chart gets beneath them, if it knows the key
 * @param annotated the fingerprint that the owner's annotation holds from the last success
 * @param reported the revision that the owner's status names from the last success, zero if none
 * @param forced one Helm run is asked for even if nothing changed
 * @param asked the owner changed, or a look at it was asked for
 * @param request when a user asked for a run that is not in the status yet
 * @param failures how often in a row it has failed before
 */
public record Intent(
    Owner owner,
    ReleaseName release,
    String workspace,
    Values values,
    BaseValue base,
    @Nullable String annotated,
    int reported,
    boolean forced,
    boolean asked,
    @Nullable String request,
    int failures) {}
