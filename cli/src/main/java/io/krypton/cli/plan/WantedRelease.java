package io.krypton.cli.plan;

import io.krypton.operator.release.ReleaseName;
import io.krypton.operator.values.BaseValue;
import io.krypton.operator.values.Values;
import org.jspecify.annotations.Nullable;

/**
 * A release that an object asks for, with all layers of values merged.
 *
 * @param base what the chart gets beneath them, if it knows the key
 * @param annotated the fingerprint that the object holds from the last rollout
 */
record WantedRelease(
    String cluster,
    String object,
    ReleaseName name,
    String workspace,
    Values values,
    BaseValue base,
    @Nullable String annotated) {}
