// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.Labels;
import io.krypton.operator.release.RolloutRun.NewRevision;
import io.krypton.operator.release.decide.ReleaseHistory;
import io.krypton.operator.release.decide.Revision;
import io.krypton.operator.release.decide.Revision.ReleaseStatus;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RolloutRunTest {
  private static final NewRevision MADE = new NewRevision(2, "uid-before", null);

  @ParameterizedTest(name = "{0}: believed = {2}")
  @MethodSource
  void after_a_helm_run_the_cache_is_believed_only_where_it_cannot_be_late(
      String rule, ReleaseHistory cached, boolean believed) {
    assertThat(MADE.isIn(cached)).as(rule).isEqualTo(believed);
  }

  static Stream<Arguments> after_a_helm_run_the_cache_is_believed_only_where_it_cannot_be_late() {
    return Stream.of(
        row("it shows the new revision", true, ours(2, ReleaseStatus.DEPLOYED, "new")),
        row(
            "it shows the new revision and the one before",
            true,
            ours(1, ReleaseStatus.SUPERSEDED, "old"),
            ours(2, ReleaseStatus.DEPLOYED, "new")),
        row("it shows nothing yet", false),
        row("it shows the one before only", false, ours(1, ReleaseStatus.DEPLOYED, "old")),
        row("it still says pending", false, ours(2, ReleaseStatus.PENDING_UPGRADE, "new")),
        row(
            "somebody else has made one since",
            false,
            ours(2, ReleaseStatus.SUPERSEDED, "new"),
            revision(3, ReleaseStatus.DEPLOYED, "2", "foreign")),
        row(
            "somebody else made the one of that number",
            false,
            revision(2, ReleaseStatus.DEPLOYED, "1", "foreign")),
        row(
            "the one of that number is gone, and was there before",
            false,
            ours(2, ReleaseStatus.DEPLOYED, "uid-before")));
  }

  private static Revision ours(int number, ReleaseStatus status, String uid) {
    return revision(number, status, Integer.toString(number), uid);
  }

  private static Revision revision(int number, ReleaseStatus status, String label, String uid) {
    return new Revision(number, status, Map.of(Labels.REVISION, label), uid);
  }

  private static Arguments row(String rule, boolean believed, Revision... cached) {
    return Arguments.of(rule, ReleaseHistory.of(List.of(cached)), believed);
  }
}
