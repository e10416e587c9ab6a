// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.serving;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryWatcherTest {
  @Test
  void without_watches_left_on_the_node_files_are_polled(@TempDir Path directory) {
    var looks = new AtomicInteger();
    try (var _ =
        new DirectoryWatcher(
            List.of(directory),
            Duration.ofMillis(10),
            looks::incrementAndGet,
            () -> {
              throw new IOException("User limit of inotify instances reached");
            })) {
      await().atMost(Duration.ofSeconds(30)).until(() -> looks.get() > 2);
    }
  }
}
