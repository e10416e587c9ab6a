// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** Directories of one sandbox, demo or measurement, which go with it. */
public final class Directories {
  private Directories() {}

  /** With all that is in it. One that is missing is no trouble. */
  public static void delete(Path directory) throws IOException {
    if (Files.notExists(directory)) {
      return;
    }
    try (var files = Files.walk(directory)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
