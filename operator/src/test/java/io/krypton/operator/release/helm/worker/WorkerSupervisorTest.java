// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.krypton.operator.release.helm.HelmClient.HelmResult;
import io.krypton.operator.release.helm.HelmEngine.Readiness;
import io.krypton.operator.release.helm.HelmEngine.RestartReason;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers that die, hang, grow old or do not start. */
class WorkerSupervisorTest {
  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir Path directory;

  @Test
  void a_crash_fails_what_runs_and_the_next_operation_finds_a_new_worker() throws Exception {
    var worker = TestingWorker.silent();
    try (var rig = new WorkerRig(directory, worker)) {
      var first = rig.start(rig.release("r1").uninstall());
      var second = rig.start(rig.release("r2").uninstall());
      await().until(() -> worker.requests().size() == 2);
      worker.die(137);
      for (var running : new CompletableFuture<?>[] {first, second}) {
        assertThat(running.get())
            .isEqualTo(
                new HelmResult.Failed(
                    "the helm worker ended while it worked on this release (it ended with exit"
                        + " code 137); the release is unlocked and tried again"));
      }
      assertThat(rig.engine().run(rig.release("r1").uninstall()))
          .isInstanceOf(HelmResult.Done.class);
      assertThat(rig.replaced()).containsExactly(RestartReason.CRASH);
      assertThat(rig.launches().started()).hasSize(2);
    }
  }

  @Test
  void a_worker_that_keeps_crashing_is_not_started_again_at_once() throws Exception {
    var first = TestingWorker.silent().onRequest((it, request) -> it.die(2));
    var second = TestingWorker.silent().onRequest((it, request) -> it.die(2));
    try (var rig = new WorkerRig(directory, first, second)) {
      var operation = rig.release().uninstall();
      assertThat(rig.engine().run(operation)).isInstanceOf(HelmResult.Failed.class);
      assertThat(rig.engine().run(operation)).isInstanceOf(HelmResult.Failed.class);
      await()
          .untilAsserted(
              () ->
                  assertThat(rig.engine().run(operation))
                      .isEqualTo(
                          new HelmResult.Unusable(
                              "the helm worker keeps ending: it ended with exit code 2")));
      assertThat(rig.engine().problem()).isPresent();
      rig.timePasses(HOUR);
      assertThat(rig.engine().run(operation)).isInstanceOf(HelmResult.Done.class);
      assertThat(rig.engine().problem()).isEmpty();
    }
  }

  @Test
  void a_worker_that_does_not_answer_a_cancellation_is_killed_and_others_fail_with_it()
      throws Exception {
    var worker = TestingWorker.silent();
    try (var rig = new WorkerRig(directory, worker)) {
      var other = rig.start(rig.release("other").uninstall());
      await().until(() -> worker.requests().size() == 1);
      var hanging = rig.release("r").within(Duration.ofMillis(100)).uninstall();
      assertThat(rig.engine().run(hanging)).isInstanceOf(HelmResult.TimedOut.class);
      assertThat(worker.isDead()).isTrue();
      assertThat(other.get())
          .isInstanceOfSatisfying(
              HelmResult.Failed.class,
              it -> assertThat(it.message()).contains("did not answer and was killed"));
      assertThat(rig.engine().run(rig.release("r").uninstall()))
          .isInstanceOf(HelmResult.Done.class);
      assertThat(rig.replaced()).containsExactly(RestartReason.HANG);
    }
  }

  @Test
  void a_worker_that_cannot_be_understood_is_ended() throws Exception {
    var worker =
        TestingWorker.silent()
            .onRequest((it, request) -> it.sendBytes("panic".getBytes(StandardCharsets.UTF_8)));
    try (var rig = new WorkerRig(directory, worker)) {
      assertThat(rig.engine().run(rig.release().uninstall())).isInstanceOf(HelmResult.Failed.class);
      assertThat(worker.isDead()).isTrue();
    }
  }

  @Test
  void after_its_operations_a_worker_is_replaced_while_all_go_on() throws Exception {
    var policy = new RecyclePolicy(5, Long.MAX_VALUE, HOUR);
    try (var rig = new WorkerRig(directory, policy)) {
      var results = new ArrayList<CompletableFuture<HelmResult>>();
      for (var i = 0; i < 200; i++) {
        results.add(rig.start(rig.release("r" + i).uninstall()));
      }
      for (var result : results) {
        assertThat(result.get()).isInstanceOf(HelmResult.Done.class);
      }
      assertThat(rig.replaced()).isNotEmpty().containsOnly(RestartReason.OPERATIONS);
      var old = rig.launches().started().getFirst();
      await().until(old::isDead);
      await().until(() -> rig.engine().status().processes() == 1);
    }
  }

  @Test
  void an_old_worker_ends_what_it_has_begun() throws Exception {
    var policy = new RecyclePolicy(1, Long.MAX_VALUE, HOUR);
    var old =
        TestingWorker.silent()
            .onRequest(
                (it, request) -> {
                  if (request.at("/params/release").asText().equals("quick")) {
                    it.answer(request, "done");
                  }
                });
    try (var rig = new WorkerRig(directory, policy, old)) {
      var slow = rig.start(rig.release("slow").uninstall());
      await().until(() -> old.requests().size() == 1);
      assertThat(rig.engine().run(rig.release("quick").uninstall()))
          .isInstanceOf(HelmResult.Done.class);
      await().until(() -> !rig.replaced().isEmpty());
      assertThat(rig.engine().run(rig.release("next").uninstall()))
          .isInstanceOf(HelmResult.Done.class);
      assertThat(old.isDead()).isFalse();
      assertThat(slow).isNotDone();
      old.answer(old.requests().getFirst(), "done");
      assertThat(slow.get()).isInstanceOf(HelmResult.Done.class);
      await().until(old::isDead);
    }
  }

  @Test
  void a_crash_while_a_fresh_one_starts_leaves_one_worker_in_the_end() throws Exception {
    var policy = new RecyclePolicy(2, Long.MAX_VALUE, HOUR);
    var old = TestingWorker.quick();
    var greeting = new CompletableFuture<JsonNode>();
    var late =
        TestingWorker.silent()
            .withoutGreeting()
            .onRequest((it, request) -> greeting.complete(request));
    try (var rig = new WorkerRig(directory, policy, old, late)) {
      rig.engine().run(rig.release("r1").uninstall());
      rig.engine().run(rig.release("r2").uninstall());
      var hello = greeting.get();
      old.die(137);
      await()
          .until(
              () ->
                  rig.launches().started().size() == 3
                      && rig.engine().status().processes() == 1
                      && rig.engine().problem().isEmpty());
      late.send(TestingWorker.answerTo(hello, "done").put("protocol", 1).put("helm", "v4.3.1"));
      await().until(() -> rig.replaced().contains(RestartReason.OPERATIONS));
      await().until(() -> rig.launches().last().isDead());
      assertThat(late.isDead()).isFalse();
      assertThat(rig.engine().status().processes()).isEqualTo(1);
    }
  }

  @Test
  void a_worker_that_grew_too_large_is_replaced_once_it_is_no_beginner() throws Exception {
    var policy = new RecyclePolicy(Integer.MAX_VALUE, 1000, HOUR);
    var large =
        TestingWorker.silent()
            .onRequest(
                (it, request) ->
                    it.send(TestingWorker.answerTo(request, "done").put("residentBytes", 2000)));
    try (var rig = new WorkerRig(directory, policy, large)) {
      rig.engine().run(rig.release("r1").uninstall());
      assertThat(rig.engine().status().workerBytes()).isEqualTo(2000);
      assertThat(rig.launches().started()).hasSize(1);
      rig.timePasses(HOUR);
      rig.engine().run(rig.release("r2").uninstall());
      await().until(large::isDead);
      assertThat(rig.replaced()).containsExactly(RestartReason.MEMORY);
    }
  }

  @Test
  void without_a_fresh_one_the_old_worker_serves_on() throws Exception {
    var policy = new RecyclePolicy(1, Long.MAX_VALUE, HOUR);
    try (var rig = new WorkerRig(directory, policy)) {
      assertThat(rig.engine().check()).isInstanceOf(Readiness.Ready.class);
      rig.launches().refuse("the disk is full");
      for (var i = 0; i < 5; i++) {
        assertThat(rig.engine().run(rig.release("r" + i).uninstall()))
            .isInstanceOf(HelmResult.Done.class);
      }
      assertThat(rig.engine().problem()).isEmpty();
      assertThat(rig.launches().started()).hasSize(1);
    }
  }

  @Test
  void what_keeps_it_from_starting_is_a_result_until_it_is_mended() throws Exception {
    try (var rig = new WorkerRig(directory)) {
      rig.launches().refuse("not found");
      assertThat(rig.engine().run(rig.release().uninstall()))
          .isEqualTo(new HelmResult.Unusable("not found"));
      assertThat(rig.engine().problem()).contains("not found");
      rig.launches().refuse("");
      rig.timePasses(HOUR);
      assertThat(rig.engine().run(rig.release().uninstall())).isInstanceOf(HelmResult.Done.class);
    }
  }

  @Test
  void another_protocol_and_another_helm_are_refused() throws Exception {
    var futuristic =
        TestingWorker.silent()
            .withoutGreeting()
            .onRequest(
                (it, request) ->
                    it.send(
                        TestingWorker.answerTo(request, "done")
                            .put("protocol", 2)
                            .put("helm", "v4.3.1")));
    var ancient =
        TestingWorker.silent()
            .withoutGreeting()
            .onRequest(
                (it, request) ->
                    it.send(
                        TestingWorker.answerTo(request, "done")
                            .put("protocol", 1)
                            .put("helm", "v3.19.0")));
    try (var rig = new WorkerRig(directory, futuristic, ancient)) {
      assertThat(rig.engine().check())
          .isInstanceOfSatisfying(
              Readiness.NotReady.class,
              it -> assertThat(it.reason()).contains("protocol 2", "--helm-worker"));
      await().until(futuristic::isDead);
      rig.timePasses(HOUR);
      await()
          .untilAsserted(
              () -> assertThat(rig.engine().problem().orElse("")).contains("Helm 'v3.19.0'"));
    }
  }
}
