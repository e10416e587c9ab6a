package io.krypton.operator.kmshealth.convergence;

import io.krypton.api.condition.Condition;
import io.krypton.api.kmshealth.Convergence;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is to be said about the key.
 *
 * @param condition still without its time
 * @param agreement to be remembered
 * @param stored to be written down; null if nothing was ever agreed on
 * @param nextChange when the verdict changes by the passing of time alone
 * @param reused a key came back that had been left before
 */
public record KeyVerdict(
    Condition condition,
    @Nullable Agreement agreement,
    @Nullable Convergence stored,
    Optional<Duration> nextChange,
    boolean reused) {}
