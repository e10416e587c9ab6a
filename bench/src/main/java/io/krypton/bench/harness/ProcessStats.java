// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the kernel says about a process. */
public record ProcessStats(int threads, long residentKib, long peakKib) {
  private static final double KIB_PER_MIB = 1024;

  public static ProcessStats of(ProcessHandle process) throws IOException {
    var threads = 0;
    var resident = 0L;
    var peak = 0L;
    for (var line : Files.readAllLines(Path.of("/proc", String.valueOf(process.pid()), "status"))) {
      if (line.startsWith("Threads:")) {
        threads = (int) number(line);
      } else if (line.startsWith("VmRSS:")) {
        resident = number(line);
      } else if (line.startsWith("VmHWM:")) {
        peak = number(line);
      }
    }
    return new ProcessStats(threads, resident, peak);
  }

  public double residentMib() {
    return residentKib / KIB_PER_MIB;
  }

  public double peakMib() {
    return peakKib / KIB_PER_MIB;
  }

  private static long number(String line) {
    return Long.parseLong(line.replaceAll("\\D", ""));
  }

  /**
   * Processor seconds so far.
   *
   * @param own of the process itself
   * @param children of those of its children that have ended and were waited for; with {@link
   *     #ofTree} of those that live, too
   */
  public record CpuTime(double own, double children) {
    /** The kernel counts in hundredths for user space, whatever its own clock does. */
    static final double TICKS_PER_SECOND = 100;

    private static final int USER = 11;

    public static CpuTime of(long pid) throws IOException {
      return parse(Files.readString(Path.of("/proc", Long.toString(pid), "stat")));
    }

    /**
     * As {@link #of}, but those of its descendants that live count as children too. To be asked
     * while none starts or ends: what one used moves to its parent in that moment.
     */
    public static CpuTime ofTree(ProcessHandle process) throws IOException {
      var all = of(process.pid());
      for (var descendant : process.descendants().toList()) {
        all = all.withDescendant(of(descendant.pid()));
      }
      return all;
    }

    CpuTime withDescendant(CpuTime descendant) {
      return new CpuTime(own, children + descendant.own + descendant.children);
    }

    /** The name in parentheses may hold anything, so fields are counted from behind it. */
    static CpuTime parse(String stat) {
      var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      return new CpuTime(seconds(fields, USER), seconds(fields, USER + 2));
    }

    private static double seconds(String[] fields, int at) {
      return (Long.parseLong(fields[at]) + Long.parseLong(fields[at + 1])) / TICKS_PER_SECOND;
    }

    public double all() {
      return own + children;
    }

    public CpuTime minus(CpuTime before) {
      return new CpuTime(own - before.own, children - before.children);
    }
  }
}
