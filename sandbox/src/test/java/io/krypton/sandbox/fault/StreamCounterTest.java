// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamCounterTest {
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int WINDOW_UPDATE = 8;
  private static final int END_STREAM = 1;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  private void frame(int type, int flags, int stream, int length) {
    bytes.writeBytes(new byte[] {0, (byte) (length >> 8), (byte) length});
    bytes.writeBytes(new byte[] {(byte) type, (byte) flags, 0, 0, 0, (byte) stream});
    bytes.writeBytes(new byte[length]);
  }

  private void send(StreamCounter.Frames frames, int pieces) {
    var all = bytes.toByteArray();
    for (int at = 0; at < all.length; at += pieces) {
      var piece = new byte[Math.min(pieces, all.length - at)];
      System.arraycopy(all, at, piece, 0, piece.length);
      frames.add(piece, piece.length);
    }
    bytes.reset();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 1000})
  void streams_begin_with_a_request_and_end_with_its_answer(int pieces) {
    var count = new StreamCounter();
    var requests = count.requests();
    bytes.writeBytes(new byte[24]);
    frame(4, 0, 0, 18);
    frame(HEADERS, END_STREAM, 1, 300);
    frame(HEADERS, 0, 3, 40);
    frame(DATA, END_STREAM, 3, 500);
    frame(HEADERS, END_STREAM, 5, 0);
    send(requests, pieces);
    assertThat(count.open()).isEqualTo(3);

    var answers = count.answers();
    frame(HEADERS, 0, 1, 20);
    frame(DATA, END_STREAM, 1, 20);
    frame(WINDOW_UPDATE, END_STREAM, 3, 4);
    frame(HEADERS, END_STREAM, 5, 9);
    send(answers, pieces);
    assertThat(count.open()).isEqualTo(1);

    frame(RST_STREAM, 0, 3, 4);
    frame(HEADERS, END_STREAM, 7, 4);
    send(requests, pieces);
    assertThat(count.open()).isEqualTo(1);
    assertThat(count.peak()).isEqualTo(3);
  }
}
