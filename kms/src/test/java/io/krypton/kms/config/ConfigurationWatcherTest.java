// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config;

import static io.krypton.kms.config.ConfigurationCase.resources;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.kms.config.ReadResult.Invalid;
import io.krypton.kms.config.ReadResult.Loaded;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationWatcherTest {
  private static final Duration BOUND = Duration.ofSeconds(20);

  /** So long that only the directory can have told the news. */
  private static final Duration NEVER = Duration.ofHours(1);

  private static final Duration OFTEN = Duration.ofMillis(20);
  private static final String SECRETS = resources("[secrets]");
  private static final String PODS = resources("[pods]");

  @TempDir private Path directory;

  private final List<ReadResult> delivered = new CopyOnWriteArrayList<>();

  private ConfigurationWatcher watch(Path file, Duration poll) {
    return ConfigurationWatcher.start(file, ReadOptions.DEFAULT, poll, delivered::add);
  }

  private void awaitDeliveries(int count) {
    await().atMost(BOUND).until(() -> delivered.size() >= count);
    assertThat(delivered).hasSize(count);
  }

  @Test
  void the_first_state_and_each_new_content_are_delivered_once() throws IOException {
    var file = Files.writeString(directory.resolve("enc.yaml"), SECRETS);
    try (var _ = watch(file, NEVER)) {
      awaitDeliveries(1);
      replace(file, SECRETS);
      replace(file, "broken: [");
      awaitDeliveries(2);
      replace(file, PODS);
      awaitDeliveries(3);
    }
    assertThat(delivered.get(0)).isInstanceOf(Loaded.class);
    assertThat(delivered.get(1)).isInstanceOf(Invalid.class);
    assertThat(delivered.get(2)).isInstanceOf(Loaded.class);
    assertThat(delivered).extracting(ReadResult::contentHash).doesNotHaveDuplicates();
  }

  @Test
  void a_bug_in_reading_one_content_does_not_end_the_watch() throws IOException {
    var file = Files.writeString(directory.resolve("enc.yaml"), "provokes a bug");
    var reads = new CopyOnWriteArrayList<String>();
    Function<byte[], ReadResult> reader =
        content -> {
          reads.add(new String(content, UTF_8));
          if (reads.size() == 1) {
            throw new IllegalStateException("a bug");
          }
          return EncryptionConfigurations.read(file.toString(), content, ReadOptions.DEFAULT);
        };
    try (var _ = ConfigurationWatcher.start(file, reader, OFTEN, delivered::add)) {
      await().atMost(BOUND).until(() -> !reads.isEmpty());
      replace(file, SECRETS);
      awaitDeliveries(1);
    }
    assertThat(delivered).singleElement().isInstanceOf(Loaded.class);
  }

  @Test
  void whoever_has_read_the_file_hears_of_changes_only() throws IOException {
    var file = directory.resolve("enc.yaml");
    for (var known : List.of("", SECRETS)) {
      if (!known.isEmpty()) {
        replace(file, known);
      }
      var read = EncryptionConfigurations.read(file, ReadOptions.DEFAULT);
      delivered.clear();
      try (var _ =
          ConfigurationWatcher.startAfter(read, file, ReadOptions.DEFAULT, OFTEN, delivered::add)) {
        await().during(OFTEN.multipliedBy(10)).until(delivered::isEmpty);
        replace(file, known.isEmpty() ? "broken: [" : PODS);
        awaitDeliveries(1);
      }
    }
  }

  @Test
  void a_swap_of_the_data_link_of_a_mounted_volume_is_seen() throws IOException {
    version("..first", SECRETS);
    version("..second", PODS);
    Files.createSymbolicLink(directory.resolve("..data"), Path.of("..first"));
    var file = Files.createSymbolicLink(directory.resolve("enc.yaml"), Path.of("..data/enc.yaml"));
    try (var _ = watch(file, NEVER)) {
      awaitDeliveries(1);
      Files.createSymbolicLink(directory.resolve("..data_tmp"), Path.of("..second"));
      move("..data_tmp", "..data");
      awaitDeliveries(2);
    }
    assertThat(delivered).allSatisfy(result -> assertThat(result).isInstanceOf(Loaded.class));
  }

  @Test
  void a_file_that_goes_and_comes_back_is_told_both_times() throws IOException {
    var file = Files.writeString(directory.resolve("enc.yaml"), SECRETS);
    try (var _ = watch(file, NEVER)) {
      awaitDeliveries(1);
      Files.delete(file);
      awaitDeliveries(2);
      replace(file, SECRETS);
      awaitDeliveries(3);
    }
    assertThat(delivered.get(1))
        .isInstanceOfSatisfying(
            Invalid.class,
            invalid -> {
              assertThat(invalid.text()).endsWith("no such file or directory");
              assertThat(invalid.contentHash()).isEmpty();
            });
    assertThat(delivered.get(2)).isEqualTo(delivered.get(0));
  }

  @Test
  void a_change_behind_a_link_to_elsewhere_is_found_by_comparing(@TempDir Path elsewhere)
      throws IOException {
    var target = Files.writeString(elsewhere.resolve("target"), SECRETS);
    var file = Files.createSymbolicLink(directory.resolve("enc.yaml"), target);
    try (var _ = watch(file, OFTEN)) {
      awaitDeliveries(1);
      Files.writeString(elsewhere.resolve("new"), PODS);
      Files.move(elsewhere.resolve("new"), target, StandardCopyOption.ATOMIC_MOVE);
      awaitDeliveries(2);
    }
  }

  @Test
  void a_directory_may_come_later() throws IOException {
    var file = directory.resolve("later/enc.yaml");
    try (var _ = watch(file, OFTEN)) {
      awaitDeliveries(1);
      Files.createDirectory(directory.resolve("later"));
      Files.writeString(directory.resolve("enc.yaml"), SECRETS);
      move("enc.yaml", "later/enc.yaml");
      awaitDeliveries(2);
    }
    assertThat(delivered.get(1)).isInstanceOf(Loaded.class);
  }

  @Test
  void without_watches_the_interval_has_to_do() throws IOException {
    try (var zip =
        FileSystems.newFileSystem(directory.resolve("a.zip"), Map.of("create", "true"))) {
      var file = Files.writeString(zip.getPath("/enc.yaml"), SECRETS);
      try (var _ = watch(file, OFTEN)) {
        awaitDeliveries(1);
        Files.writeString(file, PODS);
        await().atMost(BOUND).until(() -> delivered.getLast().equals(read(PODS)));
      }
    }
  }

  private static ReadResult read(String content) {
    return EncryptionConfigurations.read("enc.yaml", content.getBytes(UTF_8), ReadOptions.DEFAULT);
  }

  @Test
  void a_listener_that_fails_hears_the_next_news_all_the_same() throws IOException {
    var file = Files.writeString(directory.resolve("enc.yaml"), SECRETS);
    try (var _ =
        ConfigurationWatcher.start(
            file,
            ReadOptions.DEFAULT,
            NEVER,
            result -> {
              delivered.add(result);
              throw new IllegalStateException("expected in this test");
            })) {
      awaitDeliveries(1);
      replace(file, PODS);
      awaitDeliveries(2);
    }
  }

  @Test
  void close_leaves_no_thread_behind() throws IOException {
    var file = Files.writeString(directory.resolve("enc.yaml"), SECRETS);
    long before = watchThreads();
    var listening = new AtomicReference<Thread>();
    try (var _ =
        ConfigurationWatcher.start(
            file, ReadOptions.DEFAULT, NEVER, result -> listening.set(Thread.currentThread()))) {
      await().atMost(BOUND).until(() -> listening.get() != null);
      assertThat(watchThreads()).isGreaterThan(before);
    }
    assertThat(listening.get()).returns(false, Thread::isAlive);
    await().atMost(BOUND).until(() -> watchThreads() == before);
  }

  private static long watchThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().contains("WatchService"))
        .count();
  }

  private void version(String name, String content) throws IOException {
    Files.createDirectory(directory.resolve(name));
    Files.writeString(directory.resolve(name).resolve("enc.yaml"), content);
  }

  private void replace(Path file, String content) throws IOException {
    Files.writeString(directory.resolve("new"), content);
    Files.move(directory.resolve("new"), file, StandardCopyOption.ATOMIC_MOVE);
  }

  private void move(String from, String to) throws IOException {
    Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
  }
}
