package io.krypton.agent.reporter;

import static io.krypton.agent.reporter.Samples.FAILING;
import static io.krypton.agent.reporter.Samples.HEALTHY;
import static io.krypton.agent.reporter.Samples.T0;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MailboxTest {
  private final Mailbox mailbox = new Mailbox();

  @Test
  void a_million_updates_leave_one_sample() {
    for (int i = 0; i < 1_000_000; i++) {
      mailbox.update(sample -> sample.ticked(T0));
    }
    assertThat(mailbox.latest().tick()).isEqualTo(1_000_000);
  }

  @Test
  void only_changes_of_the_essence_count_as_transitions() {
    mailbox.update(sample -> sample.with(HEALTHY));
    mailbox.update(sample -> sample.with(HEALTHY));
    mailbox.update(sample -> sample.with(FAILING));

    assertThat(mailbox.latest().transitions()).isEqualTo(2);
    assertThat(mailbox.latest().report()).isEqualTo(FAILING);
  }

  @Test
  void a_waiting_reader_is_woken_by_an_update() throws InterruptedException {
    var seen = mailbox.latest();
    var woken = new CountDownLatch(1);
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                mailbox.awaitOtherThan(seen, Duration.ofMinutes(1));
                woken.countDown();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    mailbox.update(sample -> sample.with(HEALTHY));

    assertThat(woken.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void a_reader_who_saw_an_older_sample_does_not_wait() throws InterruptedException {
    var seen = mailbox.latest();
    mailbox.update(sample -> sample.with(HEALTHY));
    long start = System.nanoTime();

    mailbox.awaitOtherThan(seen, Duration.ofMinutes(1));

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
  }
}
