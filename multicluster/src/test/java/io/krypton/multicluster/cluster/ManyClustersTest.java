// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.RequestObserver;
import io.krypton.multicluster.cluster.ClusterRegistry.SecretContent;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

class ManyClustersTest {
  private static final int CLUSTERS = 10_000;
  private static final SecretContent WRONG =
      SecretContent.of("kubeconfig", "clusters: [".getBytes(StandardCharsets.UTF_8));

  private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
  private final Level usual = root.getLevel();

  @BeforeEach
  void sayNothingOfEach() {
    root.setLevel(Level.ERROR);
  }

  @AfterEach
  void speakAgain() {
    root.setLevel(usual);
  }

  private static SecretRef secret(int number) {
    return new SecretRef("ops", "region-" + number);
  }

  /** With a scan of all others for each, this would take minutes. */
  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void to_find_one_by_its_name_costs_the_same_however_many_there_are() {
    var rejected = new AtomicInteger();
    try (var clients = new ClientFactory(RequestObserver.none());
        var registry =
            new ClusterRegistry(
                "ops",
                clients,
                ClientSettings.remote("test"),
                HealthCheckTimings.standard(),
                List.of(),
                event -> rejected.incrementAndGet(),
                LiveTokens.none(),
                Clock.systemUTC())) {
      for (int i = 0; i < CLUSTERS; i++) {
        registry.engage(secret(i), WRONG);
      }
      await().until(() -> rejected.get() == CLUSTERS);

      for (int round = 0; round < 200; round++) {
        for (int i = 0; i < CLUSTERS; i++) {
          var name = new ClusterName("region-" + i);
          if (!registry.isKnown(name) || registry.isUp(name)) {
            assertThat(name).as("known and rejected").isNull();
          }
        }
      }
    }
  }
}
