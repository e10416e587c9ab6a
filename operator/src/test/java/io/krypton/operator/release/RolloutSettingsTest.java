// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.RolloutSettings.DriftMode;
import io.krypton.operator.release.decide.ReleaseHistory;
import io.krypton.operator.release.decide.Revision;
import io.krypton.operator.release.decide.Revision.ReleaseStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class RolloutSettingsTest {
  private static final RolloutSettings NONE = settings(false);
  private static final RolloutSettings ROLLBACK = settings(true);

  private static final ReleaseHistory FAILED_UPGRADE =
      new ReleaseHistory(
          List.of(revision(3, ReleaseStatus.DEPLOYED), revision(4, ReleaseStatus.FAILED)));

  @Test
  void by_default_a_failed_upgrade_is_left_as_it_is() {
    assertThat(NONE.rollbackTo(100, FAILED_UPGRADE)).isEmpty();
  }

  @Test
  void rollback_follows_the_fifth_and_every_later_failure() {
    assertThat(ROLLBACK.rollbackTo(4, FAILED_UPGRADE)).isEmpty();
    assertThat(ROLLBACK.rollbackTo(5, FAILED_UPGRADE)).isEqualTo(OptionalInt.of(3));
    assertThat(ROLLBACK.rollbackTo(6, FAILED_UPGRADE)).isEqualTo(OptionalInt.of(3));
  }

  @Test
  void there_is_nothing_to_roll_back_to_after_a_failed_first_install() {
    var history = new ReleaseHistory(List.of(revision(1, ReleaseStatus.FAILED)));
    assertThat(ROLLBACK.rollbackTo(5, history)).isEmpty();
  }

  @Test
  void a_release_that_still_stands_is_not_rolled_back() {
    var history = new ReleaseHistory(List.of(revision(1, ReleaseStatus.DEPLOYED)));
    assertThat(ROLLBACK.rollbackTo(5, history)).isEmpty();
  }

  private static RolloutSettings settings(boolean rollbackAfterFailures) {
    var minute = Duration.ofMinutes(1);
    return new RolloutSettings(
        "instance", minute, minute, minute, DriftMode.REPAIR, rollbackAfterFailures, false);
  }

  private static Revision revision(int version, ReleaseStatus status) {
    return new Revision(version, status, Map.of(), "uid");
  }
}
