// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import io.krypton.base.crypto.Sha256;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Walks the files of a compressed tar archive, within a limit on what it may inflate to. */
final class TarReader implements Closeable {
  private static final int BLOCK = 512;
  private static final long LARGEST_INFLATED = 128L << 20;
  private static final int LARGEST_FILE = 8 << 20;

  private final InputStream in;
  private long inflated;
  private long size;
  private long unread;

  TarReader(InputStream archive) throws IOException {
    in = new BufferedInputStream(new GZIPInputStream(archive), 1 << 16);
  }

  /** The path of the next regular file. */
  Optional<String> next() throws IOException {
    String longName = null;
    while (true) {
      skip(unread);
      var header = take(BLOCK);
      if (header[0] == 0) {
        return Optional.empty();
      }
      size = octal(header, 124, 12);
      unread = (size + BLOCK - 1) / BLOCK * BLOCK;
      switch (header[156]) {
        case 'x' -> longName = paxPath(content(size), longName);
        case 'L' -> longName = text(content(size), 0, (int) size);
        case '0', 0 -> {
          return Optional.of(longName == null ? name(header) : longName);
        }
        default -> longName = null;
      }
    }
  }

  /** The content of the file that {@link #next} named. */
  String content() throws IOException {
    return new String(content(size), StandardCharsets.UTF_8);
  }

  /** The digest of the content of the file that {@link #next} named, however large it is. */
  String sha256() throws IOException {
    var digest = new Sha256();
    for (var left = size; left > 0; ) {
      var part = (int) Math.min(left, 1 << 16);
      digest.add(take(part));
      left -= part;
      unread -= part;
    }
    return digest.hex();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private byte[] content(long length) throws IOException {
    if (length > LARGEST_FILE) {
      throw new IOException("a file in it is larger than " + (LARGEST_FILE >> 20) + " MiB");
    }
    unread -= length;
    return take((int) length);
  }

  private byte[] take(int length) throws IOException {
    count(length);
    var bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new IOException("it ends in the middle");
    }
    return bytes;
  }

  private void skip(long length) throws IOException {
    count(length);
    in.skipNBytes(length);
    unread = 0;
  }

  private void count(long length) throws IOException {
    inflated += length;
    if (length < 0 || inflated > LARGEST_INFLATED) {
      throw new IOException("it inflates to more than " + (LARGEST_INFLATED >> 20) + " MiB");
    }
  }

  private static String name(byte[] header) {
    var prefix = text(header, 345, 155);
    var name = text(header, 0, 100);
    return prefix.isEmpty() ? name : prefix + "/" + name;
  }

  private static String text(byte[] bytes, int from, int length) {
    int end = from;
    while (end < from + length && bytes[end] != 0) {
      end++;
    }
    return new String(bytes, from, end - from, StandardCharsets.UTF_8);
  }

  private static long octal(byte[] header, int from, int length) throws IOException {
    try {
      return Long.parseLong(text(header, from, length).strip(), 8);
    } catch (NumberFormatException e) {
      throw new IOException("it is not a tar archive", e);
    }
  }

  /** A pax header holds lines "length key=value", for names that do not fit the old header. */
  private static @Nullable String paxPath(byte[] content, @Nullable String otherwise) {
    for (var line : new String(content, StandardCharsets.UTF_8).split("\n")) {
      var path = line.indexOf(" path=");
      if (path > 0) {
        return line.substring(path + 6);
      }
    }
    return otherwise;
  }
}
