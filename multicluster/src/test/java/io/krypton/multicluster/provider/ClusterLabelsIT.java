// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.ClusterConnection;
import io.krypton.multicluster.client.RequestObserver;
import io.krypton.multicluster.cluster.ClusterRegistry;
import io.krypton.multicluster.cluster.HealthCheckTimings;
import io.krypton.multicluster.cluster.LiveTokens;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.multicluster.provider.ClusterProvider.DiscoverySettings;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The labels of the Secrets that lead to clusters, which say what kind of cluster it is. */
@ExtendWith(ControlPlaneExtension.class)
class ClusterLabelsIT {
  private static final String DISCOVERED = "example.com/kubeconfig";

  private final ClientFactory clients = new ClientFactory(RequestObserver.none());
  private final List<SecretRef> changed = new CopyOnWriteArrayList<>();
  private ClusterConnection home;
  private String namespace;
  private ClusterRegistry registry;
  private ClusterProvider provider;

  @BeforeEach
  void open(@Cluster("home") ControlPlane plane, @Cluster("home") TestNamespace own) {
    namespace = own.name();
    home =
        clients.connect(
            "home",
            (ParsedKubeconfig.Accepted)
                ParsedKubeconfig.parse(plane.adminKubeconfig().getBytes(StandardCharsets.UTF_8)),
            ClientSettings.remote("test").withoutRetries());
    registry =
        new ClusterRegistry(
            namespace,
            clients,
            ClientSettings.remote("test"),
            HealthCheckTimings.standard(),
            List.of(),
            event -> {},
            LiveTokens.none(),
            Clock.systemUTC());
    provider =
        new ClusterProvider(registry, new DiscoverySettings(namespace, DISCOVERED, "kubeconfig"));
    provider.onLabels(changed::add);
    provider.attach(home.client());
  }

  @AfterEach
  void close() {
    provider.close();
    registry.close();
    home.close();
    clients.close();
  }

  private void write(String name, boolean discovered, Map<String, String> labels) {
    var all = new HashMap<>(labels);
    if (discovered) {
      all.put(DISCOVERED, "true");
    }
    home.client()
        .resource(
            new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withLabels(all)
                .endMetadata()
                .addToData("kubeconfig", "bm9uZQ==")
                .build())
        .createOr(existing -> existing.update());
  }

  @Test
  void the_labels_of_a_discovered_secret_are_known_and_each_change_is_told() {
    var west = new SecretRef(namespace, "west");
    assertThat(provider.labels(west)).isEmpty();

    write("west", true, Map.of("ring", "0"));
    await().until(() -> "0".equals(provider.labels(west).get("ring")));
    write("west", true, Map.of("ring", "1"));
    await().until(() -> "1".equals(provider.labels(west).get("ring")));
    assertThat(changed).containsExactly(west, west);

    home.client().secrets().inNamespace(namespace).withName("west").delete();
    await().until(() -> provider.labels(west).isEmpty());
  }

  @Test
  void the_labels_of_a_referenced_secret_are_known_too() {
    var region = new SecretRef(namespace, "region");
    write("region", false, Map.of("ring", "2"));

    provider.engage(region, "an object");
    await().until(() -> "2".equals(provider.labels(region).get("ring")));
    write("region", false, Map.of("ring", "3"));
    await().until(() -> "3".equals(provider.labels(region).get("ring")));

    provider.release(region, "an object");
    assertThat(provider.labels(region)).isEmpty();
  }
}
