package io.krypton.multicluster.controller;

import io.krypton.multicluster.queue.WorkKey;

/** One reconcile on one thread of its own, which can be told to end. */
final class Run {
  private final WorkKey key;
  private final Thread thread;
  private volatile boolean cancelled;

  Run(WorkKey key, Thread thread) {
    this.key = key;
    this.thread = thread;
  }

  WorkKey key() {
    return key;
  }

  void cancel() {
    cancelled = true;
    thread.interrupt();
  }

  boolean isCancelled() {
    return cancelled;
  }
}
