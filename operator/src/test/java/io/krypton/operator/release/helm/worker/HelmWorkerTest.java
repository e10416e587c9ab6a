// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.helm.HelmMessage.Redactor;
import io.krypton.operator.release.helm.worker.WorkerCall.Reply;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One worker and what is asked of it. */
class HelmWorkerTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  @Test
  void a_request_that_no_frame_can_hold_fails_alone() throws Exception {
    var process = TestingWorker.quick();
    var worker = new HelmWorker(process.start(), (it, response) -> {}, 1000);
    worker.start();
    var reply = ask(worker, "x".repeat(1000));
    assertThat(reply)
        .isInstanceOfSatisfying(
            Reply.Answered.class,
            it -> {
              assertThat(it.response().status()).isEqualTo("failed");
              assertThat(it.response().message())
                  .contains("bytes, more than the 1000 that a Helm worker takes");
            });
    assertThat(ask(worker, "east"))
        .isInstanceOfSatisfying(
            Reply.Answered.class, it -> assertThat(it.response().status()).isEqualTo("done"));
    assertThat(process.requests()).hasSize(1);
    worker.close();
    assertThat(worker.ended().get()).isEqualTo(HelmWorker.EndCause.CLOSED);
  }

  private static Reply ask(HelmWorker worker, String cluster) throws InterruptedException {
    return worker
        .request("edge", WorkerRequest.forget(cluster), () -> new Redactor(List.of()))
        .orElseThrow()
        .await(LONG);
  }
}
