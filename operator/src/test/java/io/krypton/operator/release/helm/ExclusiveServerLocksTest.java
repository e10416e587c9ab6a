// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.helm.HelmOperation.ReleaseKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExclusiveServerLocksTest {
  private final ExclusiveServerLocks turns = new ExclusiveServerLocks(() -> 0);
  private final List<String> called = new ArrayList<>();

  private static ReleaseKey release(String cluster, String name) {
    return new ReleaseKey(cluster, "ns", new ReleaseName(name));
  }

  private boolean take(ReleaseKey release, String server) {
    return turns.tryAcquire(release, server, () -> called.add(release.name().value()));
  }

  @Test
  void one_at_a_time_on_each_server_and_the_next_is_called_when_it_is_free() {
    var first = release("edge", "first");
    var second = release("another-name", "second");
    var third = release("edge", "third");
    assertThat(take(first, "server")).isTrue();
    assertThat(take(first, "server")).as("it has it already").isTrue();
    assertThat(take(second, "server")).isFalse();
    assertThat(take(third, "server")).isFalse();
    assertThat(take(release("edge02", "other"), "other server")).isTrue();
    assertThat(called).isEmpty();

    turns.release(first);

    assertThat(called).containsExactly("second");
    assertThat(take(third, "server")).as("the turn is kept for the called one").isFalse();
    assertThat(take(second, "server")).isTrue();
    turns.release(second);
    assertThat(called).containsExactly("second", "third");
  }

  @Test
  void whoever_does_not_want_it_any_more_is_not_called() {
    var first = release("edge", "first");
    var gone = release("edge", "gone");
    assertThat(take(first, "server")).isTrue();
    assertThat(take(gone, "server")).isFalse();
    assertThat(take(release("left", "a"), "server")).isFalse();
    assertThat(take(release("stays", "b"), "server")).isFalse();

    turns.release(gone);
    turns.cancelWaiting("left");
    turns.cancelWaiting("edge");
    assertThat(take(release("stays", "c"), "server")).as("the first goes on").isFalse();
    turns.release(first);

    assertThat(called).containsExactly("b");
  }
}
