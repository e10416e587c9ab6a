// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.krypton.architecture.HouseRules;
import java.io.File;
import org.junit.jupiter.api.Test;

class ClusterArchitectureTest {
  private static final JavaClasses CLASSES = HouseRules.mainClassesOf("io.krypton.multicluster");

  @Test
  void only_the_client_package_builds_clients() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.krypton.multicluster.client")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(KubernetesClientBuilder.class)
        .check(CLASSES);
  }

  @Test
  void kubeconfigs_are_judged_without_files_network_processes_or_client_libraries() {
    noClasses()
        .that()
        .resideInAPackage("io.krypton.multicluster.kubeconfig")
        .and()
        .haveSimpleNameNotStartingWith("LocalKubeconfig")
        .and()
        .haveSimpleNameNotStartingWith("Loaded")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.nio.file..", "java.net.http..", "io.fabric8..")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(ProcessBuilder.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(File.class)
        .check(CLASSES);
  }
}
