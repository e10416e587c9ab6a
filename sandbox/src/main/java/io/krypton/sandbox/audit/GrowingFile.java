package io.krypton.sandbox.audit;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Whole lines of a file that somebody else is still appending to. */
final class GrowingFile {
  private final Path file;
  private long offset;

  GrowingFile(Path file, long offset) {
    this.file = file;
    this.offset = offset;
  }

  /** The place after the last line that was read. */
  long offset() {
    return offset;
  }

  /** The lines that are complete by now and were not read yet. */
  List<String> newLines() throws IOException {
    try (var in = new RandomAccessFile(file.toFile(), "r")) {
      var bytes = new byte[Math.toIntExact(in.length() - offset)];
      in.seek(offset);
      in.readFully(bytes);
      var end = bytes.length;
      while (end > 0 && bytes[end - 1] != '\n') {
        end--;
      }
      offset += end;
      return new String(bytes, 0, end, StandardCharsets.UTF_8).lines().toList();
    }
  }
}
