package io.krypton.cli.reference;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The production code of the modules that talk to users, as text. */
final class Sources {
  private static final List<String> MODULES = List.of("operator", "cli", "agent", "multicluster");

  private Sources() {}

  static Stream<MatchResult> find(Pattern wanted) {
    return files().map(Sources::read).flatMap(text -> wanted.matcher(text).results());
  }

  private static Stream<Path> files() {
    return MODULES.stream()
        .map(module -> Path.of("..", module, "src", "main", "java"))
        .flatMap(Sources::walk)
        .filter(file -> file.toString().endsWith(".java"))
        .filter(file -> !file.endsWith("OperatorMetric.java"));
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
