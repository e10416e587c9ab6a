// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import io.fabric8.kubernetes.client.CustomResource;
import io.krypton.architecture.HouseRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final String ROOT = "io.krypton.api";

  @Test
  void the_house_rules_hold() {
    HouseRules.holdFor(ROOT);
  }

  @Test
  void of_fabric8_only_models_and_annotations_are_used() {
    var models =
        resideInAnyPackage(
                "io.fabric8.kubernetes.api.model..",
                "io.fabric8.kubernetes.model.annotation..",
                "io.fabric8.generator.annotation..",
                "io.fabric8.crd.generator.annotation..")
            .or(equivalentTo(CustomResource.class));
    check(resideInAnyPackage("io.fabric8..").and(DescribedPredicate.not(models)));
  }

  @Test
  void no_other_module_but_base_is_used() {
    check(
        resideInAnyPackage("io.krypton..")
            .and(DescribedPredicate.not(resideInAnyPackage(ROOT + "..", "io.krypton.base.."))));
  }

  @Test
  void there_is_no_input_and_output_but_the_files_of_the_jar() {
    check(
        resideInAnyPackage("java.net..", "java.nio.file..", "java.nio.channels..")
            .or(
                DescribedPredicate.describe(
                    "files", type -> type.getName().startsWith("java.io.File")))
            .or(equivalentTo(ProcessBuilder.class)));
  }

  private static void check(DescribedPredicate<? super JavaClass> forbidden) {
    noClasses().should().dependOnClassesThat(forbidden).check(HouseRules.mainClassesOf(ROOT));
  }
}
