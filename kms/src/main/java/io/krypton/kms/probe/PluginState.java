package io.krypton.kms.probe;

import org.jspecify.annotations.Nullable;

/**
 * All that is known of one plugin at one moment.
 *
 * @param lastDeep empty until the first round trip is done
 * @param judgement what the timetable makes of it
 */
public record PluginState<J>(
    PluginSpec plugin,
    @Nullable ProbeResult lastStatus,
    @Nullable ProbeResult lastDeep,
    J judgement) {}
