// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.revision;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.classes.revision.RevisionDraft.Complete;
import io.krypton.operator.classes.revision.Revisions.Judgement;
import io.krypton.operator.classes.revision.Revisions.Judgement.Accepted;
import io.krypton.operator.classes.revision.Revisions.Judgement.Refused;
import io.krypton.operator.release.chart.ChartRef;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RevisionsTest {
  private static final ClassRevision FIRST = draft("1.0.0", "d1").numbered("gold", 1);
  private static final ClassRevision SECOND = draft("1.1.0", "d2").numbered("gold", 2);
  private static final Revisions REVISIONS = new Revisions("gold", List.of(FIRST, SECOND));

  private static Complete draft(String version, String digest) {
    return new Complete(ChartRef.of("/charts", "web", version), digest, CentralValues.NONE);
  }

  @Test
  void the_first_one_is_number_one() {
    assertThat(new Revisions("gold", List.of()).judge(draft("1.0.0", "d1"), false, null))
        .isEqualTo(new Accepted(FIRST, true));
  }

  @Test
  void what_is_new_gets_the_next_number() {
    assertThat(REVISIONS.judge(draft("1.2.0", "d3"), false, SECOND))
        .isEqualTo(new Accepted(draft("1.2.0", "d3").numbered("gold", 3), true));
  }

  @Test
  void what_was_rolled_out_before_keeps_its_number() {
    assertThat(REVISIONS.judge(draft("1.0.0", "d1"), true, SECOND))
        .isEqualTo(new Accepted(FIRST, false));
  }

  @Test
  void a_version_with_another_content_is_refused() {
    assertThat(REVISIONS.judge(draft("1.1.0", "another"), true, SECOND))
        .isInstanceOfSatisfying(
            Refused.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo("VersionRepushed");
              assertThat(refused.message()).contains("1.1.0", "another", "d2");
            });
  }

  @Test
  void an_older_version_is_refused_unless_it_is_the_stable_one_or_the_class_allows_it() {
    Judgement refused = REVISIONS.judge(draft("1.0.0", "d1"), false, SECOND);

    assertThat(refused)
        .isInstanceOfSatisfying(
            Refused.class, it -> assertThat(it.reason()).isEqualTo("DowngradeRefused"));
    assertThat(REVISIONS.judge(draft("1.0.0", "d1"), false, FIRST)).isInstanceOf(Accepted.class);
    assertThat(REVISIONS.judge(draft("1.0.0", "d1"), true, SECOND)).isInstanceOf(Accepted.class);
  }

  @Test
  void a_reference_names_one_by_number_and_hash() {
    assertThat(REVISIONS.find(SECOND.reference())).isEqualTo(SECOND);
    assertThat(REVISIONS.find(null)).isNull();
    assertThat(REVISIONS.find(draft("1.1.0", "other").numbered("gold", 2).reference())).isNull();
    assertThat(REVISIONS.byLabel(FIRST.label())).isEqualTo(FIRST);
  }

  @Test
  void the_newest_stay_and_whatever_is_in_use() {
    var all =
        IntStream.rangeClosed(1, 6)
            .mapToObj(number -> draft("1.%d.0".formatted(number), "d").numbered("gold", number))
            .toList();
    var revisions = new Revisions("gold", all);

    assertThat(revisions.superfluous(2, Set.of(all.getFirst().label())))
        .extracting(ClassRevision::number)
        .containsExactly(4, 3, 2);
    assertThat(revisions.superfluous(10, Set.of())).isEmpty();
  }
}
