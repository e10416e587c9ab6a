// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.operator.release.helm.HelmClient.HelmResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class BoundedHelmClientTest {
  private final TestingEngine engine = new TestingEngine(new ConcurrencyLimits(4, 2));
  private final List<String> heard = Collections.synchronizedList(new ArrayList<>());
  private final BoundedHelmClient helm =
      new BoundedHelmClient(
          engine,
          (operation, result, took) ->
              heard.add(
                  "%s %s %s"
                      .formatted(
                          operation.target().release().cluster(),
                          operation.action(),
                          result.value())));

  @Test
  void a_release_is_worked_on_by_one_at_a_time() throws Exception {
    var first = start("r");
    assertThat(helm.isRunning(operations("r").target().release())).isTrue();
    assertThat(helm.run(operations("r").uninstall())).isInstanceOf(HelmResult.Busy.class);
    engine.goOn();
    assertThat(first.get()).isEqualTo(new HelmResult.Done());
    assertThat(helm.isRunning(operations("r").target().release())).isFalse();
  }

  @Test
  void without_a_free_slot_it_is_busy_at_once() throws Exception {
    var first = start("r1");
    var second = start("r2");
    assertThat(helm.run(operations("r3").uninstall()))
        .isEqualTo(new HelmResult.Busy("there is no free helm slot"));
    engine.goOn();
    assertThat(List.of(first.get(), second.get())).containsOnly(new HelmResult.Done());
  }

  @Test
  void whoever_found_no_slot_is_called_and_has_it_then() throws Exception {
    var first = start("r1");
    var second = start("r2");
    var calls = Collections.synchronizedList(new ArrayList<String>());
    var third = operations("r3").target().release();
    var fourth = operations("r4").target().release();
    assertThat(helm.reserve(third, () -> calls.add("r3"))).isFalse();
    assertThat(helm.reserve(fourth, () -> calls.add("r4"))).isFalse();
    var elsewhere = TestOperations.on("elsewhere", "acme", "r", "{}").target().release();
    assertThat(helm.reserve(elsewhere, () -> {})).as("a slow cluster stops no other").isTrue();

    engine.goOn();
    assertThat(List.of(first.get(), second.get())).containsOnly(new HelmResult.Done());

    assertThat(calls).containsExactly("r3", "r4");
    assertThat(helm.run(operations("r5").uninstall()))
        .as("the slots are theirs, though nothing runs")
        .isInstanceOf(HelmResult.Busy.class);
    assertThat(helm.reserve(third, () -> {})).isTrue();
    assertThat(helm.run(operations("r3").uninstall())).isEqualTo(new HelmResult.Done());
    helm.releaseReservation(third);
    helm.releaseReservation(fourth);
    assertThat(helm.run(operations("r5").uninstall())).isEqualTo(new HelmResult.Done());
  }

  @Test
  void an_engine_that_can_take_more_later_gets_more() {
    engine.goOn();
    var waiting = operations("r3").target().release();
    assertThat(helm.reserve(operations("r1").target().release(), () -> {})).isTrue();
    assertThat(helm.reserve(operations("r2").target().release(), () -> {})).isTrue();
    assertThat(helm.reserve(waiting, () -> {})).isFalse();
    engine.limit(new ConcurrencyLimits(8, 8));
    assertThat(helm.reserve(waiting, () -> {})).isTrue();
  }

  @Test
  void every_operation_is_told_to_the_listener() {
    engine.goOn();
    helm.run(operations("r").install(Path.of("c.tgz")));
    engine.answer(new HelmResult.Failed("no"));
    helm.run(operations("r").rollback(1));
    assertThat(heard).containsExactly("edge install done", "edge rollback failed");
  }

  private CompletableFuture<HelmResult> start(String release) {
    var result = new CompletableFuture<HelmResult>();
    var operation = operations(release).uninstall();
    Thread.startVirtualThread(() -> result.complete(helm.run(operation)));
    await().until(() -> engine.operations().contains(operation));
    return result;
  }

  private static TestOperations operations(String release) {
    return TestOperations.on("edge", "acme", release, "{}");
  }
}
