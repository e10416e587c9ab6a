// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A page under docs/reference. With {@code -Dreference.write=true} it is brought up to date instead
 * of compared.
 */
record ReferencePage(String name) {
  void mustBe(String content, Class<?> test) throws IOException {
    var file = Path.of("../docs/reference").resolve(name);
    if (Boolean.getBoolean("reference.write")) {
      Files.writeString(file, content);
    }
    assertThat(file)
        .as(
            "bring the page up to date with: tools/maven -pl cli -am test -Dtest=%s"
                + " -Dsurefire.failIfNoSpecifiedTests=false -Dreference.write=true",
            test.getSimpleName())
        .hasContent(content);
  }
}
