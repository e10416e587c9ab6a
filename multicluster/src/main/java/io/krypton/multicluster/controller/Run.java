package io.krypton.multicluster.controller;

import io.krypton.multicluster.queue.WorkKey;

/** One reconcile on one thread of its own, which can be told to end. */
final class Run {
  private final WorkKey key;
  private final Thread thread;
  private volatile boolean unwanted;

  Run(WorkKey key, Thread thread) {
    this.key = key;
    this.thread = thread;
  }

  WorkKey key() {
    return key;
  }

  void cancel() {
    unwanted = true;
    thread.interrupt();
  }

  /** It may go on to its end, but how it fails is of no interest any more. */
  void disown() {
    unwanted = true;
  }

  boolean isUnwanted() {
    return unwanted;
  }
}
