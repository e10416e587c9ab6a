// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.harness;

import io.krypton.bench.harness.ProcessStats.CpuTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Measures the time that this machine really had. Where it is shared with others, the hypervisor
 * tells how long each processor was given to them though it had work here; such times come and go
 * within seconds, and one side of a comparison would pay for them by chance.
 */
public final class Stopwatch {
  private static final Path SYSTEM = Path.of("/proc/stat");
  private static final int STOLEN = 8;

  private final long begun = System.nanoTime();
  private final double stolenBefore;

  private Stopwatch(double stolenBefore) {
    this.stolenBefore = stolenBefore;
  }

  public static Stopwatch start() throws IOException {
    return new Stopwatch(stolen(Files.readString(SYSTEM)));
  }

  /** Seconds since the start, less those that were stolen. */
  public double seconds() throws IOException {
    var stolen = stolen(Files.readString(SYSTEM)) - stolenBefore;
    return (System.nanoTime() - begun) / 1e9 - stolen;
  }

  /** On average over all processors, since the system is up. */
  static double stolen(String stat) {
    var processors = stat.lines().filter(line -> line.matches("cpu\\d+ .*")).count();
    var all = stat.lines().findFirst().orElseThrow().split(" +");
    return Long.parseLong(all[STOLEN]) / CpuTime.TICKS_PER_SECOND / processors;
  }
}
