// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.fault;

import java.util.HashSet;
import java.util.Set;

/** Counts the HTTP/2 streams of one connection by the headers of its frames. */
final class StreamCounter {
  private static final int PREFACE = 24;
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int END_STREAM = 1;

  private final Set<Integer> open = new HashSet<>();
  private int peak;

  /** What the client sends, byte by byte. */
  Frames requests() {
    return new Frames(PREFACE, this::requested);
  }

  /** What the server sends. */
  Frames answers() {
    return new Frames(0, this::answered);
  }

  synchronized int peak() {
    return peak;
  }

  synchronized int open() {
    return open.size();
  }

  private synchronized void requested(int type, int flags, int stream) {
    if (type == HEADERS) {
      open.add(stream);
      peak = Math.max(peak, open.size());
    } else if (type == RST_STREAM) {
      open.remove(stream);
    }
  }

  private synchronized void answered(int type, int flags, int stream) {
    var last = (type == HEADERS || type == DATA) && (flags & END_STREAM) != 0;
    if (last || type == RST_STREAM) {
      open.remove(stream);
    }
  }

  private interface Listener {
    void frame(int type, int flags, int stream);
  }

  /** Finds the frames in one direction of a connection, however its bytes arrive. */
  static final class Frames {
    private static final int HEADER = 9;

    private final byte[] header = new byte[HEADER];
    private final Listener listener;
    private int skipped;
    private int read;

    private Frames(int preface, Listener listener) {
      this.skipped = preface;
      this.listener = listener;
    }

    void add(byte[] bytes, int length) {
      for (int at = 0; at < length; ) {
        if (skipped > 0) {
          var now = Math.min(skipped, length - at);
          skipped -= now;
          at += now;
        } else {
          header[read++] = bytes[at++];
          if (read == HEADER) {
            read = 0;
            skipped = number(0, 3);
            listener.frame(number(3, 1), number(4, 1), number(5, 4) & Integer.MAX_VALUE);
          }
        }
      }
    }

    private int number(int from, int length) {
      var number = 0;
      for (int i = from; i < from + length; i++) {
        number = number << 8 | (header[i] & 0xff);
      }
      return number;
    }
  }
}
