// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.krypton.operator.release.helm.HelmClient.AppliedRelease;
import io.krypton.operator.release.helm.HelmClient.HelmResult;
import io.krypton.operator.release.helm.HelmEngine.Readiness;
import io.krypton.operator.release.helm.HelmOperation.Install;
import io.krypton.operator.release.helm.TestOperations;
import io.krypton.operator.release.values.ChartValues;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operations as requests, and answers as results. What becomes of workers: next door. */
class WorkerEngineTest {
  private static final Path CHART = Path.of("/c.tgz");

  @TempDir Path directory;

  @Test
  void what_was_stored_comes_back() {
    var worker =
        TestingWorker.silent()
            .onRequest(
                (it, request) -> {
                  var response = TestingWorker.answerTo(request, "done");
                  response.putObject("release").put("revision", 2).put("manifest", "kind: A");
                  it.send(response);
                });
    try (var rig = new WorkerRig(directory, worker)) {
      assertThat(rig.engine().run(rig.release().install(CHART)))
          .isEqualTo(new HelmResult.Done(new AppliedRelease(2, "kind: A")));
      assertThat(rig.engine().status().version()).isEqualTo("v4.3.1");
      assertThat(rig.engine().status().processes()).isEqualTo(1);
    }
    assertThat(worker.isDead()).isTrue();
  }

  @Test
  void each_status_has_its_result_without_secrets() {
    var messages =
        new ArrayDeque<>(
            List.of(
                "spec.x: Invalid value: \"swordfish\" for hunter2",
                "kubernetes cluster unreachable: hunter2",
                "",
                ""));
    var statuses = new ArrayDeque<>(List.of("failed", "unreachable", "cancelled", "unheard-of"));
    var worker =
        TestingWorker.silent()
            .onRequest(
                (it, request) ->
                    it.send(
                        TestingWorker.answerTo(request, statuses.remove())
                            .put("message", messages.remove())));
    try (var rig = new WorkerRig(directory, worker)) {
      var values = ChartValues.of(Map.of("password", "swordfish")).asSecret();
      var install = new Install(rig.release().target(), TestOperations.rollout(CHART, values, 1));
      assertThat(rig.engine().run(install))
          .isEqualTo(new HelmResult.Failed("spec.x: Invalid value: \"***\" for ***"));
      assertThat(rig.engine().run(install))
          .isEqualTo(new HelmResult.Unreachable("kubernetes cluster unreachable: ***"));
      assertThat(rig.engine().run(install))
          .as("nobody asked it to")
          .isInstanceOf(HelmResult.Failed.class);
      assertThat(rig.engine().run(install))
          .isEqualTo(new HelmResult.Failed("helm failed and said nothing"));
    }
  }

  @Test
  void a_message_that_the_worker_has_cut_begins_with_no_half_of_a_secret() {
    var secret =
        IntStream.range(0, 3000).mapToObj(i -> "fish" + i).collect(Collectors.joining("-"));
    var worker =
        TestingWorker.silent()
            .onRequest(
                (it, request) ->
                    it.send(
                        TestingWorker.answerTo(request, "failed")
                            .put("message", secret.substring(7) + secret.repeat(3) + " is bad")));
    try (var rig = new WorkerRig(directory, worker)) {
      var values = ChartValues.of(Map.of("password", secret)).asSecret();
      var install = new Install(rig.release().target(), TestOperations.rollout(CHART, values, 1));
      assertThat(rig.engine().run(install))
          .isInstanceOfSatisfying(
              HelmResult.Failed.class, it -> assertThat(it.message()).doesNotContain("fish"));
    }
  }

  @Test
  void answers_find_their_requests_in_any_order() throws Exception {
    var first = new CompletableFuture<JsonNode>();
    var worker =
        TestingWorker.silent()
            .onRequest(
                (it, request) -> {
                  if (!first.complete(request)) {
                    it.answer(request, "done");
                  }
                });
    try (var rig = new WorkerRig(directory, worker)) {
      var slow = rig.start(rig.release("slow").uninstall());
      var asked = first.get();
      assertThat(rig.engine().run(rig.release("quick").uninstall()))
          .isInstanceOf(HelmResult.Done.class);
      assertThat(slow).isNotDone();
      worker.answer(asked, "failed");
      assertThat(slow.get()).isInstanceOf(HelmResult.Failed.class);
    }
  }

  @Test
  void an_interrupt_cancels_and_stays_set() throws Exception {
    var worker = TestingWorker.silent().onRequest(WorkerRig::answerOnlyCancel);
    try (var rig = new WorkerRig(directory, worker)) {
      var interrupted = new CompletableFuture<Boolean>();
      var result = new CompletableFuture<HelmResult>();
      var caller =
          Thread.startVirtualThread(
              () -> {
                result.complete(rig.engine().run(rig.release().uninstall()));
                interrupted.complete(Thread.currentThread().isInterrupted());
              });
      await().until(() -> worker.methods().contains("uninstall"));
      caller.interrupt();
      assertThat(result.get()).isEqualTo(new HelmResult.Stopped());
      assertThat(interrupted.get()).isTrue();
      assertThat(worker.methods()).containsExactly("uninstall", "cancel");
      assertThat(worker.isDead()).as("it answered, so it stays").isFalse();
    }
  }

  @Test
  void a_cluster_that_leaves_takes_its_operations_along_and_is_forgotten() throws Exception {
    var worker = TestingWorker.silent().onRequest(WorkerRig::answerOnlyCancel);
    try (var rig = new WorkerRig(directory, worker)) {
      var running = rig.start(rig.release().uninstall());
      await().until(() -> worker.methods().contains("uninstall"));
      rig.engine().stop("other");
      rig.engine().forget("other");
      await().until(() -> worker.methods().contains("forget"));
      assertThat(running).isNotDone();
      rig.engine().stop("edge");
      assertThat(running.get()).isEqualTo(new HelmResult.Stopped());
      assertThat(worker.methods()).containsExactly("uninstall", "forget", "cancel");
    }
  }

  @Test
  void an_operation_is_cancelled_after_its_time() {
    var worker = TestingWorker.silent().onRequest(WorkerRig::answerOnlyCancel);
    try (var rig = new WorkerRig(directory, worker)) {
      var operations = rig.release().within(Duration.ofMillis(100));
      assertThat(rig.engine().run(operations.uninstall()))
          .isEqualTo(
              new HelmResult.TimedOut(Duration.ofMillis(200), "the operation was cancelled"));
      assertThat(rig.replaced()).isEmpty();
    }
  }

  @Test
  void what_was_done_just_before_the_cancellation_is_done() {
    var worker =
        TestingWorker.silent()
            .onRequest(
                (it, request) -> {
                  if (request.path("method").asText().equals("cancel")) {
                    it.send(
                        TestingWorker.answerTo(request, "done")
                            .put("id", request.at("/params/id").asLong()));
                  }
                });
    try (var rig = new WorkerRig(directory, worker)) {
      var operations = rig.release().within(Duration.ofMillis(100));
      assertThat(rig.engine().run(operations.uninstall())).isInstanceOf(HelmResult.Done.class);
    }
  }

  @Test
  void close_ends_what_runs_and_nothing_runs_after_it() throws Exception {
    var worker = TestingWorker.silent();
    var rig = new WorkerRig(directory, worker);
    var running = rig.start(rig.release().uninstall());
    await().until(() -> worker.methods().contains("uninstall"));
    rig.close();
    assertThat(running.get()).isEqualTo(new HelmResult.Stopped());
    assertThat(worker.isDead()).isTrue();
    assertThat(rig.engine().run(rig.release().uninstall())).isEqualTo(new HelmResult.Stopped());
  }

  @Test
  void what_an_operation_leaves_locked_is_free_for_the_next_run() throws Exception {
    for (var status : List.of("closed", "late", "crashed")) {
      var place = directory.resolve(status);
      var worker =
          TestingWorker.silent()
              .onRequest(
                  (it, request) -> {
                    if (status.equals("crashed")) {
                      it.die(2);
                    } else {
                      WorkerRig.answerOnlyCancel(it, request);
                    }
                  });
      String instance;
      try (var rig = new WorkerRig(place, worker)) {
        instance = rig.engine().instance();
        var limit = status.equals("late") ? Duration.ofMillis(100) : Duration.ofMinutes(1);
        var running = rig.start(rig.release().within(limit).uninstall());
        await().until(() -> worker.methods().contains("uninstall"));
        if (!status.equals("closed")) {
          running.join();
        }
      }
      assertThat(nameStays(place, instance)).as(status).isTrue();
    }
  }

  @Test
  void a_run_that_leaves_nothing_locked_is_not_remembered() {
    String instance;
    try (var rig = new WorkerRig(directory)) {
      instance = rig.engine().instance();
      assertThat(rig.engine().run(rig.release().uninstall())).isInstanceOf(HelmResult.Done.class);
    }
    assertThat(nameStays(directory, instance)).isFalse();
  }

  /** For the next run of the program, to which this one cannot pretend to be dead. */
  private static boolean nameStays(Path place, String instance) {
    return Files.exists(place.resolve("data/helm").resolve(instance));
  }

  @Test
  void a_check_starts_the_worker() throws Exception {
    try (var rig = new WorkerRig(directory)) {
      assertThat(rig.engine().problem()).isPresent();
      assertThat(rig.engine().check()).isEqualTo(new Readiness.Ready("v4.3.1"));
      assertThat(rig.engine().problem()).isEmpty();
      assertThat(rig.launches().started()).hasSize(1);
    }
  }
}
