package io.krypton.multicluster.queue;

import java.time.Duration;

/** When a failed key comes back, and how often in a row it has failed now. */
public record NextTry(int failures, Duration delay) {}
