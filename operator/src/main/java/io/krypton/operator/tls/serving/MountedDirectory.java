// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.serving;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A directory as a kubelet mounts it: {@code ..data} leads to the files of the moment, and is
 * renamed over when they change. All files are read behind one look at that link, so that they
 * belong together. A directory without the link is read as it is.
 */
public record MountedDirectory(Path path) {
  private static final String DATA = "..data";
  private static final int TRIES = 5;

  /** The files that are there, of those asked for. */
  Map<String, byte[]> read(List<String> names, int maxBytes) throws InvalidTlsInputException {
    try {
      for (var tries = 0; tries < TRIES; tries++) {
        var data = currentData();
        var files = readIn(data, names, maxBytes);
        if (data.equals(currentData())) {
          return files;
        }
      }
      throw new InvalidTlsInputException(
          "unreadable", path + " changes faster than it can be read");
    } catch (IOException unreadable) {
      throw new InvalidTlsInputException(
          "unreadable",
          "%s cannot be read (%s)".formatted(path, unreadable.getClass().getSimpleName()));
    }
  }

  private Path currentData() throws IOException {
    var link = path.resolve(DATA);
    try {
      return Files.exists(link, LinkOption.NOFOLLOW_LINKS) ? link.toRealPath() : path;
    } catch (NoSuchFileException renamedMeanwhile) {
      return path;
    }
  }

  private static Map<String, byte[]> readIn(Path directory, List<String> names, int maxBytes)
      throws IOException, InvalidTlsInputException {
    var files = new HashMap<String, byte[]>();
    for (var name : names) {
      try (var in = Files.newInputStream(directory.resolve(name))) {
        var content = in.readNBytes(maxBytes + 1);
        if (content.length > maxBytes) {
          throw new InvalidTlsInputException(
              "oversized", "%s is larger than %d KiB".formatted(name, maxBytes / 1024));
        }
        files.put(name, content);
      } catch (NoSuchFileException | NotDirectoryException absent) {
        // Not there is an answer: it is missing in the result.
      }
    }
    return files;
  }
}
