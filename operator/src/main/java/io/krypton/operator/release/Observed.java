package io.krypton.operator.release;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known about a release now.
 *
 * @param live the history was read just now, not taken from a cache
 * @param annotated the fingerprint on the object from the last success, if there was one
 * @param reported the revision that the owner's status names; zero if it names none
 * @param lockedSince when we first saw the latest revision pending, by our own clock
 * @param running a Helm process of ours works on this release
 * @param drifted deployed objects differ from the manifest
 */
public record Observed(
    ReleaseHistory history,
    boolean live,
    @Nullable String annotated,
    int reported,
    Instant lockedSince,
    boolean running,
    boolean drifted) {}
