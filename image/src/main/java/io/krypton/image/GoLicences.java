package io.krypton.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The licences of Helm's modules and their texts, as {@code tools/licences} has written them. */
record GoLicences(String texts, SortedMap<String, Module> modules) {
  /** The standard library stands among the modules under this name. */
  static final String STANDARD_LIBRARY = "std";

  private static final String HEADING = "@@ ";

  /** A module as it was when its licences were read. */
  record Module(String version, String expression) {}

  static GoLicences read(Path file) throws IOException {
    var modules = new TreeMap<String, Module>();
    for (var line : Files.readAllLines(file)) {
      if (line.startsWith(HEADING)) {
        var fields = line.substring(HEADING.length()).split(" ", 3);
        modules.put(fields[0], new Module(fields[1], fields[2]));
      }
    }
    return new GoLicences(Files.readString(file), modules);
  }

  Optional<String> expression(String module) {
    return Optional.ofNullable(modules.get(module)).map(Module::expression);
  }
}
