// SPDX-License-Identifier: Apache-2.0
package io.krypton.image;

import io.krypton.base.crypto.Sha256;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The files that will be an image. Each is claimed once, by the component that it belongs to; what
 * nobody claims must not be shipped.
 */
final class ImageRoot {
  /** A file by its path in the image; a link has no sum of its own. */
  record Entry(String path, Optional<String> sha256) {}

  private final Path directory;
  private final TreeSet<String> unclaimed = new TreeSet<>();

  private ImageRoot(Path directory) {
    this.directory = directory;
  }

  static ImageRoot of(Path directory) throws IOException {
    var root = new ImageRoot(directory);
    try (var files = Files.walk(directory)) {
      files
          .filter(file -> Files.isSymbolicLink(file) || !Files.isDirectory(file))
          .forEach(file -> root.unclaimed.add("/" + directory.relativize(file)));
    }
    return root;
  }

  /** Takes the files with such paths that nobody has claimed, in the order of their paths. */
  List<Entry> claim(Predicate<String> path) {
    var mine = unclaimed.stream().filter(path).toList();
    unclaimed.removeAll(mine);
    return mine.stream().map(this::entry).toList();
  }

  /** Adds a file that belongs to whoever writes it. */
  Entry write(String path, byte[] content) throws IOException {
    var file = file(path);
    Files.createDirectories(file.getParent());
    Files.write(file, content);
    unclaimed.remove(path);
    return entry(path);
  }

  List<String> unclaimed() {
    return List.copyOf(unclaimed);
  }

  Path file(String path) {
    return directory.resolve(path.substring(1));
  }

  private Entry entry(String path) {
    var file = file(path);
    return new Entry(
        path, Files.isSymbolicLink(file) ? Optional.empty() : Optional.of(sha256(file)));
  }

  private static String sha256(Path file) {
    try {
      return Sha256.hex(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** A file would be shipped without anybody knowing what it is or under which terms it comes. */
  static final class UncoveredFileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UncoveredFileException(String path, String remedy) {
      super(path + ": " + remedy);
    }
  }
}
