// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.krypton.architecture.HouseRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final String ROOT = "io.krypton.kms";
  private final JavaClasses classes = HouseRules.mainClassesOf(ROOT);

  @Test
  void the_house_rules_hold() {
    HouseRules.holdFor(ROOT);
  }

  @Test
  void only_the_protocol_knows_grpc() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".rpc..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.grpc..", "com.google.protobuf..", "io.krypton.generated..")
        .check(classes);
  }

  @Test
  void nobody_talks_to_kubernetes() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.fabric8..", "java.net.http..")
        .check(classes);
  }

  @Test
  void verdicts_are_pure() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + ".health..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.io..",
            "java.net..",
            "java.nio.file..",
            "java.util.concurrent..",
            "org.slf4j..",
            ROOT + ".probe..",
            ROOT + ".config..")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .allowEmptyShould(true)
        .check(classes);
  }
}
