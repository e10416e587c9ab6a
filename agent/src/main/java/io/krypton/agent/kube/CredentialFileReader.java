// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.kube;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;

/** Reads credential files, remembers which ones were asked for, and quotes none of them. */
final class CredentialFileReader {
  private static final int MAX_BYTES = 1 << 20;

  private final Set<Path> requestedFiles = new LinkedHashSet<>();

  Set<Path> requestedFiles() {
    return requestedFiles;
  }

  /** The whole text of a file, or a reason why there is none yet. */
  String read(String what, Path file) throws UnusableCredentialsException {
    requestedFiles.add(file);
    try {
      // A device or a pipe could block or never end.
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        throw new UnusableCredentialsException("%s %s is not a regular file".formatted(what, file));
      }
      return decode(what, file, readBounded(what, file));
    } catch (NoSuchFileException e) {
      throw new UnusableCredentialsException("%s %s does not exist".formatted(what, file));
    } catch (IOException e) {
      throw new UnusableCredentialsException(
          "%s %s cannot be read: %s".formatted(what, file, e.getClass().getSimpleName()));
    }
  }

  private static byte[] readBounded(String what, Path file)
      throws IOException, UnusableCredentialsException {
    try (var in = Files.newInputStream(file)) {
      var bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new UnusableCredentialsException("%s %s is larger than 1 MiB".formatted(what, file));
      }
      return bytes;
    }
  }

  private static String decode(String what, Path file, byte[] bytes)
      throws UnusableCredentialsException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new UnusableCredentialsException("%s %s is not text".formatted(what, file));
    }
  }
}
