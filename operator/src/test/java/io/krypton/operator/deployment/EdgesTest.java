package io.krypton.operator.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.deployment.KryptonDeployment;
import io.krypton.api.deployment.KryptonDeploymentSpec;
import io.krypton.api.deployment.Region;
import io.krypton.api.rollout.Phase;
import io.krypton.multicluster.cluster.ClusterRegistry;
import io.krypton.multicluster.cluster.LiveTokens;
import io.krypton.multicluster.cluster.Pace;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.cluster.client.ClientFactory;
import io.krypton.multicluster.cluster.client.ClientSettings;
import io.krypton.multicluster.cluster.client.RequestObserver;
import io.krypton.multicluster.cluster.discovery.ClusterDiscovery;
import io.krypton.multicluster.cluster.discovery.DiscoverySettings;
import io.krypton.operator.deployed.DeployedObjects;
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
class EdgesTest {
  private static final Routing ROUTING = new Routing("home", "kubeconfig");

  private final ClientFactory clients = new ClientFactory(RequestObserver.none());
  private final ClusterRegistry registry =
      new ClusterRegistry(
          "home",
          clients,
          ClientSettings.remote("test"),
          Pace.standard(),
          List.of(),
          event -> {},
          LiveTokens.none(),
          Clock.systemUTC());
  private final Edges edges =
      new Edges(
          registry,
          new ClusterDiscovery(registry, new DiscoverySettings("home", "label", "kubeconfig")),
          new DeployedObjects(),
          ROUTING);

  @AfterEach
  void close() {
    registry.close();
    clients.close();
  }

  private static Target target(String secret, String key) {
    return new Target(new SecretRef("home", secret), key);
  }

  @Test
  void a_cluster_is_held_until_the_last_one_lets_it_go() {
    edges.hold("a", Set.of(target("east", "kubeconfig"), target("west", "kubeconfig")));
    edges.hold("b", Set.of(target("east", "kubeconfig")));
    assertThat(edges.isHeld("east")).isTrue();

    edges.hold("a", Set.of(target("west", "kubeconfig")));
    assertThat(edges.isHeld("east")).isTrue();

    edges.hold("b", Set.of());
    assertThat(edges.isHeld("east")).isFalse();
    assertThat(edges.isHeld("west")).isTrue();
  }

  @Test
  void another_key_of_the_same_secret_takes_the_place_of_the_first() {
    edges.hold("a", Set.of(target("east", "kubeconfig")));
    edges.hold("a", Set.of(target("east", "other")));
    assertThat(edges.isHeld("east")).isTrue();
    assertThat(edges.look("a", target("east", "other"), noWaking()))
        .isInstanceOf(Edge.Opening.class);

    edges.hold("b", Set.of(target("east", "kubeconfig")));
    assertThat(edges.look("b", target("east", "kubeconfig"), noWaking()))
        .isInstanceOfSatisfying(
            Edge.Unavailable.class, edge -> assertThat(edge.why()).contains("another key"));
    edges.hold("b", Set.of());

    edges.hold("a", Set.of());
    assertThat(edges.isHeld("east")).isFalse();
  }

  /** With a look at all others for each, this would take minutes. */
  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void a_hundred_thousand_deployments_of_one_cluster_come_and_go() {
    var all = 100_000;
    for (int i = 0; i < all; i++) {
      edges.hold("deployment-" + i, Set.of(target("east", "kubeconfig")));
    }
    for (int i = 0; i < all; i++) {
      assertThat(edges.isHeld("east")).isTrue();
      edges.hold("deployment-" + i, Set.of());
    }
    assertThat(edges.isHeld("east")).isFalse();
  }

  /** With a look at all others for each, this would take minutes. */
  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void a_look_costs_the_same_however_many_clusters_there_are() {
    var clusters = 30_000;
    for (int i = 0; i < clusters; i++) {
      edges.hold("deployment-" + i, Set.of(target("region-" + i, "kubeconfig")));
    }
    for (int round = 0; round < 30; round++) {
      for (int i = 0; i < clusters; i++) {
        assertThat(
                edges.look("deployment-" + i, target("region-" + i, "kubeconfig"), noWaking())
                    instanceof Edge.Opening)
            .isTrue();
        assertThat(edges.isFollowed("region-" + i)).isFalse();
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

    assertThat(counts).hasSize(regions * Phase.values().length);
    assertThat(counts)
        .contains(new DeploymentController.PhaseCount("region-7", Phase.PENDING, 10))
        .contains(new DeploymentController.PhaseCount("region-7", Phase.READY, 0));
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

  private static Edges.Waking noWaking() {
    return new Edges.Waking() {
      @Override
      public void referring(SecretRef secret) {}

      @Override
      public void claimants(SecretRef secret, String namespace) {}
    };
  }
}
