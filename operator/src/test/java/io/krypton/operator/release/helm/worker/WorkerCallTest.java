// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.helm.HelmMessage.Redactor;
import io.krypton.operator.release.helm.worker.WorkerCall.Reply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A call whose worker answers before the one who waits has looked. */
class WorkerCallTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final WorkerCall call =
      new WorkerCall(
          1,
          "edge",
          new HelmWorker(TestingWorker.silent(), (worker, response) -> {}),
          () -> new Redactor(List.of()));

  private void answer(String status) throws Exception {
    var frame = "{\"id\": 1, \"status\": \"%s\"}".formatted(status);
    call.complete(
        new Reply.Answered(WorkerResponse.decode(frame.getBytes(StandardCharsets.UTF_8))));
  }

  @Test
  void what_was_stopped_and_came_back_cancelled_is_stopped() throws Exception {
    call.stop();
    answer("cancelled");
    assertThat(call.await(LONG)).isEqualTo(new Reply.Stopped());
  }

  @Test
  void what_was_stopped_and_was_done_before_is_done() throws Exception {
    call.stop();
    answer("done");
    assertThat(call.await(LONG)).isInstanceOf(Reply.Answered.class);
  }

  @Test
  void what_a_worker_cancels_by_itself_is_its_answer() throws Exception {
    answer("cancelled");
    assertThat(call.await(LONG)).isInstanceOf(Reply.Answered.class);
  }
}
