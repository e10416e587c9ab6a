// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What can be told about the pages without running them. */
class DocPagesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Set<String> WORDS = Set.of("background", "eventually", "last");
  private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]+)(?:#[^)]*)?\\)");

  private static Stream<DocBlock> blocks() {
    return DocPages.all(ROOT).stream().flatMap(page -> DocPages.blocks(ROOT, page).stream());
  }

  @Test
  void every_block_says_whether_it_holds_commands() {
    assertThat(blocks().filter(block -> !block.isShell()))
        .as("use ```sh for commands, and one of %s for the rest", DocPages.NO_COMMANDS)
        .allMatch(block -> DocPages.NO_COMMANDS.contains(block.language()));
    assertThat(blocks().filter(DocBlock::isShell))
        .allMatch(block -> WORDS.containsAll(block.words()));
  }

  @Test
  void every_page_with_commands_is_run() {
    assertThat(blocks().filter(DocBlock::isShell).map(DocBlock::page).collect(Collectors.toSet()))
        .containsExactlyInAnyOrderElementsOf(DocPages.RUN);
  }

  @Test
  void a_block_is_run_as_a_whole_or_not_at_all() {
    assertThat(
            blocks()
                .filter(DocBlock::isShell)
                .filter(block -> !DocPages.isListed(block))
                .filter(block -> block.commands().stream().anyMatch(DocPages.NOT_RUN::containsKey)))
        .as("put what cannot be run into a block of its own")
        .isEmpty();
  }

  @Test
  void what_is_listed_as_not_run_is_still_on_a_page() {
    assertThat(blocks().filter(DocBlock::isShell).flatMap(block -> block.commands().stream()))
        .containsAll(DocPages.NOT_RUN.keySet());
  }

  @Test
  void every_link_to_a_file_leads_somewhere() {
    for (var page : DocPages.all(ROOT)) {
      assertThat(links(page))
          .as(page)
          .allMatch(link -> Files.exists(ROOT.resolve(page).resolveSibling(link).normalize()));
    }
  }

  private static List<String> links(String page) {
    return LINK.matcher(DocPages.text(ROOT, page))
        .results()
        .map(found -> found.group(1))
        .filter(link -> !link.contains("://"))
        .toList();
  }
}
