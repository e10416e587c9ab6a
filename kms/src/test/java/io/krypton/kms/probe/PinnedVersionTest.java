// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.probe;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.kms.probe.PinnedVersion.ApiServerInstance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PinnedVersionTest {
  /**
   * Each word is {@code <runs of the API server>:<version>}, a dash for no API server; the result
   * is what it expects each time.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          the first one counts                   | a:v2beta1 a:v2 a:v2           | v2beta1 v2beta1 v2beta1
          and may come back                      | a:v2beta1 a:v2 a:v2beta1      | v2beta1 v2beta1 v2beta1
          a restart forgets it                   | a:v2beta1 a:v2 b:v2           | v2beta1 v2beta1 v2
          also one with a gap                    | a:v2beta1 a:v2 -:v2 b:v2      | v2beta1 v2beta1 v2 v2
          but a restart before the change does not| a:v2beta1 b:v2beta1 b:v2 b:v2| v2beta1 v2beta1 v2beta1 v2beta1
          nor does the start of the API server   | -:v2beta1 a:v2beta1 a:v2      | v2beta1 v2beta1 v2beta1
          the old one on its way out still counts| a:v2beta1 ab:v2               | v2beta1 v2
          where none is seen nothing is forgotten| -:v2beta1 -:v2 -:v2           | v2beta1 v2beta1 v2beta1
          """)
  void is_kept_for_one_run(String rule, String story, String expected) {
    var runs = new HashSet<String>();
    var version = new PinnedVersion(() -> Set.copyOf(runs));
    assertThat(
            story
                .strip()
                .lines()
                .flatMap(line -> Arrays.stream(line.split(" +")))
                .map(
                    word -> {
                      var parts = word.split(":");
                      runs.clear();
                      parts[0].chars().filter(run -> run != '-').forEach(run -> runs.add("" + run));
                      return version.expected(parts[1]);
                    })
                .collect(joining(" ")))
        .isEqualTo(expected);
  }

  @Test
  void listeners_are_read_from_the_table_of_the_kernel(@TempDir Path directory) throws IOException {
    var table = directory.resolve("tcp6");
    Files.writeString(
        table,
        """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:2652 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11 1 0
           1: 00000000000000000000000000000000:192B 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0
           2: 0100007F:192B 0100007F:D2F0 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0
        """);
    assertThat(ApiServerInstance.listeners(table, 6443)).containsExactly("4711");
    assertThat(ApiServerInstance.listeners(table, 6444)).isEmpty();
    assertThat(ApiServerInstance.listeners(directory.resolve("none"), 6443)).isEmpty();
  }
}
