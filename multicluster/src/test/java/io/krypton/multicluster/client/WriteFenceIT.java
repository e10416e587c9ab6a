// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.krypton.multicluster.testing.TestClient;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class WriteFenceIT {
  @Test
  void without_a_term_reads_pass_and_writes_never_reach_the_server(
      @Cluster("home") ControlPlane plane, @Cluster("home") TestNamespace own) {
    var leading = new AtomicBoolean(true);
    var kubeconfig = plane.kubeconfigFor("fenced", "system:masters");
    try (var client = TestClient.of(kubeconfig, new WriteFence(leading::get))) {
      client.resource(map(own.name(), "before")).create();
      leading.set(false);
      var mark = plane.audit().mark();
      var maps = client.configMaps().inNamespace(own.name());
      assertThatThrownBy(() -> client.resource(map(own.name(), "after")).create())
          .isInstanceOf(WriteFence.FencedException.class)
          .hasMessage("POST refused: not the leader");
      assertThatThrownBy(() -> maps.withName("before").delete())
          .isInstanceOf(WriteFence.FencedException.class);
      assertThat(maps.withName("before").get()).isNotNull();
      assertThat(plane.audit().since(mark).by("fenced").perVerb()).hasToString("{get=1}");
    }
  }

  private static ConfigMap map(String namespace, String name) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(name)
        .endMetadata()
        .build();
  }
}
