// SPDX-License-Identifier: Apache-2.0
package io.krypton.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.image.HelmProgram.GoLicences;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class GoLicencesTest {
  private static final Path HELM = Path.of("../tools/helm");
  private static final Pattern REQUIREMENT =
      Pattern.compile("^\\s*(?:require )?(\\S+\\.\\S+/\\S+|dario\\.cat/\\S+) (v\\S+)");

  @Test
  void the_texts_are_those_of_the_versions_that_helm_is_built_of() throws Exception {
    var required = new HashMap<String, String>();
    for (var line : Files.readAllLines(HELM.resolve("go.mod"))) {
      var requirement = REQUIREMENT.matcher(line);
      if (requirement.find()) {
        required.put(requirement.group(1), requirement.group(2));
      }
    }

    var licences = GoLicences.read(HELM.resolve("licences.txt"));

    assertThat(required).hasSizeGreaterThan(100);
    assertThat(licences.modules()).hasSizeGreaterThan(100);
    licences
        .modules()
        .forEach(
            (path, module) -> {
              if (!path.equals(GoLicences.STANDARD_LIBRARY)) {
                assertThat(module.version())
                    .as("run tools/licences: " + path)
                    .isEqualTo(required.get(path));
              }
            });
  }

  @Test
  void a_module_with_several_texts_has_one_expression() throws Exception {
    var licences = GoLicences.read(HELM.resolve("licences.txt"));

    assertThat(licences.expression("github.com/cyphar/filepath-securejoin"))
        .hasValue("BSD-3-Clause AND MPL-2.0");
    assertThat(licences.expression("github.com/nobody/nothing")).isEmpty();
  }
}
