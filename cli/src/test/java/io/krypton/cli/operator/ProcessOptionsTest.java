// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.cli.Main.SingleDashFlags;
import io.krypton.operator.OperatorSettings.ControllerName;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class ProcessOptionsTest {
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
    assertThat(controllers(list).stream().map(ControllerName::value).sorted().toList())
        .hasToString(expected);
  }

  /** A blank instead of the equals sign: the value must not be taken for a flag. */
  @Test
  void a_list_may_begin_with_a_dash_behind_a_blank() {
    var options = new ProcessOptions();
    var flags = new CommandLine(options).getCommandSpec().optionsMap().keySet();
    CommandLine.populateCommand(
        options,
        SingleDashFlags.normalize(flags, "-controllers", "-kmshealth", "-log-level=debug"));
    assertThat(options.controllers).isEqualTo("-kmshealth");
    assertThat(options.logLevel).isEqualTo("debug");
  }

  @Test
  void an_unknown_name_is_refused_with_the_known_ones() {
    assertThatThrownBy(() -> controllers("*,-tenant"))
        .hasMessage(
            "--controllers *,-tenant: 'tenant' is not known; use *, tenants, deployments,"
                + " kmshealth, or -name to leave one out");
  }

  private static Set<ControllerName> controllers(String list) {
    var options = new ProcessOptions();
    options.controllers = list;
    return options.controllers();
  }
}
