package io.krypton.operator.platform;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.multicluster.cluster.client.ClientFactory;
import io.krypton.multicluster.cluster.client.ClientSettings;
import io.krypton.multicluster.cluster.client.RequestObserver;
import io.krypton.multicluster.cluster.kubeconfig.Kubeconfig;
import io.krypton.operator.platform.Discovery.Answer;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.fault.Fault;
import io.krypton.sandbox.junit.Cluster;
import io.krypton.sandbox.junit.ControlPlanes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlanes.class)
class ApiDiscoveryIT {
  @Test
  void only_a_server_in_good_health_says_no(@Cluster("helm") ControlPlane plane) {
    try (var proxy = plane.proxy();
        var clients = new ClientFactory(RequestObserver.none())) {
      var kubeconfig =
          Kubeconfig.parse(plane.adminKubeconfig(proxy).getBytes(StandardCharsets.UTF_8));
      try (var client =
          clients
              .connect(
                  "home",
                  (Kubeconfig.Accepted) kubeconfig,
                  ClientSettings.remote("krypton-test").withoutRetries())
              .client()) {
        var discovery = new ApiDiscovery(() -> Optional.of(client), Duration.ofSeconds(2));
        assertThat(discovery.version()).isEqualTo(new Answer.No());
        assertThat(discovery.group()).isEqualTo(new Answer.No());

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
          assertThat(discovery.version()).as("%s", fault).isInstanceOf(Answer.Failed.class);
          assertThat(discovery.group()).as("%s", fault).isInstanceOf(Answer.Failed.class);
        }
        // That the path is unknown says that the version is not served, but a list of groups must
        // exist.
        proxy.inject(Fault.answer(404));
        assertThat(discovery.version()).isEqualTo(new Answer.No());
        assertThat(discovery.group()).isInstanceOf(Answer.Failed.class);
      }
      var nowhere = new ApiDiscovery(Optional::empty, Duration.ofSeconds(2));
      assertThat(nowhere.version()).isInstanceOf(Answer.Failed.class);
    }
  }
}
