// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class GoBoolTest {
  @Test
  void the_spellings_of_go_are_read_and_no_other() {
    for (var yes : List.of("1", "t", "T", "TRUE", "true", "True")) {
      assertThat(GoBool.parse(yes)).as(yes).contains(true);
      assertThat(GoBool.parseLenient(yes)).as(yes).contains(true);
    }
    for (var no : List.of("0", "f", "F", "FALSE", "false", "False")) {
      assertThat(GoBool.parse(no)).as(no).contains(false);
      assertThat(GoBool.parseLenient(no)).as(no).contains(false);
    }
    for (var other : List.of("", "yes", "no", "tRUE", "2", " true")) {
      assertThat(GoBool.parse(other)).as(other).isEmpty();
    }
  }

  @Test
  void manifests_may_also_say_yes_and_no_in_any_case() {
    assertThat(GoBool.parseLenient("YES")).contains(true);
    assertThat(GoBool.parseLenient("No")).contains(false);
    assertThat(GoBool.parseLenient("maybe")).isEmpty();
  }
}
