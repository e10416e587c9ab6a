// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.krypton.architecture.HouseRules;
import io.krypton.multicluster.cluster.ClusterRegistry;
import io.krypton.multicluster.cluster.EngageStep;
import io.krypton.operator.Operator;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  @Test
  void the_house_rules_hold() {
    HouseRules.holdFor("io.krypton.cli");
  }

  private static final ArchRule NO_RECONCILE_LOGIC =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.krypton.multicluster.controller..", "io.krypton.multicluster.leader..")
          .orShould()
          .dependOnClassesThat()
          .belongToAnyOf(ClusterRegistry.class, EngageStep.class);

  @Test
  void commands_hold_no_reconcile_logic() {
    NO_RECONCILE_LOGIC.check(HouseRules.mainClassesOf("io.krypton.cli"));
  }

  @Test
  void a_class_that_assembles_controllers_is_reported() {
    var operator = new ClassFileImporter().importClasses(Operator.class);

    assertThat(NO_RECONCILE_LOGIC.evaluate(operator).getFailureReport().toString())
        .contains("ClusterRegistry", "multicluster.controller");
  }
}
