// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.crypto;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Sha256Test {
  private static final String ABC =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  @Test
  void texts_bytes_files_and_parts_have_the_same_hash(@TempDir Path directory) throws IOException {
    var file = Files.writeString(directory.resolve("f"), "abc");

    assertThat(Sha256.hex("abc")).isEqualTo(ABC);
    assertThat(Sha256.hex("abc".getBytes(UTF_8))).isEqualTo(ABC);
    assertThat(Sha256.hex(file)).isEqualTo(ABC);
    assertThat(new Sha256().add("a").add((byte) 'b').add(new byte[] {'c'}).hex()).isEqualTo(ABC);
    assertThat(HexFormat.of().formatHex(Sha256.digest("abc".getBytes(UTF_8)))).isEqualTo(ABC);
  }

  @Test
  void a_text_counts_in_utf_8() {
    assertThat(Sha256.hex("\u00e4")).isEqualTo(Sha256.hex(new byte[] {(byte) 0xc3, (byte) 0xa4}));
  }
}
