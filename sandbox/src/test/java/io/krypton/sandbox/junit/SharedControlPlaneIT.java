// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SharedControlPlaneIT {
  @Cluster("home")
  @SuppressWarnings("NullAway.Init") // the extension sets it
  static ControlPlane inField;

  private final Set<String> namespacesOfEarlierTests = new HashSet<>();

  @Test
  @Order(1)
  void a_name_stands_for_one_control_plane(
      @Cluster("home") ControlPlane home, @Cluster("away") ControlPlane away) {
    assertThat(home).isSameAs(inField).isNotSameAs(away);
  }

  @RepeatedTest(2)
  @Order(2)
  void each_test_has_its_own_namespace(@Cluster("home") TestNamespace namespace) {
    assertThat(namespacesOfEarlierTests.add(namespace.name())).isTrue();
    assertThat(inField.admin().get(namespace.path()).orThrow().at("/status/phase").asText())
        .isEqualTo("Active");
  }

  @Test
  @Order(3)
  void who_asks_for_nodes_gets_them(@Cluster(value = "workloads", nodes = 2) ControlPlane plane) {
    assertThat(plane.admin().get("/api/v1/nodes").orThrow().path("items")).hasSize(2);
  }

  @Test
  @Order(4)
  void the_namespace_of_an_earlier_test_goes_away() {
    assertThat(namespacesOfEarlierTests).hasSize(2);
    for (var name : namespacesOfEarlierTests) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> inField.admin().get("/api/v1/namespaces/" + name).status() == 404);
    }
  }
}
