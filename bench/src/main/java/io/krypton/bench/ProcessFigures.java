package io.krypton.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the kernel says about a process. */
record ProcessFigures(int threads, long residentKib, long peakKib) {

  static ProcessFigures of(ProcessHandle process) throws IOException {
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

  private static long number(String line) {
    return Long.parseLong(line.replaceAll("\\D", ""));
  }
}
