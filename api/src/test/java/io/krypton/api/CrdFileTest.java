// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrdFileTest {
  private final CustomResourceDefinition crd = Crds.tenant();
  private final CrdFile file;

  CrdFileTest(@TempDir Path directory) {
    file = new CrdFile(directory.resolve("new.yaml"));
  }

  @BeforeEach
  void write() throws IOException {
    file.write(file.textFor(crd));
  }

  @Test
  void the_first_version_is_1_and_stays_while_the_spec_stays() throws IOException {
    assertThat(version(file.read())).isEqualTo("1");
    assertThat(file.textFor(crd)).isEqualTo(file.read());
  }

  @Test
  void the_version_grows_with_every_change_of_the_spec() throws IOException {
    file.write(file.textFor(withShortName("t1")));
    file.write(file.textFor(withShortName("t2")));

    assertThat(version(file.read())).isEqualTo("3");
  }

  @Test
  void the_hash_depends_on_the_spec_alone() throws IOException {
    var annotated =
        new CustomResourceDefinitionBuilder(crd)
            .editMetadata()
            .addToAnnotations("helm.sh/resource-policy", "keep")
            .endMetadata()
            .build();

    assertThat(CrdFile.hash(annotated)).isEqualTo(CrdFile.hash(crd));
    assertThat(CrdFile.hash(withShortName("t1"))).isNotEqualTo(CrdFile.hash(crd));
  }

  private CustomResourceDefinition withShortName(String name) {
    return new CustomResourceDefinitionBuilder(crd)
        .editSpec()
        .editNames()
        .withShortNames(name)
        .endNames()
        .endSpec()
        .build();
  }

  private static String version(String yaml) {
    return Json.tree(yaml).at("/metadata/annotations/mesh.openkcm.io~1crd-version").asText();
  }
}
