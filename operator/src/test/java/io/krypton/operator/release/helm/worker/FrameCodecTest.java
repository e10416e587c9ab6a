// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.operator.release.helm.worker.FrameCodec.FrameException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameCodecTest {
  private static final int ROUNDS = 300;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  @Test
  void whatever_is_written_is_read_again_however_the_stream_is_cut() throws IOException {
    for (var round = 0; round < ROUNDS; round++) {
      var frames = frames();
      var in = new Dribble(bytesOf(frames), random);
      for (var frame : frames) {
        assertThat(FrameCodec.read(in)).as("seed %d", seed).hasValue(frame);
      }
      assertThat(FrameCodec.read(in)).as("seed %d", seed).isEmpty();
    }
  }

  @Test
  void a_stream_that_ends_within_a_frame_is_torn() throws IOException {
    for (var round = 0; round < ROUNDS; round++) {
      var whole = bytesOf(List.of(bytes(1 + random.nextInt(2000))));
      var torn = new ByteArrayInputStream(whole, 0, 1 + random.nextInt(whole.length - 1));
      assertThatThrownBy(() -> FrameCodec.read(torn))
          .as("seed %d", seed)
          .isInstanceOf(FrameException.class)
          .hasMessageContaining("the stream ended");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, FrameCodec.LONGEST + 1})
  void a_length_that_cannot_be_is_refused_before_anything_is_read(int length) {
    var in = new ByteArrayInputStream(ByteBuffer.allocate(8).putInt(length).putInt(7).array());
    assertThatThrownBy(() -> FrameCodec.read(in)).isInstanceOf(FrameException.class);
    assertThat(in.available()).isEqualTo(4);
  }

  @Test
  void a_length_that_is_only_claimed_takes_no_memory() {
    var header = ByteBuffer.allocate(4).putInt(FrameCodec.LONGEST).array();
    for (var i = 0; i < 1000; i++) {
      assertThatThrownBy(() -> FrameCodec.read(new ByteArrayInputStream(header)))
          .hasMessageContaining("after 0 of 134217728 bytes");
    }
  }

  /** Text for people on the stream of frames: its first letters are a length of a gibibyte. */
  @Test
  void garbage_is_no_frame() throws IOException {
    for (var round = 0; round < ROUNDS; round++) {
      var garbage = bytes(4 + random.nextInt(100));
      garbage[0] = (byte) (garbage[0] | 0x20);
      assertThatThrownBy(() -> FrameCodec.read(new ByteArrayInputStream(garbage)))
          .as("seed %d", seed)
          .isInstanceOf(FrameException.class);
    }
    var text = new ByteArrayInputStream("panic: runtime error\n".getBytes(UTF_8));
    assertThatThrownBy(() -> FrameCodec.read(text)).isInstanceOf(FrameException.class);
  }

  @Test
  void what_is_too_long_or_empty_is_not_written() {
    var out = new ByteArrayOutputStream();
    assertThatThrownBy(() -> FrameCodec.write(out, new byte[0])).isInstanceOf(FrameException.class);
    assertThat(out.size()).isZero();
  }

  private List<byte[]> frames() {
    var frames = new ArrayList<byte[]>();
    for (var i = random.nextInt(5); i >= 0; i--) {
      frames.add(bytes(1 + random.nextInt(random.nextBoolean() ? 10 : 40_000)));
    }
    return frames;
  }

  private byte[] bytes(int length) {
    var bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] bytesOf(List<byte[]> frames) throws IOException {
    var out = new ByteArrayOutputStream();
    for (var frame : frames) {
      FrameCodec.write(out, frame);
    }
    return out.toByteArray();
  }

  /** Gives at most a few bytes at a time, as a pipe may. */
  private static final class Dribble extends InputStream {
    private final InputStream in;
    private final Random random;

    Dribble(byte[] bytes, Random random) {
      this.in = new ByteArrayInputStream(bytes);
      this.random = random;
    }

    @Override
    public int read() throws IOException {
      return in.read();
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      return in.read(into, offset, Math.min(length, 1 + random.nextInt(5000)));
    }
  }
}
