// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Lets the run that has just changed a release wait a moment for what the watches are about to tell
 * of it. To ask the server instead costs a request, and to go on without it a second report.
 */
public final class ReleaseChanges {
  private final Map<String, Semaphore> waiting = new ConcurrentHashMap<>();

  /** A watch has told of a change. */
  public void changed(String namespace, String release) {
    var waiter = waiting.get(key(namespace, release));
    if (waiter != null) {
      waiter.release();
    }
  }

  /** Changes count from now on, until it is closed. For one run of a release at a time. */
  public Waiter waiter(String namespace, String release) {
    var key = key(namespace, release);
    var changes = new Semaphore(0);
    waiting.put(key, changes);
    return new Waiter(changes, () -> waiting.remove(key, changes));
  }

  private static String key(String namespace, String release) {
    return namespace + "/" + release;
  }

  /** One run that waits. */
  public static final class Waiter implements AutoCloseable {
    private final Semaphore changes;
    private final Runnable onClose;
    private final long since = System.nanoTime();

    private Waiter(Semaphore changes, Runnable onClose) {
      this.changes = changes;
      this.onClose = onClose;
    }

    /**
     * Waits for a change since the last call.
     *
     * @param limit of all calls together
     * @return false if it is reached
     */
    public boolean await(Duration limit) throws InterruptedException {
      var left = limit.toNanos() - (System.nanoTime() - since);
      var isChanged = left > 0 && changes.tryAcquire(left, TimeUnit.NANOSECONDS);
      changes.drainPermits();
      return isChanged;
    }

    @Override
    public void close() {
      onClose.run();
    }
  }
}
