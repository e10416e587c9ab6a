package io.krypton.operator.helm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads a pipe to its end and keeps the last mebibyte: a pipe that nobody reads blocks the child.
 */
final class Output {
  private static final int KEPT = 1 << 20;

  private byte[] bytes = new byte[4096];
  private int length;

  /** Ends when the pipe is closed on either side. */
  void drain(InputStream pipe) {
    var buffer = new byte[8192];
    try (pipe) {
      for (int count = pipe.read(buffer); count >= 0; count = pipe.read(buffer)) {
        append(buffer, count);
      }
    } catch (IOException e) {
      append(" (output cut off)".getBytes(StandardCharsets.UTF_8), 17);
    }
  }

  private synchronized void append(byte[] more, int count) {
    if (length + count > KEPT) {
      var dropped = Math.min(length, KEPT / 2);
      System.arraycopy(bytes, dropped, bytes, 0, length - dropped);
      length -= dropped;
    }
    if (length + count > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(length + count, 2 * bytes.length));
    }
    System.arraycopy(more, 0, bytes, length, count);
    length += count;
  }

  synchronized String text() {
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }
}
