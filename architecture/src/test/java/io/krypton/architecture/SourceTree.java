// SPDX-License-Identifier: Apache-2.0
package io.krypton.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The files of all modules, by their path from the root of the project. */
final class SourceTree {
  private static final Path ROOT = Path.of("..");

  private SourceTree() {}

  /** The main code of all modules, without package descriptions. */
  static Map<String, String> mainCode() {
    return read(
        it ->
            it.contains("/src/main/java/")
                && it.endsWith(".java")
                && !it.endsWith("/package-info.java"));
  }

  /** Every file whose path the predicate accepts, except for what a build has made. */
  static Map<String, String> read(Predicate<String> wanted) {
    var found = new TreeMap<String, String>();
    try (var files = Files.walk(ROOT)) {
      for (var file : (Iterable<Path>) files::iterator) {
        var path = ROOT.relativize(file).toString();
        if (!path.contains("target/") && !path.startsWith(".") && wanted.test(path)) {
          found.put(path, Files.readString(file));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  /** {@code Rollout} of {@code operator/…/Rollout.java}. */
  static String simpleName(String path) {
    return path.substring(path.lastIndexOf('/') + 1).replace(".java", "");
  }
}
