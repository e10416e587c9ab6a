package io.krypton.operator.release;

import org.jspecify.annotations.Nullable;

/**
 * What is known about a release now.
 *
 * @param live the history was read just now, not taken from a cache
 * @param annotated the fingerprint on the object from the last success, if there was one
 * @param running a Helm process of ours works on this release
 * @param drifted deployed objects differ from the manifest
 */
public record Observed(
    ReleaseHistory history,
    boolean live,
    @Nullable String annotated,
    boolean running,
    boolean drifted) {}
