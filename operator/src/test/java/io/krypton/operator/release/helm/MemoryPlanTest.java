// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.helm.MemoryPlan.Share;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryPlanTest {
  private static final long MIB = 1L << 20;

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          the chart's limit on a large node    |    768 |   192 |  64 |   3 |  72 | 11 |  336 | 24
          the same on a small node             |    768 |   192 |   2 |   3 |  72 |  8 |  256 | 24
          twice as much                        |   1536 |   384 |  64 |  10 |  68 | 35 |  912 | 32
          four times as much, a small node     |   3072 |   768 |   2 |   8 | 128 |  8 |  256 | 32
          four times as much                   |   3072 |   768 |  64 |  25 |  64 | 83 | 2064 | 32
          much memory, a few processors        |  24000 |  6000 |   2 |   8 | 128 |  8 |  256 | 32
          much memory, many processors         | 256000 | 64000 |  64 | 128 | 128 |128 | 3136 | 32
          too little for anything, one still   |    256 |   128 |  64 |   1 |  64 |  1 |   96 | 16
          a tiny heap                          |    128 |    16 |  64 |   1 |  64 |  1 |   96 |  4
          """)
  void what_is_possible_bounds_what_is_useful(
      String rule,
      long limit,
      long heap,
      int processors,
      int processes,
      int each,
      int operations,
      int all,
      int workers) {
    assertThat(MemoryPlan.of(OptionalLong.of(limit * MIB), heap * MIB, processors))
        .as(rule)
        .isEqualTo(new MemoryPlan(new Share(processes, each), new Share(operations, all), workers));
  }

  @Test
  void without_a_limit_the_heap_tells_how_much_there_is() {
    assertThat(MemoryPlan.of(OptionalLong.empty(), 192 * MIB, 64))
        .isEqualTo(MemoryPlan.of(OptionalLong.of(768 * MIB), 192 * MIB, 64));
  }

  @Test
  void who_chooses_a_number_gets_it_from_both_engines() {
    var plan = MemoryPlan.ofThisProcess().withOperations(3);
    assertThat(plan.cli().operations()).isEqualTo(3);
    assertThat(plan.worker().operations()).isEqualTo(3);
    assertThat(plan.workers()).isEqualTo(MemoryPlan.ofThisProcess().workers());
  }

  @ParameterizedTest
  @CsvSource({"512", "768", "1024", "2048", "4096"})
  void all_together_never_need_more_than_there_is(long limit) {
    var heap = limit / 4;
    var plan = MemoryPlan.of(OptionalLong.of(limit * MIB), heap * MIB, 64);
    assertThat(heap + 160 + 64 + (plan.cli().operations() + 1L) * (plan.cli().megabytes() + 16))
        .isLessThanOrEqualTo(limit);
    assertThat(heap + 160 + 80 + plan.worker().megabytes()).isLessThanOrEqualTo(limit);
  }
}
