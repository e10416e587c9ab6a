// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.multicluster.testing.ForgetfulRouter;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.fault.Fault;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.TestNamespace;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class OutageIT {
  private static final Duration START = Duration.ofSeconds(30);
  private static final Duration NOTICED = Duration.ofSeconds(30);
  private static final Duration BACK = Duration.ofSeconds(30);

  /** As the standard ones, with more frequent probes of healthy clusters. */
  private static final HealthCheckTimings WATCHFUL =
      new HealthCheckTimings(
          Duration.ofSeconds(3),
          Duration.ofSeconds(1),
          HealthCheckTimings.standard().recoveryInterval(),
          HealthCheckTimings.standard().probeTimeout(),
          HealthCheckTimings.standard().connectTimeout(),
          HealthCheckTimings.standard().maxBackoffWhenRefused(),
          HealthCheckTimings.standard().maxBackoffWhenNotPrepared());

  private ControlPlane east;
  private ControlPlane west;
  private Fleet fleet;

  @BeforeEach
  void start(
      @io.krypton.sandbox.junit.ControlPlaneExtension.Cluster("home") TestNamespace home,
      @io.krypton.sandbox.junit.ControlPlaneExtension.Cluster("east") ControlPlane eastPlane,
      @io.krypton.sandbox.junit.ControlPlaneExtension.Cluster("west") ControlPlane westPlane) {
    east = eastPlane;
    west = westPlane;
    fleet = new Fleet(home, WATCHFUL);
  }

  @AfterEach
  void stop() {
    fleet.close();
  }

  @Test
  void a_black_hole_at_the_start_delays_nobody_and_is_engaged_when_it_ends() {
    try (var proxy = west.proxy()) {
      proxy.blackHole();
      fleet.store("west", west.adminKubeconfig(proxy), true);
      fleet.store("east", east.adminKubeconfig(), true);
      fleet.store("also-east", east.adminKubeconfig(), true);

      fleet.events().await(ClusterEvent.Engaged.class, "east", START);
      fleet.events().await(ClusterEvent.Engaged.class, "also-east", START);
      assertThat(fleet.events().await(ClusterEvent.Unreachable.class, "west", NOTICED).wasEngaged())
          .isFalse();

      proxy.pass();
      fleet.events().await(ClusterEvent.Engaged.class, "west", BACK);
      fleet.close();
    }
  }

  @Test
  void an_engaged_cluster_in_a_black_hole_is_noticed_and_so_is_its_return() {
    try (var proxy = west.proxy()) {
      fleet.store("west", west.adminKubeconfig(proxy), true);
      fleet.store("east", east.adminKubeconfig(), true);
      fleet.events().await(ClusterEvent.Engaged.class, "west", START);
      fleet.events().await(ClusterEvent.Engaged.class, "east", START);

      proxy.injectKeepingConnections(new Fault.BlackHole());
      fleet.events().await(ClusterEvent.Unreachable.class, "west", NOTICED);
      await().until(() -> !fleet.registry().isUp(new ClusterName("west")));
      assertThat(fleet.registry().isUp(new ClusterName("east"))).isTrue();
      var missed = configMap(west);

      proxy.injectKeepingConnections(new Fault.Pass());
      fleet.events().await(ClusterEvent.Recovered.class, "west", BACK);
      await().atMost(BACK).until(() -> fleet.hasSeen("west", missed));
      fleet.close();
    }
  }

  @Test
  void a_connection_that_died_without_a_word_is_replaced_and_no_change_is_missed()
      throws Exception {
    try (var router = new ForgetfulRouter(west.url())) {
      fleet.store("west", west.access("admin", "system:masters").via(router.url()).yaml(), true);
      fleet.events().await(ClusterEvent.Engaged.class, "west", START);

      router.forget();
      var missed = configMap(west);

      await().atMost(Duration.ofSeconds(40)).until(() -> fleet.hasSeen("west", missed));
      assertThat(fleet.events().all(ClusterEvent.Unreachable.class, "west")).isEmpty();
      assertThat(fleet.registry().isUp(new ClusterName("west"))).isTrue();
      fleet.close();
    }
  }

  @Test
  void a_cluster_in_a_black_hole_is_let_go_while_it_is_in_there() {
    try (var proxy = west.proxy()) {
      fleet.store("west", west.adminKubeconfig(proxy), true);
      fleet.events().await(ClusterEvent.Engaged.class, "west", START);
      proxy.injectKeepingConnections(new Fault.BlackHole());

      fleet.delete("west");

      fleet.events().await(ClusterEvent.Disengaged.class, "west", START);
    }
  }

  @Test
  void an_outage_of_home_lets_no_cluster_go(
      @io.krypton.sandbox.junit.ControlPlaneExtension.Cluster("home") ControlPlane home) {
    fleet.store("east", east.adminKubeconfig(), true);
    fleet.events().await(ClusterEvent.Engaged.class, "east", START);

    home.apiServer().restart();
    fleet.store("late", east.adminKubeconfig(), true);

    fleet.events().await(ClusterEvent.Engaged.class, "late", BACK);
    assertThat(fleet.events().all(ClusterEvent.Disengaged.class, "east")).isEmpty();
    assertThat(fleet.registry().isUp(new ClusterName("east"))).isTrue();
  }

  private static String configMap(ControlPlane plane) {
    var name = "seen-" + UUID.randomUUID();
    plane
        .admin()
        .post(
            "/api/v1/namespaces/default/configmaps",
            "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\""
                + name
                + "\"}}")
        .orThrow();
    return name;
  }
}
