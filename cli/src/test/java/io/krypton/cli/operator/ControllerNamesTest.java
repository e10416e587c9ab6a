package io.krypton.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ControllerNamesTest {
  @ParameterizedTest(name = "{0} means {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "*                     | [deployments, kmshealth, tenants]",
        "tenants               | [tenants]",
        "tenants , deployments | [deployments, tenants]",
        "-tenants              | [deployments, kmshealth]",
        "*,-deployments        | [kmshealth, tenants]",
        "*,-deployments,-tenants,-kmshealth | []",
      })
  void a_list_chooses_controllers(String list, String expected) {
    assertThat(new TreeSet<>(ControllerNames.parse(list))).hasToString(expected);
  }

  @Test
  void an_unknown_name_is_refused_with_the_known_ones() {
    assertThatThrownBy(() -> ControllerNames.parse("*,-tenant"))
        .hasMessage(
            "--controllers *,-tenant: 'tenant' is not known; use *, tenants, deployments, kmshealth, or -name to leave one out");
  }
}
