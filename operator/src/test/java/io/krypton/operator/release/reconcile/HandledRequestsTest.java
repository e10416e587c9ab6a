// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.reconcile.ReconcileRequest.Handled;
import org.junit.jupiter.api.Test;

class HandledRequestsTest {
  private static final Handled PRUNED = new Handled(null, null, null);

  private final HandledRequests requests = new HandledRequests();

  @Test
  void what_a_status_cannot_show_is_handled_all_the_same() {
    requests.markHandled("c/n/a", "uid", new Handled(3L, "today", "now"), PRUNED);

    assertThat(requests.handled("c/n/a", "uid", PRUNED)).isEqualTo(new Handled(3L, "today", "now"));
  }

  @Test
  void a_forced_run_stays_handled_when_later_runs_need_no_helm() {
    requests.markHandled("c/n/a", "uid", new Handled(3L, null, "now"), PRUNED);
    requests.markHandled("c/n/a", "uid", new Handled(3L, null, null), PRUNED);

    assertThat(requests.handled("c/n/a", "uid", PRUNED)).isEqualTo(new Handled(3L, null, "now"));
  }

  @Test
  void a_status_that_shows_it_counts_and_nothing_is_kept() {
    var told = new Handled(2L, "yesterday", null);
    requests.markHandled("c/n/a", "uid", told, told);

    assertThat(requests.handled("c/n/a", "uid", PRUNED)).isEqualTo(PRUNED);
    requests.markHandled("c/n/a", "uid", new Handled(3L, "today", null), PRUNED);
    assertThat(requests.handled("c/n/a", "uid", told)).isEqualTo(told);
  }

  @Test
  void an_object_of_the_same_name_is_another_one() {
    requests.markHandled("c/n/a", "uid", new Handled(1L, null, null), PRUNED);

    assertThat(requests.handled("c/n/a", "other", PRUNED)).isEqualTo(PRUNED);
    requests.forget("c/n/a");
    assertThat(requests.handled("c/n/a", "uid", PRUNED)).isEqualTo(PRUNED);
  }
}
