// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class AgentMainTest {
  @ParameterizedTest
  @ValueSource(strings = {"--help", "-h"})
  void help_names_the_programs(String flag) {
    var shown = new StringWriter();
    var line = AgentMain.commandLine(flag).setOut(new PrintWriter(shown, true));

    assertThat(line.execute(flag)).isEqualTo(CommandLine.ExitCode.OK);
    assertThat(shown.toString()).contains("reporter", "gate", "agent");
  }
}
