// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.Lifecycle.Step;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LifecycleTest {
  private final List<String> happened = new ArrayList<>();

  @Test
  void steps_start_and_drain_in_order_and_close_in_reverse_order() {
    var lifecycle = new Lifecycle(List.of(step("a"), step("b"), step("c")));
    lifecycle.start();
    lifecycle.close();

    assertThat(happened)
        .containsExactly(
            "start a", "start b", "start c", "drain a", "drain b", "drain c", "close c", "close b",
            "close a");
  }

  @Test
  void only_the_first_close_has_an_effect() throws InterruptedException {
    var lifecycle = new Lifecycle(List.of(step("a")));
    lifecycle.close();
    lifecycle.close();
    lifecycle.awaitClosed();

    assertThat(happened).containsExactly("drain a", "close a");
  }

  @Test
  void a_step_that_fails_to_close_does_not_keep_the_others_from_closing() {
    var failing =
        step("b")
            .onClose(
                () -> {
                  throw new IllegalStateException("on purpose");
                });
    new Lifecycle(List.of(step("a"), failing, step("c"))).close();

    assertThat(happened).endsWith("close c", "close a");
  }

  @Test
  void a_step_that_fails_to_drain_does_not_keep_the_others_from_closing() {
    var failing =
        step("a")
            .onDrain(
                () -> {
                  throw new IllegalStateException("on purpose");
                });
    new Lifecycle(List.of(failing, step("b"))).close();

    assertThat(happened).containsExactly("drain b", "close b", "close a");
  }

  @Test
  void an_interrupted_drain_still_closes_all_steps() {
    var interrupted =
        step("a")
            .onDrain(
                () -> {
                  throw new InterruptedException();
                });
    new Lifecycle(List.of(interrupted, step("b"))).close();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(happened).containsExactly("close b", "close a");
  }

  private Step step(String name) {
    return Step.of(name)
        .onStart(() -> happened.add("start " + name))
        .onDrain(() -> happened.add("drain " + name))
        .onClose(() -> happened.add("close " + name));
  }
}
