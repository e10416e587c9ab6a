// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConcurrencyLimitsTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          alone, the first                       | 8 | 6 | 0 | 0 | 1 | true
          alone, the last that it may have       | 8 | 6 | 5 | 5 | 1 | true
          alone, the rest is kept                | 8 | 6 | 6 | 6 | 1 | false
          another one may have what is kept      | 8 | 6 | 0 | 6 | 2 | true
          but only its first                     | 8 | 6 | 1 | 7 | 2 | false
          and a third one as well                | 8 | 6 | 0 | 7 | 3 | true
          nothing is left for a fourth           | 8 | 6 | 0 | 8 | 4 | false
          two share                              | 8 | 6 | 2 | 4 | 2 | true
          two share, and this one has its half   | 8 | 6 | 3 | 3 | 2 | false
          many share, one each is always allowed | 8 | 6 | 0 | 5 | 9 | true
          many share, none gets two              | 8 | 6 | 1 | 5 | 9 | false
          one cluster may have all if told so    | 4 | 4 | 3 | 3 | 1 | true
          never more than there are              | 4 | 4 | 3 | 4 | 1 | false
          a single one                           | 1 | 1 | 0 | 0 | 5 | true
          """)
  void what_a_cluster_may_have_depends_on_who_is_busy(
      String rule, int total, int perCluster, int held, int taken, int busy, boolean allowed) {
    assertThat(new ConcurrencyLimits(total, perCluster).allow(held, taken, busy))
        .as(rule)
        .isEqualTo(allowed);
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 0", "2, 1, 1", "3, 2, 1", "8, 6, 2", "32, 24, 8"})
  void one_alone_may_have_all_but_a_quarter(int total, int alone, int kept) {
    var concurrencyLimits = ConcurrencyLimits.sharing(total);
    assertThat(concurrencyLimits.perCluster()).isEqualTo(alone);
    assertThat(concurrencyLimits.reserve()).isEqualTo(kept);
  }

  @Test
  void what_is_kept_is_not_for_a_cluster_that_is_slow() {
    var concurrencyLimits = ConcurrencyLimits.sharing(8);
    assertThat(concurrencyLimits.allow(0, 6, 4, false)).isFalse();
    assertThat(concurrencyLimits.allow(0, 5, 4, false)).isTrue();
  }

  @Test
  void nonsense_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ConcurrencyLimits(1, 2))
        .withMessageContaining("perCluster=2, total=1");
  }
}
