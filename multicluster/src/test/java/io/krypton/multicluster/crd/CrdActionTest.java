// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.crd;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.krypton.multicluster.crd.CrdAction.CrdVersioning;
import io.krypton.multicluster.crd.CrdInstaller.CrdPolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CrdActionTest {
  private static final String VERSION = "example.test/crd-version";

  @ParameterizedTest(name = "served {0}, ours 5, policy {1}: {2}")
  @CsvSource({
    "absent,  SKIP,           REPORT_MISSING",
    "absent,  CREATE,         CREATE",
    "absent,  CREATE_REPLACE, CREATE",
    "4,       SKIP,           CHECK_COMPATIBILITY",
    "4,       CREATE,         REPLACE",
    "4,       CREATE_REPLACE, REPLACE",
    "5,       SKIP,           KEEP",
    "5,       CREATE,         KEEP",
    "5,       CREATE_REPLACE, KEEP",
    "6,       SKIP,           KEEP",
    "6,       CREATE,         KEEP",
    "6,       CREATE_REPLACE, KEEP",
    "foreign, SKIP,           CHECK_COMPATIBILITY",
    "foreign, CREATE,         CHECK_COMPATIBILITY",
    "foreign, CREATE_REPLACE, REPLACE",
    "v5,      CREATE,         CHECK_COMPATIBILITY",
    "-1,      CREATE,         CHECK_COMPATIBILITY"
  })
  void rule(String served, CrdPolicy policy, CrdAction action) {
    assertThat(CrdAction.decide(served(served), ours("5"), policy, new CrdVersioning(VERSION)))
        .isEqualTo(action);
  }

  private static @Nullable CustomResourceDefinition served(String version) {
    return switch (version) {
      case "absent" -> null;
      case "foreign" -> builder().build();
      default -> ours(version);
    };
  }

  private static CustomResourceDefinition ours(String version) {
    return builder().editMetadata().addToAnnotations(VERSION, version).endMetadata().build();
  }

  private static CustomResourceDefinitionBuilder builder() {
    return new CustomResourceDefinitionBuilder()
        .withNewMetadata()
        .withName("things.example.test")
        .endMetadata();
  }
}
