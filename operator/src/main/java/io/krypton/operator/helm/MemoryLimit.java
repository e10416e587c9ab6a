package io.krypton.operator.helm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * How much memory this process and its children may have together: the lowest limit of the control
 * groups that they are in, version 1 or 2, and what the machine has. The JDK knows it for its own
 * heap and keeps it to itself.
 */
public final class MemoryLimit {
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
