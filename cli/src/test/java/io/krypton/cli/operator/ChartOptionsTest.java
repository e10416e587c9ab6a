// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class ChartOptionsTest {
  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource({
    "'', https://charts.jetstack.io/cert-manager:1.19.1",
    "--chart-name=cert-manager, https://charts.jetstack.io/cert-manager:1.19.1",
    "--chart-repo=https://mirror.test, https://mirror.test/cert-manager:1.19.1",
    "--chart-name=trust-manager, https://charts.jetstack.io/trust-manager:",
    "--chart-name=trust-manager --chart-version=0.9.2,"
        + " https://charts.jetstack.io/trust-manager:0.9.2",
    "--chart-version=, https://charts.jetstack.io/cert-manager:",
  })
  void a_version_of_one_chart_is_not_taken_for_another(String flags, String chart) {
    var options =
        CommandLine.populateCommand(
            new ChartOptions(), flags.isEmpty() ? new String[0] : flags.split(" "));
    assertThat(options.reference()).hasToString(chart);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "--chart-repo-username=ann, --chart-repo-username: give --chart-repo-password-file",
    "--chart-repo-password-file=/x, --chart-repo-password-file: give --chart-repo-username",
    "--chart-repo-cert-file=/x, --chart-repo-cert-file: give --chart-repo-key-file",
    "--chart-repo-key-file=/x, --chart-repo-key-file: give --chart-repo-cert-file",
    "--chart-repo-credentials-secret=a --chart-repo-ca-file=/x, leave out all other",
    "--chart-repo-credentials-secret=a/, write NAME or NAMESPACE/NAME",
  })
  void credentials_that_do_not_go_together_are_refused_at_start(String flags, String message) {
    var options = CommandLine.populateCommand(new ChartOptions(), flags.split(" "));
    assertThatThrownBy(() -> options.credentials("krypton", Optional::empty))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "--chart-repo-credentials-secret=login, Secret krypton/login of",
    "--chart-repo-credentials-secret=other/login, Secret other/login of",
  })
  void a_secret_is_looked_for_beside_the_kubeconfigs_unless_it_names_its_namespace(
      String flag, String message) {
    var options = CommandLine.populateCommand(new ChartOptions(), flag);
    var credentials = options.credentials("krypton", Optional::empty);
    assertThatThrownBy(credentials::read)
        .hasMessageContaining(message)
        .hasMessageEndingWith("home has not answered yet");
  }
}
