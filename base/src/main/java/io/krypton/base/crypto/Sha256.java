// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.crypto;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of texts, bytes and files; an instance takes its input in parts. */
public final class Sha256 {
  private static final HexFormat HEX = HexFormat.of();

  private final MessageDigest digest;

  /** Begins a digest whose input comes in parts. */
  public Sha256() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  public static byte[] digest(byte[] content) {
    return new Sha256().add(content).digest.digest();
  }

  /** Lower-case hex. */
  public static String hex(byte[] content) {
    return HEX.formatHex(digest(content));
  }

  /** Lower-case hex over the UTF-8 bytes. */
  public static String hex(String text) {
    return hex(text.getBytes(UTF_8));
  }

  /** Lower-case hex over a file, which need not fit into memory. */
  public static String hex(Path file) throws IOException {
    var sha256 = new Sha256();
    try (var in = new DigestInputStream(Files.newInputStream(file), sha256.digest)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return sha256.hex();
  }

  public Sha256 add(byte[] content) {
    digest.update(content);
    return this;
  }

  /** Adds the UTF-8 bytes. Parts are not told apart: add a separator where that matters. */
  public Sha256 add(String text) {
    return add(text.getBytes(UTF_8));
  }

  public Sha256 add(byte content) {
    digest.update(content);
    return this;
  }

  /** Lower-case hex over all that was added; begins anew. */
  public String hex() {
    return HEX.formatHex(digest.digest());
  }
}
