// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {
  @TempDir Path directory;

  @Test
  void a_file_is_replaced_for_its_owner_only_and_leaves_nothing_else() throws IOException {
    var file = Files.writeString(directory.resolve("f"), "before, and longer");

    AtomicFile.replace(file, "after".getBytes(StandardCharsets.UTF_8));

    assertThat(file).hasContent("after");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void a_file_that_cannot_get_its_name_leaves_nothing_behind() throws IOException {
    var occupied = Files.createDirectory(directory.resolve("d"));
    Files.writeString(occupied.resolve("x"), "x");

    assertThatThrownBy(() -> AtomicFile.replace(occupied, new byte[1]))
        .isInstanceOf(IOException.class);

    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(occupied);
    }
  }

  @Test
  void a_missing_directory_is_named() {
    assertThatThrownBy(() -> AtomicFile.replace(directory.resolve("no/f"), new byte[0]))
        .hasMessageEndingWith("no/f: its directory does not exist, make it first");
  }
}
