// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.serving;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;

/** Writes files as a kubelet does: a new directory, then a rename of the link that leads to it. */
final class KubeletDirectory {
  private final Path directory;
  private int versions;

  KubeletDirectory(Path directory) throws IOException {
    this.directory = Files.createDirectories(directory);
  }

  Path path() {
    return directory;
  }

  void swap(Map<String, byte[]> files) throws IOException {
    var data = directory.resolve("..data");
    var before = Files.exists(data) ? data.toRealPath() : null;
    var next = Files.createDirectory(directory.resolve("..version-%d".formatted(versions++)));
    for (var file : files.entrySet()) {
      Files.write(next.resolve(file.getKey()), file.getValue());
      var link = directory.resolve(file.getKey());
      if (!Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
        Files.createSymbolicLink(link, Path.of("..data", file.getKey()));
      }
    }
    var link = Files.createSymbolicLink(directory.resolve("..data_tmp"), next.getFileName());
    Files.move(link, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    if (before != null) {
      try (var old = Files.list(before)) {
        for (var file : old.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(before);
    }
  }
}
