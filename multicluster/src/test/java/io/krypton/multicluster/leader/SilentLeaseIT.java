// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.RequestObserver;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.multicluster.leader.LeadershipListener.Term;
import io.krypton.multicluster.testing.ForgetfulRouter;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class SilentLeaseIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final LeaseTimings TIMINGS =
      new LeaseTimings(Duration.ofSeconds(18), Duration.ofSeconds(12), Duration.ofMillis(500));

  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();

  /** The request that finds out takes half of the term; the other half must be enough. */
  @Test
  void a_leader_whose_connection_died_without_a_word_stays_the_leader(
      @Cluster("home") TestNamespace own) throws Exception {
    var plane = own.controlPlane();
    try (var router = new ForgetfulRouter(plane.url());
        var clients = new ClientFactory(RequestObserver.none());
        var connection =
            clients.connect(
                "home",
                accepted(plane.access("leader", "system:masters").via(router.url()).yaml()),
                ClientSettings.remote("test").forLease(TIMINGS.renewDeadline()))) {
      var lease =
          new KubernetesLeaseStore(
              connection.client(), own.name(), "leader", connection::reconnect);
      var election = new LeaderElection(lease, "first", TIMINGS, new Counter());
      election.start();
      await().atMost(SOON).until(election::isLeading);

      router.forget();
      var forgotten = Instant.now().plusSeconds(1);

      await().atMost(SOON).until(() -> renewedAt(own).isAfter(forgotten));
      assertThat(ended).hasValue(0);
      assertThat(begun).hasValue(1);
      election.stop();
    }
  }

  private static ParsedKubeconfig.Accepted accepted(String yaml) {
    return (ParsedKubeconfig.Accepted)
        ParsedKubeconfig.parse(yaml.getBytes(StandardCharsets.UTF_8));
  }

  private static Instant renewedAt(TestNamespace own) {
    var path = "/apis/coordination.k8s.io/v1/namespaces/" + own.name() + "/leases/leader";
    return Instant.parse(
        own.controlPlane().admin().get(path).body().path("spec").path("renewTime").asText());
  }

  private final class Counter implements LeadershipListener {
    @Override
    public void startedLeading(Term term) {
      begun.incrementAndGet();
    }

    @Override
    public void stoppedLeading(Term term) {
      ended.incrementAndGet();
    }
  }
}
