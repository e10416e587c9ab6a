// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.sandbox.audit.ApiAudit.LogTail;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTailTest {
  @TempDir Path directory;

  @Test
  void a_line_is_read_once_and_only_when_it_is_complete() throws IOException {
    var path = directory.resolve("log");
    append(path, "one\ntw");
    var file = new LogTail(path, 0);

    assertThat(file.newLines()).containsExactly("one");
    assertThat(file.newLines()).isEmpty();
    append(path, "o\nthree\n");
    assertThat(file.newLines()).containsExactly("two", "three");
    assertThat(file.offset()).isEqualTo(Files.size(path));
  }

  private static void append(Path path, String text) throws IOException {
    Files.writeString(path, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
