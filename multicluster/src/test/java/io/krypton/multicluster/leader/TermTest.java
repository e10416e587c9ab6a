// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.multicluster.leader.LeadershipListener.Term;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TermTest {
  private final AtomicLong clock = new AtomicLong();
  private final Term term = new Term(clock.get(), Duration.ofSeconds(10), clock::get);

  @Test
  void a_term_ends_by_itself_at_the_deadline_without_any_thread() {
    clock.set(Duration.ofSeconds(10).toNanos() - 1);
    assertThat(term.isHeld()).isTrue();
    clock.set(Duration.ofSeconds(10).toNanos());
    assertThat(term.isHeld()).isFalse();
  }

  @Test
  void a_renewal_counts_from_when_it_was_sent_not_from_its_answer() {
    var sentAt = Duration.ofSeconds(3).toNanos();
    clock.set(Duration.ofSeconds(8).toNanos());
    term.renewed(sentAt);
    clock.set(Duration.ofSeconds(13).toNanos());
    assertThat(term.isHeld()).isFalse();
  }

  @Test
  void a_term_that_was_ended_stays_ended() {
    term.end();
    term.renewed(clock.get());
    assertThat(term.isHeld()).isFalse();
  }

  @Test
  void timings_that_allow_two_leaders_are_refused() {
    assertThatThrownBy(
            () ->
                new LeaseTimings(
                    Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("renew deadline < lease duration");
  }
}
