// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.RequestObserver;
import io.krypton.multicluster.cluster.ClusterRegistry.SecretContent;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A registry beside a fake API server that can be silent, refuse and come back. */
abstract class ClusterRegistryFixture {
  static final Duration SOON = Duration.ofSeconds(30);
  static final SecretRef EDGE = new SecretRef("ops", "edge");
  static final HealthCheckTimings QUICK =
      new HealthCheckTimings(
          Duration.ofMillis(100),
          Duration.ofMillis(50),
          Duration.ofMillis(50),
          Duration.ofSeconds(2),
          Duration.ofSeconds(4),
          Duration.ofMillis(100),
          Duration.ofMillis(100));

  final RecordedEvents events = new RecordedEvents();
  final ClientFactory clients = new ClientFactory(RequestObserver.none());
  FakeApiServer server;
  ClusterRegistry registry;

  @BeforeEach
  void start() throws Exception {
    server = FakeApiServer.start("uid-1");
    registry = registry(LiveTokens.none());
  }

  @AfterEach
  void stop() {
    registry.close();
    server.close();
    clients.close();
  }

  ClusterRegistry registry(LiveTokens live, EngageStep... steps) {
    return listened(events::on, live, steps);
  }

  /** Waits for an hour before it asks again a server that has refused it. */
  ClusterRegistry slowProbes(LiveTokens live, EngageStep... steps) {
    var healthCheckTimings =
        new HealthCheckTimings(
            QUICK.probeInterval(),
            Duration.ofHours(1),
            QUICK.recoveryInterval(),
            QUICK.probeTimeout(),
            QUICK.connectTimeout(),
            Duration.ofHours(1),
            Duration.ofHours(1));
    return new ClusterRegistry(
        "ops",
        clients,
        ClientSettings.remote("test").withoutRetries(),
        healthCheckTimings,
        List.of(steps),
        events::on,
        live,
        Clock.systemUTC());
  }

  ClusterRegistry listened(Consumer<ClusterEvent> listener, LiveTokens live, EngageStep... steps) {
    return new ClusterRegistry(
        "ops",
        clients,
        ClientSettings.remote("test").withoutRetries(),
        QUICK,
        List.of(steps),
        listener,
        live,
        Clock.systemUTC());
  }

  static SecretContent content(byte[] kubeconfig) {
    return SecretContent.of("kubeconfig", kubeconfig);
  }

  ClusterState stateOf(String name) {
    return registry.clusters().stream()
        .filter(cluster -> cluster.name().value().equals(name))
        .map(ClusterSnapshot::state)
        .findFirst()
        .orElseThrow();
  }
}
