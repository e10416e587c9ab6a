// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.harness;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The most memory that a process and all its descendants had in one moment: what is resident of
 * each, added up several times a second. The sum of their peaks would miss those that have ended,
 * and add up what never was there together.
 */
public final class MemoryWatch implements AutoCloseable {
  /** Each look at all processes of a machine takes some milliseconds. */
  private static final Duration INTERVAL = Duration.ofMillis(250);

  private final ProcessHandle process;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile Resident peak = new Resident(0, 0);

  /**
   * In MiB.
   *
   * @param together of the process and its descendants
   * @param descendants of these alone
   */
  public record Resident(double together, double descendants) {
    /** At this moment. */
    public static Resident of(ProcessHandle process) {
      var others = process.descendants().mapToDouble(Resident::residentMib).sum();
      return new Resident(residentMib(process) + others, others);
    }

    private static double residentMib(ProcessHandle process) {
      try {
        return ProcessStats.of(process).residentMib();
      } catch (IOException hasEnded) {
        return 0;
      }
    }

    /** The larger one of each, which may be of two moments. */
    Resident max(Resident other) {
      return new Resident(
          Math.max(together, other.together), Math.max(descendants, other.descendants));
    }
  }

  private MemoryWatch(ProcessHandle process) {
    this.process = process;
  }

  public static MemoryWatch start(ProcessHandle process) {
    var memoryWatch = new MemoryWatch(process);
    Thread.ofPlatform().name("memory-watch").daemon().start(memoryWatch::watch);
    return memoryWatch;
  }

  /** So far. */
  public Resident peak() {
    return peak;
  }

  private void watch() {
    try {
      while (process.isAlive() && !ended.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
        peak = peak.max(Resident.of(process));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    ended.countDown();
  }
}
