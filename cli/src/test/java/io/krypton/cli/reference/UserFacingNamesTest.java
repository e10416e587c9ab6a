// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Flags, metrics, event reasons, conditions and CRD fields belong to users: whoever renames code
 * must not rename these. The list is compared without help texts; {@code -Dnames.write=true} writes
 * it anew after a change that was meant.
 */
class UserFacingNamesTest {
  private static final Path LIST = Path.of("src/test/resources/user-facing-names.txt");

  /** Pages of the reference, and the columns that hold names. */
  private static final Map<String, List<Integer>> PAGES =
      new TreeMap<>(
          Map.of(
              "conditions.md", List.of(0),
              "crds.md", List.of(0, 1, 2),
              "events.md", List.of(0, 1),
              "flags.md", List.of(0, 2),
              "metrics.md", List.of(0, 1, 2)));

  @Test
  void what_users_name_stays_as_it_is() throws IOException {
    var names = new ArrayList<String>();
    for (var page : PAGES.entrySet()) {
      names.addAll(namesOf(page.getKey(), page.getValue()));
    }
    if (Boolean.getBoolean("names.write")) {
      Files.write(LIST, names);
    }
    assertThat(names).isNotEmpty().containsExactlyElementsOf(Files.readAllLines(LIST));
  }

  private static List<String> namesOf(String page, List<Integer> columns) throws IOException {
    var names = new ArrayList<String>();
    var section = "";
    for (var line : Files.readAllLines(Path.of("../docs/reference").resolve(page))) {
      if (line.startsWith("## ")) {
        section = line.substring(3);
      }
      if (line.startsWith("| `")) {
        var cells = line.substring(1).split("(?<!\\\\)\\|");
        var row = new ArrayList<String>();
        columns.forEach(column -> row.add(cells[column].strip()));
        names.add("%s: %s: %s".formatted(page, section, String.join(" | ", row)));
      }
    }
    return names;
  }
}
