// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RepeatedFailureTest {
  @Test
  void the_first_is_logged_then_ever_fewer_and_a_new_kind_at_once() {
    var lines = new ArrayList<Integer>();
    var failure = RepeatedFailure.NONE;
    for (var i = 0; i < 100; i++) {
      failure = failure.next("HTTP 503");
      if (failure.shouldLog()) {
        lines.add(failure.count());
      }
    }
    assertThat(lines).isEqualTo(List.of(1, 2, 4, 8, 16, 32, 64));
    assertThat(failure.next("ConnectException").shouldLog()).isTrue();
  }
}
