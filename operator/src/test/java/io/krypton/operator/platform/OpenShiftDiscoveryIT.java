// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.platform;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.RequestObserver;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.operator.platform.PlatformDetector.Discovery.DiscoveryResult;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.fault.Fault;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class OpenShiftDiscoveryIT {
  @Test
  void only_a_server_in_good_health_says_no(@Cluster("helm") ControlPlane plane) {
    try (var proxy = plane.proxy();
        var clients = new ClientFactory(RequestObserver.none())) {
      var parsedKubeconfig =
          ParsedKubeconfig.parse(plane.adminKubeconfig(proxy).getBytes(StandardCharsets.UTF_8));
      try (var client =
          clients
              .connect(
                  "home",
                  (ParsedKubeconfig.Accepted) parsedKubeconfig,
                  ClientSettings.remote("krypton-test").withoutRetries())
              .client()) {
        var discovery = new OpenShiftDiscovery(() -> Optional.of(client), Duration.ofSeconds(2));
        assertThat(discovery.checkVersion()).isEqualTo(new DiscoveryResult.Absent());
        assertThat(discovery.checkGroup()).isEqualTo(new DiscoveryResult.Absent());

        for (var fault :
            List.of(
                Fault.answer(401),
                Fault.answer(403),
                Fault.answer(429),
                Fault.answer(500),
                Fault.answer(503),
                new Fault.Refuse(),
                new Fault.BlackHole(),
                new Fault.CutAfter(40))) {
          proxy.inject(fault);
          assertThat(discovery.checkVersion())
              .as("%s", fault)
              .isInstanceOf(DiscoveryResult.Failed.class);
          assertThat(discovery.checkGroup())
              .as("%s", fault)
              .isInstanceOf(DiscoveryResult.Failed.class);
        }
        // That the path is unknown says that the version is not served, but a list of groups must
        // exist.
        proxy.inject(Fault.answer(404));
        assertThat(discovery.checkVersion()).isEqualTo(new DiscoveryResult.Absent());
        assertThat(discovery.checkGroup()).isInstanceOf(DiscoveryResult.Failed.class);
      }
      var nowhere = new OpenShiftDiscovery(Optional::empty, Duration.ofSeconds(2));
      assertThat(nowhere.checkVersion()).isInstanceOf(DiscoveryResult.Failed.class);
    }
  }
}
