// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.multicluster.leader.LeaseElector.ObservedLease;
import io.krypton.multicluster.leader.LeaseStore.LeaseRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ObservedLeaseTest {
  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
  private final ObservedLease observedLease = new ObservedLease(Duration.ofSeconds(15), clock::get);

  private static LeaseRecord record(String holder, Instant renewed) {
    return new LeaseRecord(holder, Duration.ofSeconds(15), Instant.EPOCH, renewed, 0, "1");
  }

  private void pass(Duration time) {
    clock.addAndGet(time.toNanos());
  }

  @Test
  void a_holder_is_respected_from_when_we_first_saw_its_record_whatever_the_record_says() {
    var longAgo = record("other", Instant.parse("2001-01-01T00:00:00Z"));
    assertThat(observedLease.remainingValidity(longAgo)).isEqualTo(Duration.ofSeconds(15));
    pass(Duration.ofSeconds(14));
    assertThat(observedLease.remainingValidity(longAgo)).isEqualTo(Duration.ofSeconds(1));
    pass(Duration.ofSeconds(1));
    assertThat(observedLease.remainingValidity(longAgo)).isEqualTo(Duration.ZERO);
  }

  @Test
  void each_renewal_starts_the_wait_anew() {
    observedLease.remainingValidity(record("other", Instant.EPOCH));
    pass(Duration.ofSeconds(14));
    assertThat(observedLease.remainingValidity(record("other", Instant.EPOCH.plusSeconds(1))))
        .isEqualTo(Duration.ofSeconds(15));
  }

  @Test
  void a_released_lease_is_free_at_once() {
    assertThat(observedLease.remainingValidity(record("", Instant.EPOCH))).isEqualTo(Duration.ZERO);
  }

  @Test
  void a_record_without_duration_lasts_as_long_as_ours() {
    var bare = new LeaseRecord("other", Duration.ZERO, Instant.EPOCH, Instant.EPOCH, 0, "1");
    assertThat(observedLease.remainingValidity(bare)).isEqualTo(Duration.ofSeconds(15));
  }
}
