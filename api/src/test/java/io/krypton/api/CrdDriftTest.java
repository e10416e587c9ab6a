// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.CustomResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** With {@code -Dcrds.write=true} the files are brought up to date instead of compared. */
class CrdDriftTest {
  private static final boolean WRITE = Boolean.getBoolean("crds.write");
  private static final Path REFERENCE = Path.of("../docs/reference/crds.md");
  private static final String REMEDY =
      "the records have changed; bring the files up to date with: tools/maven -pl api -am test"
          + " -Dtest=CrdDriftTest -Dsurefire.failIfNoSpecifiedTests=false -Dcrds.write=true";

  static List<Class<? extends CustomResource<?, ?>>> kinds() {
    return CrdGeneration.KINDS;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void the_checked_in_crd_is_the_one_the_records_describe(
      Class<? extends CustomResource<?, ?>> kind) throws IOException {
    var crd = CrdGeneration.crdOf(kind);
    var file = CrdFile.of(crd);
    var text = file.textFor(crd);
    if (WRITE) {
      file.write(text);
    }

    assertThat(file.read()).as(REMEDY).isEqualTo(text);
  }

  @Test
  void the_reference_page_describes_the_crds() throws IOException {
    var page = CrdReference.page(CrdGeneration.KINDS.stream().map(CrdGeneration::crdOf).toList());
    if (WRITE) {
      Files.createDirectories(REFERENCE.getParent());
      Files.writeString(REFERENCE, page);
    }

    assertThat(REFERENCE).as(REMEDY).hasContent(page);
  }
}
