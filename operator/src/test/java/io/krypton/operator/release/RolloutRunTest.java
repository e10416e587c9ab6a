// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.RolloutResult.Change;
import io.krypton.operator.release.decide.ReleaseDecider.ReleaseDecision;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RolloutRunTest {
  @ParameterizedTest(name = "{0}: believed = {3}")
  @MethodSource
  void after_a_step_the_cache_is_believed_only_where_it_cannot_be_late(
      String rule, Change change, ReleaseDecision byCache, boolean believed) {
    assertThat(RolloutRun.isCacheTrusted(change, byCache)).as(rule).isEqualTo(believed);
  }

  static Stream<Arguments> after_a_step_the_cache_is_believed_only_where_it_cannot_be_late() {
    return Stream.of(
        row(
            "deployed after an install",
            Change.INSTALLED,
            new ReleaseDecision.UpToDate(false),
            true),
        row(
            "after an upgrade it may be the revision before",
            Change.UPGRADED,
            new ReleaseDecision.UpToDate(false),
            false),
        row("nothing was done yet", Change.NONE, new ReleaseDecision.UpToDate(false), false),
        row(
            "installed, and the cache does not know yet",
            Change.INSTALLED,
            new ReleaseDecision.Confirm(),
            false),
        row(
            "installed, and the cache still says pending",
            Change.INSTALLED,
            new ReleaseDecision.Wait(null),
            false));
  }

  private static Arguments row(
      String rule, Change change, ReleaseDecision byCache, boolean believed) {
    return Arguments.of(rule, change, byCache, believed);
  }
}
