// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyFileTest {
  @TempDir Path directory;
  private KeyFile file;

  @BeforeEach
  void create() throws IOException {
    file = new KeyFile(directory.resolve("keys.json"));
    file.createIfMissing();
  }

  @Test
  void a_new_file_has_one_key_and_belongs_to_its_owner() throws IOException {
    var stored = new ObjectMapper().readTree(Files.readAllBytes(file.path()));
    assertThat(stored.get("version").intValue()).isEqualTo(1);
    assertThat(stored.get("current").textValue()).matches("k1-[0-9a-f]{8}");
    assertThat(stored.get("keys")).hasSize(1);
    assertThat(Base64.getDecoder().decode(stored.at("/keys/0/material").textValue())).hasSize(32);
    assertThat(mode()).isEqualTo("rw-------");
    assertThat(fileNames()).containsExactlyInAnyOrder("keys.json", "keys.json.lock");
  }

  @Test
  void an_existing_file_is_left_as_it_is() throws IOException {
    var before = Files.readString(file.path());
    file.createIfMissing();
    assertThat(Files.readString(file.path())).isEqualTo(before);
  }

  @Test
  void rotation_adds_a_key_and_makes_it_current() throws IOException {
    var first = file.currentId();
    var second = file.rotate();
    assertThat(second).startsWith("k2-");
    assertThat(file.currentId()).isEqualTo(second);
    assertThat(file.ids()).containsExactly(first, second);
    assertThat(mode()).isEqualTo("rw-------");
  }

  @Test
  void rotations_at_the_same_time_lose_no_key() throws Exception {
    var ids = new ConcurrentSkipListSet<String>();
    try (var together = Executors.newVirtualThreadPerTaskExecutor()) {
      var start = new CountDownLatch(1);
      var ends = new ArrayList<Future<?>>();
      for (int i = 0; i < 8; i++) {
        ends.add(
            together.submit(
                () -> {
                  start.await();
                  return ids.add(new KeyFile(file.path()).rotate());
                }));
      }
      start.countDown();
      for (var end : ends) {
        end.get();
      }
    }

    assertThat(ids).hasSize(8);
    assertThat(file.ids()).hasSize(9).containsAll(ids);
    assertThat(file.currentId()).startsWith("k9-");
  }

  @Test
  void numbers_only_grow_also_after_a_key_was_retired() throws IOException {
    var first = file.currentId();
    file.rotate();
    file.retire(first);
    assertThat(file.ids()).hasSize(1);
    assertThat(file.rotate()).startsWith("k3-");
  }

  @Test
  void neither_the_current_key_nor_an_unknown_one_can_be_retired() throws IOException {
    var current = file.currentId();
    assertThatThrownBy(() -> file.retire(current))
        .hasMessageEndingWith("is the current key, rotate first");
    assertThatThrownBy(() -> file.retire("k9-00000000"))
        .hasMessageContaining("there is no key k9-00000000");
  }

  @Test
  void a_file_that_others_may_read_is_refused() throws IOException {
    Files.setPosixFilePermissions(file.path(), PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(file::currentId).hasMessageEndingWith("mode is rw-r--r--, run: chmod 600");
  }

  @Test
  void a_broken_file_is_refused_without_a_byte_of_it() throws IOException {
    for (var content :
        List.of(
            "",
            "c2VjcmV0",
            "{}",
            "{\"version\":2,\"current\":\"x\",\"keys\":[]}",
            "[1]",
            "{\"version\":1,\"current\":\"k1-00000000\",\"keys\":[{\"id\":\"k1-00000000\","
                + "\"created\":\"2026-01-01T00:00:00Z\",\"material\":\"c2VjcmV0\"}]}")) {
      Files.writeString(file.path(), content);
      assertThatThrownBy(file::currentId)
          .isInstanceOf(IOException.class)
          .hasNoCause()
          .hasMessageNotContaining("c2VjcmV0");
    }
  }

  private String mode() throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path()));
  }

  private List<String> fileNames() throws IOException {
    try (var files = Files.list(directory)) {
      return files.map(path -> path.getFileName().toString()).toList();
    }
  }
}
