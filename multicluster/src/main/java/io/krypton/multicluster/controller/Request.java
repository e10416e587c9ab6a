package io.krypton.multicluster.controller;

import io.krypton.multicluster.queue.WorkKey;

/**
 * What to reconcile.
 *
 * @param failures how often in a row this key has failed before
 * @param run names this attempt in log lines
 */
public record Request(WorkKey key, int failures, String run) {}
