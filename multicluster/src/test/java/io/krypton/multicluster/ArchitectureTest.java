// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.krypton.architecture.HouseRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final String ROOT = "io.krypton.multicluster";
  private static final JavaClasses CLASSES = HouseRules.mainClassesOf(ROOT);

  @Test
  void the_house_rules_hold() {
    HouseRules.holdFor(ROOT);
  }

  @Test
  void the_module_knows_nothing_of_the_product() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.krypton.api..",
            "io.krypton.base.kmsreport..",
            "io.krypton.operator..",
            "io.krypton.kms..",
            "io.krypton.agent..",
            "io.krypton.cli..",
            "io.krypton.sandbox..")
        .because("any team should be able to use it")
        .check(CLASSES);
  }

  @Test
  void the_queue_sees_no_kubernetes_type() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + ".queue..")
        .should()
        .dependOnClassesThat()
        .resideOutsideOfPackages(
            ROOT + ".queue..", "io.krypton.base.time..", "java..", "org.jspecify..")
        .check(CLASSES);
  }

  @Test
  void only_the_package_cluster_builds_clients() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".client..")
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("io.fabric8.kubernetes.client.KubernetesClientBuilder")
        .because("what a client may trust is decided in one place")
        .check(CLASSES);
  }

  @Test
  void nobody_starts_processes() {
    noClasses().should().dependOnClassesThat().areAssignableTo(ProcessBuilder.class).check(CLASSES);
  }
}
