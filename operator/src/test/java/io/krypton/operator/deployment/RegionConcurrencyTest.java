// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.operator.deployment.RegionAccess.RegionConcurrency;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RegionConcurrencyTest {
  private static final SecretRef SLOW = new SecretRef("krypton", "slow");
  private static final SecretRef QUICK = new SecretRef("krypton", "quick");

  private final List<String> woken = new ArrayList<>();
  private final RegionConcurrency turns =
      new RegionConcurrency(new ConcurrencyLimits(4, 2), key -> woken.add(key.name()));

  @Test
  void a_full_cluster_leaves_the_places_of_others_alone() {
    assertThat(turns.tryAcquire(SLOW, key("a"))).isPresent();
    assertThat(turns.tryAcquire(SLOW, key("b"))).isPresent();
    assertThat(turns.tryAcquire(SLOW, key("c"))).isEmpty();
    assertThat(turns.tryAcquire(QUICK, key("d"))).isPresent();
  }

  @Test
  void whoever_found_no_place_is_woken_first_come_first_served() {
    var first = turns.tryAcquire(SLOW, key("a")).orElseThrow();
    var second = turns.tryAcquire(SLOW, key("b")).orElseThrow();
    assertThat(turns.tryAcquire(SLOW, key("c"))).isEmpty();
    assertThat(turns.tryAcquire(SLOW, key("d"))).isEmpty();
    assertThat(turns.tryAcquire(SLOW, key("c"))).isEmpty();
    assertThat(woken).isEmpty();

    first.close();
    assertThat(woken).containsExactly("c");
    assertThat(turns.tryAcquire(SLOW, key("c"))).isPresent();
    second.close();
    assertThat(woken).containsExactly("c", "d");
  }

  @Test
  void a_free_place_wakes_nobody_who_does_not_wait() {
    turns.tryAcquire(SLOW, key("a")).orElseThrow().close();
    assertThat(woken).isEmpty();
    assertThat(turns.tryAcquire(SLOW, key("a"))).isPresent();
  }

  private static WorkKey key(String name) {
    return new WorkKey("home", "team", name);
  }
}
