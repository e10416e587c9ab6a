package io.krypton.bench.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the kernel says about a process. */
public record ProcessFigures(int threads, long residentKib, long peakKib) {
  private static final double KIB_PER_MIB = 1024;

  public static ProcessFigures of(ProcessHandle process) throws IOException {
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
    return new ProcessFigures(threads, resident, peak);
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
}
