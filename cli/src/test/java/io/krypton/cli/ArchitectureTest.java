// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import io.krypton.architecture.HouseRules;
import io.krypton.multicluster.cluster.ClusterRegistry;
import io.krypton.multicluster.cluster.EngageStep;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  @Test
  void the_house_rules_hold() {
    HouseRules.holdFor("io.krypton.cli");
  }

  @Test
  void commands_hold_no_reconcile_logic() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.krypton.multicluster.controller..", "io.krypton.multicluster.leader..")
        .orShould()
        .dependOnClassesThat()
        .belongToAnyOf(ClusterRegistry.class, EngageStep.class)
        .check(HouseRules.mainClassesOf("io.krypton.cli"));
  }
}
