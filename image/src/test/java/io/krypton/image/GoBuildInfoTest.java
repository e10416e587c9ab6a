// SPDX-License-Identifier: Apache-2.0
package io.krypton.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.image.ImageRoot.UncoveredFileException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GoBuildInfoTest {
  private static final String MODULES =
      """
      path\thelm.sh/helm/v4/cmd/helm
      mod\thelm.sh/helm/v4\tv4.3.1\th1:sum=
      dep\tgithub.com/one/module\tv1.2.3\th1:sum=
      dep\tgithub.com/replaced/module\tv1.0.0
      =>\tgithub.com/fork/module\tv1.0.1\th1:sum=
      build\tCGO_ENABLED=0
      """;

  @Test
  void release_and_modules_are_read_a_replaced_one_by_its_replacement() {
    var program = ByteBuffer.wrap(concat(new byte[160], header(2, "go1.26.8", MODULES)));

    assertThat(GoBuildInfo.find(program))
        .hasValueSatisfying(
            info -> {
              assertThat(info.goVersion()).isEqualTo("1.26.8");
              assertThat(info.main())
                  .isEqualTo(new GoBuildInfo.Module("helm.sh/helm/v4", "v4.3.1"));
              assertThat(info.dependencies())
                  .containsExactly(
                      new GoBuildInfo.Module("github.com/one/module", "v1.2.3"),
                      new GoBuildInfo.Module("github.com/fork/module", "v1.0.1"));
            });
  }

  @Test
  void the_magic_words_alone_are_no_header() {
    var decoys =
        concat(header(0, "go1.0", MODULES), concat(header(2, "", ""), header(2, "go1.26.8", "")));

    assertThat(GoBuildInfo.find(ByteBuffer.wrap(decoys))).isEmpty();
    assertThat(GoBuildInfo.find(ByteBuffer.wrap(concat(decoys, header(2, "go1.9", MODULES)))))
        .hasValueSatisfying(info -> assertThat(info.goVersion()).isEqualTo("1.9"));
  }

  @Test
  void a_header_that_promises_more_than_the_file_holds_is_none() {
    var whole = header(2, "go1.26.8", MODULES);

    for (var length = 0; length < whole.length - 32; length += 7) {
      assertThat(GoBuildInfo.find(ByteBuffer.wrap(whole, 0, length).slice())).isEmpty();
    }
  }

  @Test
  void a_program_without_it_is_refused(@TempDir Path temp) throws Exception {
    var program = Files.write(temp.resolve("helm"), new byte[4096]);

    assertThatThrownBy(() -> GoBuildInfo.read(program))
        .isInstanceOf(UncoveredFileException.class)
        .hasMessageContaining("says nothing about its modules");
  }

  private static byte[] header(int flags, String goVersion, String modules) {
    var out = new ByteArrayOutputStream();
    out.writeBytes("\u00ff Go buildinf:".getBytes(StandardCharsets.ISO_8859_1));
    out.write(8);
    out.write(flags);
    out.writeBytes(new byte[16]);
    string(out, goVersion);
    string(out, modules.isEmpty() ? "" : "s".repeat(16) + modules + "e".repeat(16));
    return concat(out.toByteArray(), new byte[16 - out.size() % 16]);
  }

  private static void string(ByteArrayOutputStream out, String text) {
    var length = text.length();
    while (length >= 0x80) {
      out.write((length & 0x7f) | 0x80);
      length >>= 7;
    }
    out.write(length);
    out.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static byte[] concat(byte[] first, byte[] second) {
    return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
  }
}
