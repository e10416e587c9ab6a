// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;

class DocBlockTest {
  @Test
  void a_fence_tells_its_language_and_how_it_is_to_be_run() {
    var page =
        """
        # Title

        ```sh background
        krypton operator \\
          --namespace=x   # the rest is said elsewhere
        ```

        Text.

        ```yaml
        a: 1
        ```
        """;

    var blocks = DocBlock.of("docs/x.md", page);

    assertThat(blocks).extracting(DocBlock::language).containsExactly("sh", "yaml");
    var first = blocks.getFirst();
    assertThat(first.where()).isEqualTo("docs/x.md:3");
    assertThat(first.words()).isEqualTo(Set.of("background"));
    assertThat(first.commands()).containsExactly("krypton operator --namespace=x");
  }

  @Test
  void remarks_are_no_commands_but_a_hash_in_a_word_is_part_of_it() {
    var block = DocBlock.of("p", "```sh\n# first\necho a#b\n\nmake x # why\n```\n").getFirst();

    assertThat(block.commands()).containsExactly("echo a#b", "make x");
  }

  @Test
  void an_indented_block_is_found_and_a_continued_list_item_is_none() {
    var page = "- item\n    more of it\n\nText\n\n    kubectl get x\n    kubectl get y\n";

    assertThat(DocBlock.of("p", page))
        .containsExactly(new DocBlock("p", 6, "", Set.of(), "kubectl get x"));
  }

  @Test
  void what_is_in_a_fence_opens_no_block() {
    assertThat(DocBlock.of("p", "```text\n\n    indented\n```\n")).hasSize(1);
  }

  @Test
  void an_open_fence_is_an_error() {
    assertThatThrownBy(() -> DocBlock.of("p", "a\n```sh\nls\n"))
        .hasMessage("the fence of line 2 is never closed");
  }
}
