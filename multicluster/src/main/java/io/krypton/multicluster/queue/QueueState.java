package io.krypton.multicluster.queue;

import java.time.Duration;

/**
 * A count of the keys in a queue.
 *
 * @param ready due, and waiting for a free worker
 * @param parked due, but their cluster is parked
 * @param delayed due later
 * @param running handed out
 * @param oldest how long the longest waiting of the ready keys has been due
 */
public record QueueState(int ready, int parked, int delayed, int running, Duration oldest) {}
