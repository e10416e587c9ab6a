// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * What of the memory goes to whom. The number of processors says what would be useful, the memory
 * what is possible: a container with a small limit shows all processors of its node.
 *
 * @param cli Helm processes at once, and what each may have before it collects its garbage
 * @param worker operations at once, and what the worker may have for all of them
 * @param workers reconciles at once
 */
public record MemoryPlan(Share cli, Share worker, int workers) {
  private static final long MIB = 1L << 20;

  /** What this program needs besides its heap: classes, code, threads, buffers. */
  private static final long BESIDES_HEAP = 160;

  /** A manifest of some megabytes, taken apart. */
  private static final long RECONCILE = 8;

  private static final int FEWEST_RECONCILES = 4;
  private static final int MOST_RECONCILES = 32;

  /** What an engine may use. */
  public record Share(int operations, int megabytes) {}

  /** For this process, with as many operations as are useful and possible. */
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
    // More than processors: an operation mostly waits for a server, and a hook for its Job.
    var useful = Math.max(8, 2 * processors);
    return new MemoryPlan(
        CliPart.share(rest, useful),
        WorkerPart.share(rest, useful),
        Math.clamp(heap / MIB / RECONCILE, FEWEST_RECONCILES, MOST_RECONCILES));
  }

  /** With a number that somebody chose: each process gets its part, but never too little. */
  public MemoryPlan withOperations(int chosen) {
    var rest = rest(MemoryLimit.ofThisProcess(), Runtime.getRuntime().maxMemory());
    return new MemoryPlan(
        new Share(chosen, CliPart.each(rest - CliPart.PROGRAM, chosen)),
        new Share(chosen, WorkerPart.all(rest, chosen)),
        workers);
  }

  private static long rest(OptionalLong limit, long heap) {
    return (limit.orElse(4 * heap) - heap) / MIB - BESIDES_HEAP;
  }

  /** One process for each operation. */
  private static final class CliPart {
    /** The pages of the Helm program itself, which all its processes share. */
    private static final long PROGRAM = 64;

    /** A small chart does with it; less only makes it collect garbage all the time. */
    private static final int LEAST = 64;

    private static final int MOST = 128;

    /** What a process has besides the memory that its language looks after. */
    private static final int BESIDES_LIMIT = 16;

    static Share share(long rest, int useful) {
      var forProcesses = rest - PROGRAM;
      // One more may download a chart meanwhile.
      var possible = forProcesses / (LEAST + BESIDES_LIMIT) - 1;
      var processes = Math.clamp(possible, 1, useful);
      return new Share(processes, each(forProcesses, processes));
    }

    static int each(long forProcesses, int processes) {
      return Math.clamp(forProcesses / (processes + 1L) - BESIDES_LIMIT, LEAST, MOST);
    }
  }

  /** One process for all operations. */
  private static final class WorkerPart {
    /** A fresh worker with its program, while the one before ends its last operations. */
    private static final long SECOND = 80;

    /** The program, and what it knows of charts and of the APIs of clusters. */
    private static final long BASE = 64;

    /** A release as large as a cluster can store, unpacked, rendered, packed and sent. */
    private static final long OPERATION = 24;

    private static final int LEAST = 96;

    static Share share(long rest, int useful) {
      var megabytes = all(rest, useful);
      var possible = (megabytes - BASE) / OPERATION;
      return new Share(Math.clamp(possible, 1, useful), megabytes);
    }

    static int all(long rest, int operations) {
      return (int) Math.clamp(rest - SECOND, LEAST, Math.max(LEAST, BASE + OPERATION * operations));
    }
  }

  /**
   * How much memory this process and its children may have together: the lowest limit of the
   * control groups that they are in, version 1 or 2, and what the machine has. The JDK knows it for
   * its own heap and keeps it to itself.
   */
  public static final class MemoryLimit {
    /** Version 1 says "no limit" with the largest number of whole pages. */
    private static final long NONE = 1L << 60;

    private final Path root;

    private MemoryLimit(Path root) {
      this.root = root;
    }

    /** In bytes; empty on a system that does not tell. */
    public static OptionalLong ofThisProcess() {
      return in(Path.of("/"));
    }

    /** As seen below a directory that holds {@code proc} and {@code sys}. */
    static OptionalLong in(Path root) {
      return new MemoryLimit(root).lowest();
    }

    private OptionalLong lowest() {
      var groups = lines("proc/self/cgroup").stream().map(line -> line.split(":", 3));
      return LongStream.concat(
              groups.filter(parts -> parts.length == 3).flatMapToLong(this::limits), machine())
          .filter(limit -> limit > 0 && limit < NONE)
          .min();
    }

    private LongStream limits(String[] group) {
      if (group[1].isEmpty()) {
        return limits("sys/fs/cgroup", group[2], "memory.max");
      }
      return Arrays.asList(group[1].split(",")).contains("memory")
          ? limits("sys/fs/cgroup/memory", group[2], "memory.limit_in_bytes")
          : LongStream.empty();
    }

    /** Of the group and all above it; in a container only the mount itself is to be seen. */
    private LongStream limits(String mount, String group, String file) {
      var top = root.resolve(mount);
      var own = top.resolve(group.replaceFirst("^/+", "")).normalize();
      return Stream.iterate(own, at -> at.startsWith(top), Path::getParent)
          .flatMap(at -> lines(at.resolve(file)).stream())
          .flatMapToLong(MemoryLimit::number);
    }

    private LongStream machine() {
      return lines("proc/meminfo").stream()
          .filter(line -> line.startsWith("MemTotal:"))
          .flatMapToLong(line -> number(line.replaceAll("\\D", "")).map(kib -> kib * 1024));
    }

    private static LongStream number(String text) {
      return text.strip().matches("\\d{1,18}")
          ? LongStream.of(Long.parseLong(text.strip()))
          : LongStream.empty();
    }

    private List<String> lines(String file) {
      return lines(root.resolve(file));
    }

    private static List<String> lines(Path file) {
      try {
        return Files.isReadable(file) ? Files.readAllLines(file) : List.of();
      } catch (IOException gone) {
        return List.of(); // Groups come and go; the others still count.
      }
    }
  }
}
