// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.multicluster.client.ClusterFailure;
import io.krypton.multicluster.cluster.ClusterEvent.DisengageReason;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.access.SandboxKubeconfig;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.TestNamespace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(ControlPlaneExtension.class)
class EngagementIT {
  private static final Duration START = Duration.ofSeconds(30);

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
    fleet = new Fleet(home);
    await().atMost(START).until(fleet.discovery()::hasSynced);
  }

  @AfterEach
  void stop() {
    fleet.close();
  }

  @Test
  void each_change_of_a_secret_takes_effect() {
    fleet.store("east", east.adminKubeconfig(), true);
    fleet.store("west", west.adminKubeconfig(), true);
    var events = fleet.events();
    var first = events.await(ClusterEvent.Engaged.class, "east", START).cluster();
    events.await(ClusterEvent.Engaged.class, "west", START);

    events.forget();
    fleet.store("east", east.kubeconfigFor("other", "system:masters"), true);
    assertThat(events.await(ClusterEvent.Disengaged.class, "east", START).why())
        .isEqualTo(DisengageReason.KUBECONFIG_CHANGED);
    var second = events.await(ClusterEvent.Engaged.class, "east", START).cluster();
    assertThat(second.client()).isNotSameAs(first.client());

    events.forget();
    fleet.label("east", "false");
    assertThat(events.await(ClusterEvent.Disengaged.class, "east", START).why())
        .isEqualTo(DisengageReason.LABEL_REMOVED);
    fleet.label("east", "true");
    events.await(ClusterEvent.Engaged.class, "east", START);

    events.forget();
    fleet.delete("east");
    assertThat(events.await(ClusterEvent.Disengaged.class, "east", START).why())
        .isEqualTo(DisengageReason.SECRET_DELETED);
    fleet.store("east", east.adminKubeconfig(), true);
    events.await(ClusterEvent.Engaged.class, "east", START);

    assertThat(events.all(ClusterEvent.Disengaged.class, "west")).isEmpty();
    assertThat(fleet.registry().isUp(new ClusterName("west"))).isTrue();
  }

  @Test
  void a_secret_that_is_being_deleted_is_gone_before_its_finalizer_is() {
    fleet.store("east", east.adminKubeconfig(), true);
    fleet.events().await(ClusterEvent.Engaged.class, "east", START);
    finalizer("east", "example.test/hold");

    fleet.delete("east");

    assertThat(fleet.events().await(ClusterEvent.Disengaged.class, "east", START).why())
        .isEqualTo(DisengageReason.SECRET_TERMINATING);
    finalizer("east");
  }

  @Test
  void a_referred_secret_needs_no_label_and_is_engaged_once() {
    fleet.store("west", west.adminKubeconfig(), false);
    var west = fleet.ref("west");
    fleet.discovery().engage(west, "a");
    fleet.discovery().engage(west, "b");
    fleet.events().await(ClusterEvent.Engaged.class, "west", START);

    fleet.discovery().release(west, "a");
    fleet.discovery().engage(west, "c");
    fleet.discovery().release(west, "b");
    await().during(Duration.ofSeconds(1)).until(() -> fleet.events().all().size() == 1);

    fleet.discovery().release(west, "c");

    assertThat(fleet.events().await(ClusterEvent.Disengaged.class, "west", START).why())
        .isEqualTo(DisengageReason.NO_LONGER_REFERENCED);
  }

  @Test
  void a_referred_secret_that_gets_the_label_is_engaged_anew_and_stays_when_nobody_refers_to_it() {
    fleet.store("west", west.adminKubeconfig(), false);
    var west = fleet.ref("west");
    fleet.discovery().engage(west, "a");
    fleet.events().await(ClusterEvent.Engaged.class, "west", START);

    fleet.label("west", "true");

    assertThat(fleet.events().await(ClusterEvent.Disengaged.class, "west", START).why())
        .isEqualTo(DisengageReason.LABEL_CHANGED);
    await().until(() -> engagements() == 2);
    fleet.discovery().release(west, "a");
    await().during(Duration.ofSeconds(1)).until(() -> fleet.events().all().size() == 3);
  }

  private long engagements() {
    return fleet.events().all().stream().filter(ClusterEvent.Engaged.class::isInstance).count();
  }

  @Test
  void a_referred_secret_is_awaited_followed_and_missed() {
    var west = fleet.ref("west");
    fleet.discovery().engage(west, "a");
    fleet.store("west", this.west.adminKubeconfig(), false);
    fleet.events().await(ClusterEvent.Engaged.class, "west", START);

    fleet.delete("west");

    assertThat(fleet.events().await(ClusterEvent.Disengaged.class, "west", START).why())
        .isEqualTo(DisengageReason.SECRET_DELETED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "exec: {apiVersion: client.authentication.k8s.io/v1, command: touch, args: [PROOF]}",
        "auth-provider: {name: gcp, config: {cmd-path: touch, cmd-args: PROOF}}",
        "client-certificate: PROOF, client-key: PROOF",
        "tokenFile: PROOF"
      })
  void credentials_that_are_not_inline_are_rejected_and_nothing_runs(
      String user, @TempDir Path directory) {
    var proof = directory.resolve("proof");
    var children = ProcessHandle.current().children().count();
    fleet.store(
        "east",
        """
        clusters: [{name: c, cluster: {server: "%s"}}]
        users: [{name: u, user: {%s}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        """
            .formatted(east.url(), user.replace("PROOF", proof.toString())),
        true);

    var rejected = fleet.events().await(ClusterEvent.Rejected.class, "east", START);

    assertThat(rejected.reason()).contains("only inline credentials are accepted");
    assertThat(Files.exists(proof)).isFalse();
    assertThat(ProcessHandle.current().children().count()).isEqualTo(children);
  }

  @Test
  void credentials_of_another_authority_are_named_as_refused() {
    var stranger =
        new SandboxKubeconfig(
            "east",
            east.url(),
            east.access("admin").authority(),
            "admin",
            west.access("admin", "system:masters").identity());
    fleet.store("east", stranger.yaml(), true);

    var lost = fleet.events().await(ClusterEvent.Unreachable.class, "east", START);

    assertThat(lost.failure().message()).contains("refused the credentials (401)");
  }

  @Test
  void a_server_with_a_certificate_of_another_authority_is_not_talked_to() {
    fleet.store("east", east.access("admin").via(west.url()).yaml(), true);

    var lost = fleet.events().await(ClusterEvent.Unreachable.class, "east", START);

    assertThat(lost.failure().kind()).isEqualTo(ClusterFailure.Kind.TLS);
  }

  @Test
  void two_secrets_of_one_cluster_are_both_engaged_with_a_warning() {
    fleet.store("east", east.adminKubeconfig(), true);
    fleet.events().await(ClusterEvent.Engaged.class, "east", START);

    fleet.store("east-again", east.adminKubeconfig(), true);

    fleet.events().await(ClusterEvent.Engaged.class, "east-again", START);
    assertThat(fleet.events().await(ClusterEvent.Duplicate.class, "east-again", START).other())
        .isEqualTo(new ClusterName("east"));
  }

  private void finalizer(String secret, String... finalizers) {
    fleet
        .home()
        .secrets()
        .inNamespace(fleet.ref(secret).namespace())
        .withName(secret)
        .edit(
            found -> {
              found.getMetadata().setFinalizers(List.of(finalizers));
              return found;
            });
  }
}
