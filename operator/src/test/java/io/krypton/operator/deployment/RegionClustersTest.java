// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.kryptondeployment.KryptonDeployment;
import io.krypton.api.kryptondeployment.KryptonDeploymentSpec;
import io.krypton.api.kryptondeployment.KryptonDeploymentSpec.Region;
import io.krypton.api.rollout.RolloutPhase;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.RequestObserver;
import io.krypton.multicluster.cluster.ClusterRegistry;
import io.krypton.multicluster.cluster.HealthCheckTimings;
import io.krypton.multicluster.cluster.LiveTokens;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.provider.ClusterProvider;
import io.krypton.multicluster.provider.ClusterProvider.DiscoverySettings;
import io.krypton.operator.deployment.RegionClusters.Availability;
import io.krypton.operator.deployment.RegionRouting.KubeconfigRef;
import io.krypton.operator.release.inventory.InventoryInspector;
import io.krypton.operator.release.reconcile.OwnerQueue.PhaseCount;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who refers to which cluster; there is no home here that could be asked. */
class RegionClustersTest {
  private static final RegionRouting ROUTING = new RegionRouting("home", "kubeconfig");

  private final ClientFactory clients = new ClientFactory(RequestObserver.none());
  private final ClusterRegistry registry =
      new ClusterRegistry(
          "home",
          clients,
          ClientSettings.remote("test"),
          HealthCheckTimings.standard(),
          List.of(),
          event -> {},
          LiveTokens.none(),
          Clock.systemUTC());
  private final RegionClusters regionClusters =
      new RegionClusters(
          registry,
          new ClusterProvider(registry, new DiscoverySettings("home", "label", "kubeconfig")),
          new InventoryInspector(),
          ROUTING);

  @AfterEach
  void close() {
    registry.close();
    clients.close();
  }

  private static KubeconfigRef target(String secret, String key) {
    return new KubeconfigRef(new SecretRef("home", secret), key);
  }

  @Test
  void a_cluster_is_held_until_the_last_one_lets_it_go() {
    regionClusters.hold("a", Set.of(target("east", "kubeconfig"), target("west", "kubeconfig")));
    regionClusters.hold("b", Set.of(target("east", "kubeconfig")));
    assertThat(regionClusters.isReferenced("east")).isTrue();

    regionClusters.hold("a", Set.of(target("west", "kubeconfig")));
    assertThat(regionClusters.isReferenced("east")).isTrue();

    regionClusters.hold("b", Set.of());
    assertThat(regionClusters.isReferenced("east")).isFalse();
    assertThat(regionClusters.isReferenced("west")).isTrue();
  }

  @Test
  void another_key_of_the_same_secret_takes_the_place_of_the_first() {
    regionClusters.hold("a", Set.of(target("east", "kubeconfig")));
    regionClusters.hold("a", Set.of(target("east", "other")));
    assertThat(regionClusters.isReferenced("east")).isTrue();
    assertThat(regionClusters.availability("a", target("east", "other"), noWaking()))
        .isInstanceOf(Availability.Connecting.class);

    regionClusters.hold("b", Set.of(target("east", "kubeconfig")));
    assertThat(regionClusters.availability("b", target("east", "kubeconfig"), noWaking()))
        .isInstanceOfSatisfying(
            Availability.Unavailable.class,
            edge -> assertThat(edge.message()).contains("another key"));
    regionClusters.hold("b", Set.of());

    regionClusters.hold("a", Set.of());
    assertThat(regionClusters.isReferenced("east")).isFalse();
  }

  /** With a look at all others for each, this would take minutes. */
  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void a_hundred_thousand_deployments_of_one_cluster_come_and_go() {
    var all = 100_000;
    for (int i = 0; i < all; i++) {
      regionClusters.hold("deployment-" + i, Set.of(target("east", "kubeconfig")));
    }
    for (int i = 0; i < all; i++) {
      assertThat(regionClusters.isReferenced("east")).isTrue();
      regionClusters.hold("deployment-" + i, Set.of());
    }
    assertThat(regionClusters.isReferenced("east")).isFalse();
  }

  /** With a look at all others for each, this would take minutes. */
  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void a_look_costs_the_same_however_many_clusters_there_are() {
    var clusters = 30_000;
    for (int i = 0; i < clusters; i++) {
      regionClusters.hold("deployment-" + i, Set.of(target("region-" + i, "kubeconfig")));
    }
    for (int round = 0; round < 30; round++) {
      for (int i = 0; i < clusters; i++) {
        assertThat(
                regionClusters.availability(
                        "deployment-" + i, target("region-" + i, "kubeconfig"), noWaking())
                    instanceof Availability.Connecting)
            .isTrue();
        assertThat(regionClusters.isWatched("region-" + i)).isFalse();
      }
    }
  }

  @Test
  void phases_are_counted_with_one_look_at_each_however_many_regions_there_are() {
    var looks = new AtomicInteger();
    var regions = 100;
    var all = new ArrayList<KryptonDeployment>();
    for (int i = 0; i < 10 * regions; i++) {
      all.add(inRegion("region-" + i % regions));
    }

    var counts =
        DeploymentController.phases(
            () -> all.stream().peek(each -> looks.incrementAndGet()).iterator());

    assertThat(counts).hasSize(regions * RolloutPhase.values().length);
    assertThat(counts)
        .contains(new PhaseCount("region-7", RolloutPhase.PENDING, 10))
        .contains(new PhaseCount("region-7", RolloutPhase.READY, 0));
    assertThat(looks).hasValue(10 * regions);
  }

  private static KryptonDeployment inRegion(String region) {
    var deployment = new KryptonDeployment();
    deployment.setSpec(
        new KryptonDeploymentSpec(
            KryptonDeploymentSpec.EMPTY.account(),
            new Region(region, null, null),
            false,
            Map.of(),
            List.of()));
    return deployment;
  }

  private static RegionClusters.RegionListener noWaking() {
    return new RegionClusters.RegionListener() {
      @Override
      public void enqueueReferring(SecretRef secret) {}

      @Override
      public void enqueueClaimants(SecretRef secret, String namespace) {}
    };
  }
}
