package io.krypton.operator.release.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.decide.ReleaseDecider.Remediation;
import io.krypton.operator.release.decide.Revision.ReleaseStatus;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class RemediationTest {
  private static final ReleaseHistory FAILED_UPGRADE =
      new ReleaseHistory(
          List.of(revision(3, ReleaseStatus.DEPLOYED), revision(4, ReleaseStatus.FAILED)));

  @Test
  void by_default_a_failed_upgrade_is_left_as_it_is() {
    assertThat(Remediation.NONE.rollbackTo(100, FAILED_UPGRADE)).isEmpty();
  }

  @Test
  void rollback_follows_the_fifth_and_every_later_failure() {
    assertThat(Remediation.ROLLBACK.rollbackTo(4, FAILED_UPGRADE)).isEmpty();
    assertThat(Remediation.ROLLBACK.rollbackTo(5, FAILED_UPGRADE)).isEqualTo(OptionalInt.of(3));
    assertThat(Remediation.ROLLBACK.rollbackTo(6, FAILED_UPGRADE)).isEqualTo(OptionalInt.of(3));
  }

  @Test
  void there_is_nothing_to_roll_back_to_after_a_failed_first_install() {
    var history = new ReleaseHistory(List.of(revision(1, ReleaseStatus.FAILED)));
    assertThat(Remediation.ROLLBACK.rollbackTo(5, history)).isEmpty();
  }

  @Test
  void a_release_that_still_stands_is_not_rolled_back() {
    var history = new ReleaseHistory(List.of(revision(1, ReleaseStatus.DEPLOYED)));
    assertThat(Remediation.ROLLBACK.rollbackTo(5, history)).isEmpty();
  }

  private static Revision revision(int version, ReleaseStatus status) {
    return new Revision(version, status, Map.of(), "uid");
  }
}
