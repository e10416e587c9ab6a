package io.krypton.operator.helm;

import java.util.OptionalLong;

/**
 * What of the memory goes to whom. The number of processors says what would be useful, the memory
 * what is possible: a container with a small limit shows all processors of its node.
 *
 * @param processes Helm processes at once
 * @param megabytes what one of them may have before it collects its garbage
 * @param workers reconciles at once
 */
public record MemoryPlan(int processes, int megabytes, int workers) {
  private static final long MIB = 1L << 20;

  /** What this program needs besides its heap: classes, code, threads, buffers. */
  private static final long BESIDES_HEAP = 160;

  /** The pages of the Helm program itself, which all its processes share. */
  private static final long PROGRAM = 64;

  /** A small chart does with it; less only makes it collect garbage all the time. */
  private static final int LEAST = 64;

  private static final int MOST = 128;

  /** What a process has besides the memory that its language looks after. */
  private static final int BESIDES_LIMIT = 16;

  /** A manifest of some megabytes, taken apart. */
  private static final long WORKER = 8;

  private static final int FEWEST_WORKERS = 4;
  private static final int MOST_WORKERS = 32;

  /** For this process, with as many Helm processes as are useful and possible. */
  public static MemoryPlan ofThisProcess() {
    var runtime = Runtime.getRuntime();
    return of(MemoryLimit.ofThisProcess(), runtime.maxMemory(), runtime.availableProcessors());
  }

  /**
   * A plan.
   *
   * @param limit of the memory in bytes; without one the heap tells, which is a quarter of it
   * @param heap the most that the heap may have, in bytes
   */
  static MemoryPlan of(OptionalLong limit, long heap, int processors) {
    var rest = rest(limit, heap);
    // One more may download a chart meanwhile.
    var possible = rest / (LEAST + BESIDES_LIMIT) - 1;
    var processes = (int) Math.clamp(possible, 1, Math.max(8, 2L * processors));
    return new MemoryPlan(
        processes,
        each(rest, processes),
        Math.clamp(heap / MIB / WORKER, FEWEST_WORKERS, MOST_WORKERS));
  }

  /** With a number of processes that somebody chose; each gets its part, but never too little. */
  public MemoryPlan withProcesses(int chosen) {
    return chosen == processes
        ? this
        : new MemoryPlan(
            chosen,
            each(rest(MemoryLimit.ofThisProcess(), Runtime.getRuntime().maxMemory()), chosen),
            workers);
  }

  private static long rest(OptionalLong limit, long heap) {
    return (limit.orElse(4 * heap) - heap) / MIB - BESIDES_HEAP - PROGRAM;
  }

  private static int each(long rest, int processes) {
    return Math.clamp(rest / (processes + 1L) - BESIDES_LIMIT, LEAST, MOST);
  }
}
