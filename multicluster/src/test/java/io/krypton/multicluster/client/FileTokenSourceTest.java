// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.multicluster.client.TokenSource.FileTokenSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTokenSourceTest {
  private final AtomicLong now = new AtomicLong();

  @Test
  void a_replaced_file_is_read_at_once_and_a_lost_one_changes_nothing(@TempDir Path directory)
      throws Exception {
    var file = directory.resolve("token");
    var token = new FileTokenSource(file, now::get);
    assertThat(token.current()).isNull();
    Files.writeString(file, "one\n");
    assertThat(token.current()).isEqualTo("one");

    var next = Files.writeString(directory.resolve("next"), "two\n");
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
    assertThat(token.current()).isEqualTo("two");

    Files.delete(file);
    now.addAndGet(Duration.ofSeconds(11).toNanos());
    assertThat(token.current()).isEqualTo("two");
  }

  @Test
  void a_file_that_looks_the_same_is_read_after_ten_seconds(@TempDir Path directory)
      throws Exception {
    var file = Files.writeString(directory.resolve("token"), "one");
    var written = Files.getLastModifiedTime(file);
    var token = new FileTokenSource(file, now::get);
    assertThat(token.current()).isEqualTo("one");

    Files.writeString(file, "two");
    Files.setLastModifiedTime(file, written);
    assertThat(token.current()).isEqualTo("one");
    now.addAndGet(Duration.ofSeconds(11).toNanos());
    assertThat(token.current()).isEqualTo("two");
  }
}
