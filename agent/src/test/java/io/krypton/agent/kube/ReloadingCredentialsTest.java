// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.agent.kube.CredentialSource.CredentialState;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloadingCredentialsTest {
  @TempDir Path directory;
  private Path token = Path.of("");
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 10);
  private int reads;
  private boolean usable = true;

  @BeforeEach
  void writeToken() throws IOException {
    token = directory.resolve("token");
    Files.writeString(token, "one");
  }

  @Test
  void unchanged_files_are_read_once_within_a_minute() {
    var reloadingCredentials = credentials();
    for (int i = 0; i < 5; i++) {
      reloadingCredentials.current();
      pass(Duration.ofSeconds(10));
    }
    assertThat(reads).isEqualTo(1);

    pass(Duration.ofSeconds(10));
    reloadingCredentials.current();
    assertThat(reads).isEqualTo(2);
  }

  @Test
  void a_changed_file_is_read_at_once() throws IOException {
    var reloadingCredentials = credentials();
    reloadingCredentials.current();

    Files.writeString(token, "two, longer");
    reloadingCredentials.current();
    assertThat(reads).isEqualTo(2);

    Files.setLastModifiedTime(token, FileTime.from(Instant.now().plusSeconds(5)));
    reloadingCredentials.current();
    assertThat(reads).isEqualTo(3);
  }

  @Test
  void a_file_replaced_by_a_rename_is_read_at_once_even_with_equal_size_and_time()
      throws IOException {
    var time = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));
    Files.setLastModifiedTime(token, time);
    var reloadingCredentials = credentials();
    reloadingCredentials.current();

    var other = Files.writeString(directory.resolve("new"), "two");
    Files.setLastModifiedTime(other, time);
    Files.move(other, token, StandardCopyOption.ATOMIC_MOVE);
    reloadingCredentials.current();

    assertThat(reads).isEqualTo(2);
  }

  @Test
  void distrusted_credentials_are_read_before_the_next_use() {
    var reloadingCredentials = credentials();
    reloadingCredentials.current();
    reloadingCredentials.invalidate();
    reloadingCredentials.current();
    reloadingCredentials.current();

    assertThat(reads).isEqualTo(2);
  }

  @Test
  void unusable_credentials_are_read_each_time() {
    usable = false;
    var reloadingCredentials = credentials();
    assertThat(reloadingCredentials.current()).isEqualTo(new CredentialState.NotYet("broken"));
    usable = true;
    assertThat(reloadingCredentials.current()).isInstanceOf(CredentialState.Ready.class);
  }

  private ReloadingCredentials credentials() {
    return new ReloadingCredentials(this::read, nanos::get);
  }

  private CredentialSource.Reading read() {
    reads++;
    return new CredentialSource.Reading(
        usable
            ? new CredentialState.Ready(
                new ApiClientConfig(URI.create("https://localhost"), null, false, null, null, null))
            : new CredentialState.NotYet("broken"),
        Set.of(token));
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }
}
