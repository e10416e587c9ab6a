// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.operator.release.chart.RepoCredentials.SecretCredentials;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class RepoCredentialsIT {
  @Test
  void it_is_read_anew_each_time_and_what_is_wrong_is_told_without_what_it_holds(
      @Cluster("helm") TestNamespace namespace) throws IOException {
    var config = Config.fromKubeconfig(namespace.controlPlane().adminKubeconfig());
    try (var client = new KubernetesClientBuilder().withConfig(config).build()) {
      var credentials =
          new SecretCredentials(
              new SecretRef(namespace.name(), "login"), () -> Optional.of(client));
      assertThatThrownBy(credentials::read)
          .isInstanceOf(IOException.class)
          .hasMessageContaining(namespace.name() + "/login", "does not exist");

      var secret =
          new SecretBuilder()
              .withNewMetadata()
              .withNamespace(namespace.name())
              .withName("login")
              .endMetadata()
              .withStringData(Map.of("username", "ann", "unrelated", "x"))
              .build();
      client.resource(secret).create();
      assertThatThrownBy(credentials::read)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("username and password");

      secret.setStringData(Map.of("username", "ann", "password", "hunter2", "ca.crt", "PEM"));
      client.resource(secret).update();
      var access = credentials.read();
      assertThat(access.username()).isEqualTo("ann");
      assertThat(access.password()).isEqualTo("hunter2");
      assertThat(access.authority()).isEqualTo("PEM");
    }
  }
}
