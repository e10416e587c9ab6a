// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.krypton.architecture.HouseRules;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final String ROOT = "io.krypton.operator";
  private static final String[] FEATURES = {
    ROOT + ".tenant..", ROOT + ".deployment..", ROOT + ".kmshealth..", ROOT + ".tls.distribution.."
  };
  private static final String[] FOUNDATIONS = {
    ROOT + ".release..", ROOT + ".namespace..", ROOT + ".observe..", ROOT + ".platform.."
  };

  private static final JavaClasses CLASSES = HouseRules.mainClassesOf(ROOT);

  @Test
  void the_house_rules_hold() {
    HouseRules.holdFor(ROOT);
  }

  @Test
  void nothing_knows_how_the_operator_is_put_together() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT)
        .check(CLASSES);
  }

  @Test
  void only_the_helm_package_starts_processes() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".release.helm..")
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(ProcessBuilder.class, Process.class, Runtime.class)
        .check(CLASSES);
  }

  @Test
  void what_features_stand_on_does_not_know_them() {
    noClasses()
        .that()
        .resideInAnyPackage(FOUNDATIONS)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(FEATURES)
        .check(CLASSES);
  }

  @Test
  void features_do_not_know_each_other() {
    for (var feature : FEATURES) {
      var others = Stream.of(FEATURES).filter(it -> !it.equals(feature)).toArray(String[]::new);
      noClasses()
          .that()
          .resideInAPackage(feature)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(others)
          .allowEmptyShould(true)
          .check(CLASSES);
    }
  }

  @Test
  void decisions_and_values_do_no_input_or_output() {
    noClasses()
        .that()
        .resideInAnyPackage(
            ROOT + ".release.decide..", ROOT + ".release.values..", ROOT + ".classes.decide..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.nio.file..", "java.net..", "io.fabric8.kubernetes.client..")
        .check(CLASSES);
  }

  @Test
  void clients_are_built_elsewhere() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("io.fabric8.kubernetes.client.KubernetesClientBuilder")
        .check(CLASSES);
  }
}
