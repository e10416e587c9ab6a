// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import io.krypton.architecture.HouseRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final String AGENT = "io.krypton.agent";

  @Test
  void keeps_the_house_rules() {
    HouseRules.holdFor(AGENT);
  }

  @Test
  void knows_no_kubernetes_library_and_no_code_of_the_operator() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.fabric8..",
            "io.krypton.operator..",
            "io.krypton.multicluster..",
            "io.krypton.sandbox..",
            "io.micrometer..")
        .because("the agent stays small and starts without the API server")
        .check(HouseRules.mainClassesOf(AGENT));
  }

  @Test
  void leaves_the_wire_protocol_to_the_kms_module() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.grpc..", "com.google.protobuf..")
        .check(HouseRules.mainClassesOf(AGENT));
  }

  @Test
  void talks_to_the_api_server_in_one_package_only() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.krypton.agent.kube..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.net.http..", "javax.net.ssl..")
        .check(HouseRules.mainClassesOf(AGENT));
  }
}
