package io.krypton.operator.kmshealth.convergence;

import io.krypton.api.condition.Condition;
import io.krypton.api.kmshealth.Convergence;
import io.krypton.operator.kmshealth.evidence.Moment;
import java.time.Duration;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything the decision about convergence looks at.
 *
 * @param writeKey the plugin configuration that encrypts
 * @param claims of each expected node
 * @param learned nobody says which nodes must report, so there may be others
 * @param agreement that stood before; null if none, or after a start
 * @param stored what an earlier process left; null if nothing
 * @param published the condition as it is now; null if there is none
 */
public record KeyFacts(
    WriteKey writeKey,
    SortedMap<String, Claim> claims,
    boolean learned,
    @Nullable Agreement agreement,
    boolean firstLook,
    @Nullable Convergence stored,
    @Nullable Condition published,
    Duration convergedFor,
    Moment now) {}
