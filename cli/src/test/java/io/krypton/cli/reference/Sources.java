// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.reference;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The production code of some modules, as text. */
record Sources(List<String> modules) {
  /** The first group of a match, and where it stands. */
  record Found(Path file, String word) {
    @Override
    public String toString() {
      return "%s in %s".formatted(word, file.getFileName());
    }
  }

  static Sources of(String... modules) {
    return new Sources(List.of(modules));
  }

  Stream<Found> find(Pattern wanted) {
    return modules.stream()
        .map(module -> Path.of("..", module, "src", "main", "java"))
        .flatMap(Sources::walk)
        .filter(file -> file.toString().endsWith(".java"))
        .flatMap(
            file ->
                wanted.matcher(read(file)).results().map(match -> new Found(file, match.group(1))));
  }

  private static Stream<Path> walk(Path root) {
    try (var files = Files.walk(root)) {
      return files.toList().stream();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
