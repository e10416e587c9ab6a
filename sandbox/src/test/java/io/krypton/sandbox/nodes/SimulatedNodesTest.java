// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.sandbox.ControlPlane;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulatedNodesTest {
  @Test
  void the_stages_of_pods_ask_what_the_pod_does() {
    var configuration = SimulatedNodes.kwokConfiguration();

    assertThat(configuration)
        .contains("key: '(.metadata.annotations // {})", "else \"run\" end', operator: In")
        .contains(SimulatedNodes.NEVER_READY, SimulatedNodes.CRASH, SimulatedNodes.READY_AFTER)
        .doesNotContain("@BEHAVIOUR@'");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 101})
  void a_number_of_nodes_out_of_bounds_is_refused(int count) {
    assertThatThrownBy(() -> ControlPlane.builder("plane").withNodes(count))
        .hasMessage(count + " simulated nodes: use 0 to 100");
  }

  @Test
  void nodes_need_a_controller_manager() {
    var builder = ControlPlane.builder("plane").withNodes(1).withoutControllerManager();

    assertThatThrownBy(builder::start)
        .hasMessage("control plane plane: simulated nodes need the controller manager");
  }
}
