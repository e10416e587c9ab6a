// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.helm.HelmEnvironment;
import io.krypton.operator.release.helm.cli.HelmBinary.CheckResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HelmBinaryTest {
  private static final String REMEDY = "; put Helm 4 on the PATH, or name it with --helm-binary";

  @TempDir Path directory;

  @Test
  void it_is_found_on_the_path() throws IOException {
    var program = ScriptedHelm.in(directory, "v4.3.1", "");
    assertThat(check("helm")).isEqualTo(new CheckResult.Usable(program, "v4.3.1"));
  }

  @Test
  void a_missing_one_is_told_and_looked_for_again() throws IOException {
    var binary = binary("helm");
    assertThat(binary.check(directory))
        .isEqualTo(new CheckResult.Unusable("helm binary 'helm' not found" + REMEDY));
    assertThat(binary.problem()).hasValue("helm binary 'helm' not found" + REMEDY);
    ScriptedHelm.in(directory, "v4.0.0", "");
    assertThat(binary.check(directory)).isInstanceOf(CheckResult.Usable.class);
    assertThat(binary.problem()).isEmpty();
  }

  @Test
  void one_that_was_taken_away_is_told() throws IOException {
    var program = ScriptedHelm.in(directory, "v4.0.0", "");
    var binary = binary("helm");
    assertThat(binary.check(directory)).isInstanceOf(CheckResult.Usable.class);
    Files.delete(program);
    assertThat(binary.problem()).hasValue(program + " is not there any more" + REMEDY);
  }

  @Test
  void an_older_helm_is_refused() throws IOException {
    var program = ScriptedHelm.in(directory, "v3.19.0", "");
    assertThat(check(program.toString()))
        .isEqualTo(
            new CheckResult.Unusable(program + " is not Helm 4 (it says 'v3.19.0')" + REMEDY));
  }

  @Test
  void a_file_that_does_not_start_is_refused() throws IOException {
    var file = ScriptedHelm.in(directory, "v4.3.1", "");
    Files.writeString(file, "#!/nowhere/interpreter\n");
    assertThat(check(file.toString()))
        .isInstanceOfSatisfying(
            CheckResult.Unusable.class,
            it -> assertThat(it.reason()).startsWith(file + " does not start"));
  }

  private CheckResult check(String name) {
    return binary(name).check(directory);
  }

  private HelmBinary binary(String name) {
    return new HelmBinary(
        name, new HelmEnvironment(Map.of("PATH", directory + ":/usr/bin:/bin"), 128));
  }
}
