// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.cli.Main.SingleDashFlags;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SingleDashFlagsTest {
  private static final Set<String> FLAGS = Set.of("--chart-repo", "--controllers", "-h");

  @Test
  void a_known_flag_behind_one_dash_gets_the_second() {
    assertThat(SingleDashFlags.normalize(FLAGS, "operator", "-chart-repo=x", "-chart-repo", "y"))
        .containsExactly("operator", "--chart-repo=x", "--chart-repo", "y");
  }

  @Test
  void what_is_no_flag_keeps_its_dash_as_a_value_may_have_one() {
    assertThat(
            SingleDashFlags.normalize(
                FLAGS, "--controllers", "-kmshealth", "-h", "--chart-repo=-x"))
        .containsExactly("--controllers", "-kmshealth", "-h", "--chart-repo=-x");
  }
}
