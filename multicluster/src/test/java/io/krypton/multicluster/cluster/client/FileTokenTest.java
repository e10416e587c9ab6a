package io.krypton.multicluster.cluster.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTokenTest {
  private final AtomicLong now = new AtomicLong();

  @Test
  void a_renewed_file_is_read_after_ten_seconds_and_a_lost_one_changes_nothing(
      @TempDir Path directory) throws Exception {
    var file = directory.resolve("token");
    var token = new FileToken(file, now::get);
    assertThat(token.current()).isNull();
    Files.writeString(file, "one\n");
    assertThat(token.current()).isEqualTo("one");

    Files.writeString(file, "two");
    assertThat(token.current()).isEqualTo("one");
    now.addAndGet(Duration.ofSeconds(11).toNanos());
    assertThat(token.current()).isEqualTo("two");

    Files.delete(file);
    now.addAndGet(Duration.ofSeconds(11).toNanos());
    assertThat(token.current()).isEqualTo("two");
  }
}
