// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HomeDeploymentsWatchTest {
  @Test
  void a_flag_is_recommended_only_to_those_who_have_not_set_it() {
    assertThat(HomeDeploymentsWatch.remedy(false))
        .contains("install", "start with --ensure-watch-crds");
    assertThat(HomeDeploymentsWatch.remedy(true))
        .isEqualTo("its definition is being made (--ensure-watch-crds)");
  }
}
