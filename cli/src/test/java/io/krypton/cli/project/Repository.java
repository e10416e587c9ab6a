// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.project;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Files by their path from the top of the repository. */
final class Repository {
  private static final Path ROOT = Path.of("..");

  private Repository() {}

  static Path file(String path) {
    return ROOT.resolve(path);
  }

  static String text(String path) throws IOException {
    return Files.readString(file(path));
  }

  static JsonNode yaml(String path) throws IOException {
    return new YAMLMapper().readTree(file(path).toFile());
  }

  /** All files of a directory and below, as paths from the top. */
  static List<String> below(String directory) throws IOException {
    try (var files = Files.walk(file(directory))) {
      return files
          .filter(Files::isRegularFile)
          .map(found -> ROOT.relativize(found).toString())
          .sorted()
          .toList();
    }
  }
}
