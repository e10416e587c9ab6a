// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak.check;

import io.krypton.bench.harness.ProcessStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * How much an operator holds on to, after a collection of its garbage.
 *
 * @param heapMib what is alive in the heap
 * @param workers how many Helm workers it has
 * @param workerMib what they hold together
 */
public record Vitals(
    int threads, double heapMib, double residentMib, int workers, double workerMib) {
  private static final Pattern LIVE = Pattern.compile("(?m)^Total +\\d+ +(\\d+)");
  private static final Pattern THREAD = Pattern.compile("(?m)^\"([^\"]*)\" ");
  private static final double BYTES_PER_MIB = 1024 * 1024;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** What a fleet that has just been taken over may differ by from one that is known for long. */
  private static final double HEAP_RATIO = 1.5;

  private static final double HEAP_SPARE_MIB = 8;

  /** One that has just been started knows no chart and no cluster. */
  private static final double WORKER_SPARE_MIB = 64;

  /** The JVM keeps a dozen carriers of virtual threads for a while that work once needed. */
  private static final int THREADS_SPARE = 24;

  /** Empty for a process that stands still or has ended. */
  public static Optional<Vitals> of(ProcessHandle operator)
      throws IOException, InterruptedException {
    // It collects garbage first; all other answers count what was allocated since.
    var heap = jcmd(operator, "GC.class_histogram").map(Vitals::heapMib);
    if (heap.isEmpty() || !operator.isAlive()) {
      return Optional.empty();
    }
    var stats = ProcessStats.of(operator);
    var workers = operator.descendants().toList();
    return Optional.of(
        new Vitals(
            stats.threads(),
            heap.get(),
            stats.residentMib(),
            workers.size(),
            workers.stream().mapToDouble(Vitals::residentMib).sum()));
  }

  /** It may be replaced at any time. */
  private static double residentMib(ProcessHandle worker) {
    try {
      return ProcessStats.of(worker).residentMib();
    } catch (IOException gone) {
      return 0;
    }
  }

  /** All live objects together, as the JVM counts them. */
  static double heapMib(String histogram) {
    return LIVE.matcher(histogram).results().mapToLong(it -> Long.parseLong(it.group(1))).sum()
        / BYTES_PER_MIB;
  }

  /** Whether this is not much more than what a fresh operator needs for the same fleet; pure. */
  public List<String> comparedWith(Vitals fresh) {
    var violations = new ArrayList<String>();
    if (threads > fresh.threads + THREADS_SPARE) {
      violations.add("%d threads, a fresh one has %d".formatted(threads, fresh.threads));
    }
    if (heapMib > fresh.heapMib * HEAP_RATIO + HEAP_SPARE_MIB) {
      violations.add("%.1f MiB of heap, a fresh one has %.1f".formatted(heapMib, fresh.heapMib));
    }
    if (workers > 1) {
      violations.add("%d Helm workers at rest".formatted(workers));
    }
    if (workerMib > fresh.workerMib + WORKER_SPARE_MIB) {
      violations.add(
          "%.1f MiB of the Helm worker, a fresh one has %.1f"
              .formatted(workerMib, fresh.workerMib));
    }
    return violations;
  }

  /** How many threads of each name there are, numbers in names left out. */
  public static String threadNames(ProcessHandle operator)
      throws IOException, InterruptedException {
    var counts = new TreeMap<String, Integer>();
    THREAD
        .matcher(jcmd(operator, "Thread.print").orElse(""))
        .results()
        .forEach(it -> counts.merge(it.group(1).replaceAll("\\d+", "*"), 1, Integer::sum));
    return counts.toString();
  }

  private static Optional<String> jcmd(ProcessHandle operator, String command)
      throws IOException, InterruptedException {
    var answer = Files.createTempFile("krypton-soak", ".jcmd");
    try {
      var program = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
      var process =
          new ProcessBuilder(program, Long.toString(operator.pid()), command)
              .redirectErrorStream(true)
              .redirectOutput(answer.toFile())
              .start();
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
        return Optional.empty();
      }
      return process.exitValue() == 0 ? Optional.of(Files.readString(answer)) : Optional.empty();
    } finally {
      Files.delete(answer);
    }
  }
}
