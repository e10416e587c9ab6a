// SPDX-License-Identifier: Apache-2.0
package io.krypton.base;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.krypton.architecture.HouseRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final String ROOT = "io.krypton.base";
  private static final JavaClasses CLASSES = HouseRules.mainClassesOf(ROOT);

  @Test
  void the_house_rules_hold() {
    HouseRules.holdFor(ROOT);
  }

  private static final ArchRule JDK_AND_JSPECIFY_ONLY =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              ROOT + "..", "java..", "javax..", "com.sun.net.httpserver..", "org.jspecify..")
          .because("every module, also the smallest program, may use base");

  @Test
  void nothing_but_the_jdk_and_jspecify_is_needed() {
    JDK_AND_JSPECIFY_ONLY.check(CLASSES);
  }

  @Test
  void a_class_that_needs_more_is_reported() {
    var thisTest = new ClassFileImporter().importClasses(ArchitectureTest.class);

    assertThat(JDK_AND_JSPECIFY_ONLY.evaluate(thisTest).getFailureReport().toString())
        .contains("org.junit.jupiter");
  }

  @Test
  void only_the_page_server_listens() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".http..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("com.sun.net.httpserver..", "javax.net..")
        .check(CLASSES);
  }

  @Test
  void values_and_formats_do_no_input_or_output() {
    noClasses()
        .that()
        .resideInAnyPackage(ROOT + ".text..", ROOT + ".time..", ROOT + ".kmsreport..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.nio.file..", "java.net..", ROOT + ".http..", ROOT + ".file..")
        .check(CLASSES);
  }
}
