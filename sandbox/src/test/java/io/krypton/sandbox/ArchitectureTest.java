// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import io.krypton.architecture.HouseRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final String ROOT = "io.krypton.sandbox";

  @Test
  void the_house_rules_hold() {
    HouseRules.holdFor(ROOT);
  }

  @Test
  void the_sandbox_knows_neither_operator_nor_agent_nor_a_kubernetes_client_library() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.krypton.operator..", "io.krypton.agent..", "io.fabric8..")
        .check(HouseRules.mainClassesOf(ROOT));
  }

  @Test
  void only_the_process_package_starts_processes() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".process..")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(ProcessBuilder.class)
        .check(HouseRules.mainClassesOf(ROOT));
  }
}
