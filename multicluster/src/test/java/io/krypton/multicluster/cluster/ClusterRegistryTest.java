// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.krypton.multicluster.client.ClusterConnection.CircuitOpenException;
import io.krypton.multicluster.client.ClusterFailure;
import io.krypton.multicluster.cluster.ClusterEvent.DisengageReason;
import org.junit.jupiter.api.Test;

class ClusterRegistryTest extends ClusterRegistryFixture {
  @Test
  void a_wanted_cluster_is_engaged_and_a_withdrawn_one_is_gone() {
    registry.engage(EDGE, content(server.kubeconfig("t")));
    var engagedCluster = events.await(ClusterEvent.Engaged.class, "edge", SOON).cluster();

    assertThat(engagedCluster.serverVersion()).isEqualTo("v1.36.0");
    assertThat(registry.engaged(engagedCluster.name())).contains(engagedCluster);
    assertThat(registry.isUp(engagedCluster.name())).isTrue();
    assertThat(server.lastHeader("Authorization")).isEqualTo("Bearer t");

    registry.disengage(EDGE, () -> DisengageReason.LABEL_REMOVED);
    var gone = events.await(ClusterEvent.Disengaged.class, "edge", SOON);

    assertThat(gone.why()).isEqualTo(DisengageReason.LABEL_REMOVED);
    await().atMost(SOON).until(() -> registry.clusters().isEmpty());
    assertThat(registry.engaged(engagedCluster.name())).isEmpty();
  }

  @Test
  void the_same_kubeconfig_again_changes_nothing() {
    registry.engage(EDGE, content(server.kubeconfig("t")));
    var engagedCluster = events.await(ClusterEvent.Engaged.class, "edge", SOON).cluster();

    registry.engage(EDGE, content(server.kubeconfig("t")));

    assertThat(registry.engaged(engagedCluster.name())).contains(engagedCluster);
    assertThat(events.all()).hasSize(1);
  }

  @Test
  void three_silent_probes_open_the_circuit_and_an_answer_closes_it() {
    registry.engage(EDGE, content(server.kubeconfig("t")));
    var engagedCluster = events.await(ClusterEvent.Engaged.class, "edge", SOON).cluster();

    server.silent(true);
    var lost = events.await(ClusterEvent.Unreachable.class, "edge", SOON);
    assertThat(lost.wasEngaged()).isTrue();
    assertThat(lost.failure().kind()).isEqualTo(ClusterFailure.Kind.TIMEOUT);
    assertThat(registry.isUp(engagedCluster.name())).isFalse();
    assertThat(registry.engaged(engagedCluster.name())).contains(engagedCluster);
    int sent = server.requests();
    assertThat(catchThrowable(() -> engagedCluster.client().configMaps().inNamespace("x").list()))
        .hasRootCauseInstanceOf(CircuitOpenException.class);

    server.silent(false);
    events.await(ClusterEvent.Recovered.class, "edge", SOON);
    assertThat(registry.isUp(engagedCluster.name())).isTrue();
    assertThat(events.all(ClusterEvent.Unreachable.class, "edge")).hasSize(1);
    assertThat(server.requests()).isGreaterThan(sent);
  }

  @Test
  void a_cluster_that_was_never_there_is_told_once_and_engaged_when_it_comes() throws Exception {
    var kubeconfig = server.kubeconfig("t");
    int port = server.port();
    server.close();
    registry.engage(EDGE, content(kubeconfig));
    var lost = events.await(ClusterEvent.Unreachable.class, "edge", SOON);
    assertThat(lost.wasEngaged()).isFalse();

    server = FakeApiServer.start("uid-1", port);

    events.await(ClusterEvent.Engaged.class, "edge", SOON);
    assertThat(events.all(ClusterEvent.Unreachable.class, "edge")).hasSize(1);
  }

  @Test
  void two_secrets_for_one_api_server_are_both_engaged_with_a_warning() {
    registry.engage(EDGE, content(server.kubeconfig("t")));
    events.await(ClusterEvent.Engaged.class, "edge", SOON);

    registry.engage(new SecretRef("team", "edge"), content(server.kubeconfig("t")));

    events.await(ClusterEvent.Engaged.class, "team/edge", SOON);
    assertThat(events.await(ClusterEvent.Duplicate.class, "team/edge", SOON).other())
        .isEqualTo(new ClusterName("edge"));
  }

  @Test
  void a_listener_that_throws_does_not_stop_a_cluster() {
    registry.close();
    registry =
        listened(
            event -> {
              events.on(event);
              throw new IllegalStateException("listener");
            },
            LiveTokens.none());
    registry.engage(EDGE, content(server.kubeconfig("t")));
    events.await(ClusterEvent.Engaged.class, "edge", SOON);

    server.status(503);

    events.await(ClusterEvent.Unreachable.class, "edge", SOON);
  }

  @Test
  void a_cluster_that_falls_silent_at_the_moment_of_its_engagement_is_noticed_and_let_go() {
    registry.close();
    registry =
        listened(
            event -> {
              if (event instanceof ClusterEvent.Engaged) {
                server.silent(true);
              }
              events.on(event);
            },
            LiveTokens.none());
    registry.engage(EDGE, content(server.kubeconfig("t")));

    events.await(ClusterEvent.Engaged.class, "edge", SOON);
    events.await(ClusterEvent.Unreachable.class, "edge", SOON);
    registry.disengage(EDGE, () -> DisengageReason.LABEL_REMOVED);

    events.await(ClusterEvent.Disengaged.class, "edge", SOON);
  }

  @Test
  void want_and_withdraw_in_quick_succession_end_in_the_last_wish() {
    for (int round = 0; round < 50; round++) {
      registry.engage(EDGE, content(server.kubeconfig("t" + round)));
      registry.disengage(EDGE, () -> DisengageReason.LABEL_REMOVED);
    }
    registry.engage(EDGE, content(server.kubeconfig("last")));

    await()
        .atMost(SOON)
        .until(
            () ->
                registry.isUp(new ClusterName("edge"))
                    && server.lastHeader("Authorization").equals("Bearer last"));
  }
}
