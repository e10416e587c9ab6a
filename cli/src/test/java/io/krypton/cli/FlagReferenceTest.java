// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** With {@code -Dreference.write=true} the page is brought up to date instead of compared. */
class FlagReferenceTest {
  private static final Path PAGE = Path.of("../docs/reference/flags.md");
  private static final String REMEDY =
      "commands have changed; bring the page up to date with: tools/maven -pl cli -am test"
          + " -Dtest=FlagReferenceTest -Dsurefire.failIfNoSpecifiedTests=false"
          + " -Dreference.write=true";

  @Test
  void the_reference_page_lists_every_command_and_flag() throws IOException {
    var page = FlagReference.page(Main.commandLine());
    if (Boolean.getBoolean("reference.write")) {
      Files.writeString(PAGE, page);
    }

    assertThat(PAGE).as(REMEDY).hasContent(page);
  }
}
