// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.krypton.multicluster.client.ClusterConnection.ProbeResult;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An API server allows 100 streams on a connection. */
@ExtendWith(ControlPlaneExtension.class)
class StreamsIT {
  private static final int MANY = 150;
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final List<String> ended = new CopyOnWriteArrayList<>();
  private final List<String> unanswered = new CopyOnWriteArrayList<>();

  @Test
  void more_watches_than_a_connection_bears_disturb_neither_each_other_nor_anything_else(
      @Cluster("home") ControlPlane plane, @Cluster("home") TestNamespace own) throws Exception {
    var kubeconfig =
        (ParsedKubeconfig.Accepted)
            ParsedKubeconfig.parse(plane.adminKubeconfig().getBytes(StandardCharsets.UTF_8));
    var settings =
        ClientSettings.remote("streams")
            .withoutRetries()
            .withTimeouts(LIMIT, LIMIT)
            .withRate(1000, 1000);
    var watches = new ArrayList<Watch>();
    try (var clients =
            new ClientFactory(
                (cluster, verb, code) -> {
                  if (code == RequestObserver.NO_ANSWER) {
                    unanswered.add(verb);
                  }
                });
        var connection = clients.connect("home", kubeconfig, settings)) {
      for (int i = 0; i < MANY; i++) {
        watches.add(
            connection.client().configMaps().inNamespace(own.name()).watch(new Listening()));
      }

      assertThat(connection.probe(LIMIT)).isInstanceOf(ProbeResult.Alive.class);
      assertThat(connection.client().namespaces().withName(own.name()).get()).isNotNull();
      assertThat(unanswered).isEmpty();
      assertThat(ended).isEmpty();
      assertThat(connection.watchConnections()).isGreaterThan(MANY / 100);
      watches.forEach(Watch::close);
    }
  }

  private final class Listening implements Watcher<ConfigMap> {
    @Override
    public void eventReceived(Action action, ConfigMap resource) {}

    @Override
    public void onClose(WatcherException cause) {
      ended.add(String.valueOf(cause));
    }
  }
}
