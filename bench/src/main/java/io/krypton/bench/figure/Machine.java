package io.krypton.bench.figure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/** Where the figures come from. */
public final class Machine {
  private static final double KIB_PER_GIB = 1024.0 * 1024.0;

  private Machine() {}

  /** What a reader must know to judge the figures. */
  public static Map<String, String> describe() throws IOException {
    var all = new LinkedHashMap<String, String>();
    all.put("Date", Instant.now().truncatedTo(ChronoUnit.MINUTES).toString());
    all.put(
        "Processor",
        "%d x %s"
            .formatted(
                Runtime.getRuntime().availableProcessors(), field("/proc/cpuinfo", "model name")));
    all.put(
        "Memory",
        "%.0f GiB"
            .formatted(
                Long.parseLong(field("/proc/meminfo", "MemTotal").replaceAll("\\D", ""))
                    / KIB_PER_GIB));
    all.put(
        "System",
        "%s %s %s"
            .formatted(
                System.getProperty("os.name"),
                System.getProperty("os.version").replaceFirst("-.*", ""),
                System.getProperty("os.arch")));
    all.put("Java", Runtime.version().toString());
    return all;
  }

  private static String field(String file, String name) throws IOException {
    return Files.readAllLines(Path.of(file)).stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("unknown");
  }
}
