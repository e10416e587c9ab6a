package io.krypton.multicluster.queue;

import java.time.Duration;

/**
 * A key that now belongs to the taker, until the taker ends it.
 *
 * @param failures how often in a row the key has failed before
 * @param waited how long it was due before it was handed out
 */
public record Handout(WorkKey key, int failures, Duration waited) {}
