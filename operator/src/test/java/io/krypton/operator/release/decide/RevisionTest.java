// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.Labels;
import io.krypton.operator.release.decide.Revision.ReleaseStatus;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RevisionTest {
  @ParameterizedTest(name = "revision {0}, labelled {1}, reported {2}: foreign = {3}")
  @CsvSource({
    "2, 2, 0, false", // Made by us.
    "2, 2, 1, false", // Made by us, and the report is late.
    "2, 1, 0, true", // Helm copied our labels.
    "2, 1, 2, true", // So it is, also if it was reported while drift was only told of.
    "2, '', 0, false", // The original's, or of an operator that did not number: taken over.
    "2, '', 2, false", // Reported by an operator that did not number.
    "2, '', 1, true", // Made by somebody since that report.
    "1, '', 4, true", // Installed anew by hand.
  })
  void somebody_else_made_what_neither_number_nor_report_knows(
      int version, String labelled, int reported, boolean foreign) {
    var labels = labelled.isEmpty() ? Map.<String, String>of() : Map.of(Labels.REVISION, labelled);
    var revision = new Revision(version, ReleaseStatus.DEPLOYED, labels, "uid");
    assertThat(revision.isForeign(reported)).isEqualTo(foreign);
  }
}
