// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.worker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Frames in a stream: four bytes that say how many follow, then as many. */
final class FrameCodec {
  /** A stream that claims more has lost its step. */
  static final int LONGEST = 128 << 20;

  private FrameCodec() {}

  /** What came is no frame: nothing in this stream can be understood any more. */
  static final class FrameException extends IOException {
    private static final long serialVersionUID = 1;

    FrameException(String message) {
      super(message);
    }
  }

  /**
   * Writes one frame.
   *
   * @throws FrameException if it is too long for the other side; then nothing was written
   */
  static void write(OutputStream out, byte[] content) throws IOException {
    requireLength(content.length);
    out.write(ByteBuffer.allocate(Integer.BYTES).putInt(content.length).array());
    out.write(content);
    out.flush();
  }

  /** The next frame, or nothing if the stream ends between two. */
  static Optional<byte[]> read(InputStream in) throws IOException {
    var header = in.readNBytes(Integer.BYTES);
    if (header.length == 0) {
      return Optional.empty();
    }
    if (header.length < Integer.BYTES) {
      throw new FrameException("the stream ended within the length of a frame");
    }
    var length = ByteBuffer.wrap(header).getInt();
    requireLength(length);
    // Takes memory for what has come, not for what was announced.
    var content = in.readNBytes(length);
    if (content.length < length) {
      throw new FrameException(
          "the stream ended after %d of %d bytes of a frame".formatted(content.length, length));
    }
    return Optional.of(content);
  }

  private static void requireLength(int length) throws FrameException {
    if (length < 1 || length > LONGEST) {
      throw new FrameException("a frame of %d bytes".formatted(Integer.toUnsignedLong(length)));
    }
  }
}
