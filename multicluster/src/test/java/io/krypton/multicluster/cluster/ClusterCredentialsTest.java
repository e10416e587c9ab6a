// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.multicluster.client.ClusterFailure;
import io.krypton.multicluster.cluster.ClusterEvent.DisengageReason;
import io.krypton.multicluster.cluster.ClusterRegistry.SecretContent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What a cluster does when its kubeconfig or its token changes. */
class ClusterCredentialsTest extends ClusterRegistryFixture {
  @Test
  void a_changed_kubeconfig_replaces_the_client() {
    registry.engage(EDGE, content(server.kubeconfig("old")));
    events.await(ClusterEvent.Engaged.class, "edge", SOON);

    registry.engage(EDGE, content(impersonating(server.kubeconfig("new"))));

    await().atMost(SOON).until(() -> events.all(ClusterEvent.Engaged.class, "edge").size() == 2);
    assertThat(events.all(ClusterEvent.Disengaged.class, "edge"))
        .singleElement()
        .satisfies(gone -> assertThat(gone.why()).isEqualTo(DisengageReason.KUBECONFIG_CHANGED));
    assertThat(server.lastHeader("Authorization")).isEqualTo("Bearer new");
  }

  private static byte[] impersonating(byte[] kubeconfig) {
    return new String(kubeconfig, StandardCharsets.UTF_8)
        .replace("token:", "as: somebody, token:")
        .getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void a_new_token_is_used_in_place_by_the_client_and_by_child_processes() {
    registry.engage(EDGE, content(server.kubeconfig("old")));
    var engagedCluster = events.await(ClusterEvent.Engaged.class, "edge", SOON).cluster();

    registry.engage(EDGE, content(server.kubeconfig("new")));

    assertThat(engagedCluster.kubeconfig().credentials().token()).isEqualTo("new");
    await().atMost(SOON).until(() -> server.lastHeader("Authorization").equals("Bearer new"));
    assertThat(events.all()).hasSize(1);
    assertThat(registry.engaged(engagedCluster.name())).contains(engagedCluster);
  }

  @Test
  void a_new_token_ends_a_refusal_at_once_however_long_the_back_off_is() {
    registry.close();
    registry = slowProbes(LiveTokens.none());
    server.accept("new");
    registry.engage(EDGE, content(server.kubeconfig("old")));
    var refused = events.await(ClusterEvent.Unreachable.class, "edge", SOON);
    assertThat(refused.failure().kind()).isEqualTo(ClusterFailure.Kind.CREDENTIALS_REFUSED);

    registry.engage(EDGE, content(server.kubeconfig("new")));

    events.await(ClusterEvent.Engaged.class, "edge", SOON);
  }

  @Test
  void what_still_runs_of_an_old_engagement_starts_with_the_new_credentials_of_the_same_server() {
    registry.engage(EDGE, content(server.kubeconfig("old")));
    var before = events.await(ClusterEvent.Engaged.class, "edge", SOON).cluster();

    registry.engage(EDGE, content(impersonating(server.kubeconfig("new"))));
    await().atMost(SOON).until(() -> events.all(ClusterEvent.Engaged.class, "edge").size() == 2);
    assertThat(before.kubeconfig().credentials().token()).isEqualTo("new");

    registry.engage(EDGE, content(elsewhere(server.kubeconfig("other"))));
    assertThat(before.kubeconfig().credentials().token()).isEqualTo("new");
  }

  private static byte[] elsewhere(byte[] kubeconfig) {
    return new String(kubeconfig, StandardCharsets.UTF_8)
        .replace("http://127.0.0.1:", "http://127.0.0.2:")
        .getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void what_is_wanted_while_an_engagement_ends_does_not_change_why_it_ended() {
    registry.engage(EDGE, content(server.kubeconfig("old")));
    events.await(ClusterEvent.Engaged.class, "edge", SOON);

    registry.disengage(EDGE, () -> DisengageReason.LABEL_CHANGED);
    registry.engage(EDGE, content(server.kubeconfig("new")));

    await().atMost(SOON).until(() -> events.all(ClusterEvent.Engaged.class, "edge").size() == 2);
    assertThat(events.all(ClusterEvent.Disengaged.class, "edge"))
        .singleElement()
        .satisfies(gone -> assertThat(gone.why()).isEqualTo(DisengageReason.LABEL_CHANGED));
  }

  @Test
  void a_live_token_is_used_and_its_renewal_does_not_re_engage() {
    registry.close();
    registry = registry((secret, endpoint) -> Optional.of(() -> "live"));
    registry.engage(EDGE, content(server.kubeconfig("stored-1")));
    events.await(ClusterEvent.Engaged.class, "edge", SOON);

    registry.engage(EDGE, content(server.kubeconfig("stored-2")));

    assertThat(events.all()).hasSize(1);
    assertThat(server.lastHeader("Authorization")).isEqualTo("Bearer live");
  }

  @Test
  void a_live_token_that_becomes_known_later_ends_a_refusal_and_reaches_child_processes() {
    var live = new AtomicReference<String>();
    registry.close();
    registry =
        slowProbes((secret, endpoint) -> Optional.ofNullable(live.get()).map(it -> () -> it));
    server.accept("of-the-new-pod");
    registry.engage(EDGE, content(server.kubeconfig("of-the-dead-pod")));
    events.await(ClusterEvent.Unreachable.class, "edge", SOON);

    live.set("of-the-new-pod");
    registry.probeNow(EDGE);

    var engagedCluster = events.await(ClusterEvent.Engaged.class, "edge", SOON).cluster();
    assertThat(engagedCluster.kubeconfig().credentials().token()).isEqualTo("of-the-new-pod");
  }

  @Test
  void a_renewed_end_of_credentials_is_shown_and_warned_of_again() {
    var now = Instant.now();
    registry.engage(EDGE, content(server.kubeconfig(Jwt.expiring(now.plus(2, ChronoUnit.HOURS)))));
    events.await(ClusterEvent.CredentialsExpiring.class, "edge", SOON);
    events.forget();

    var later = now.plus(30, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS);
    registry.engage(EDGE, content(server.kubeconfig(Jwt.expiring(later))));
    await()
        .atMost(SOON)
        .until(() -> later.equals(registry.clusters().getFirst().credentialsExpireAt()));
    assertThat(events.all()).isEmpty();

    registry.engage(EDGE, content(server.kubeconfig(Jwt.expiring(now.plus(3, ChronoUnit.HOURS)))));
    events.await(ClusterEvent.CredentialsExpiring.class, "edge", SOON);
  }

  /** A token with an expiry. */
  private static final class Jwt {
    static String expiring(Instant end) {
      var claims = "{\"exp\":%d}".formatted(end.getEpochSecond());
      var encoded =
          Base64.getUrlEncoder()
              .withoutPadding()
              .encodeToString(claims.getBytes(StandardCharsets.UTF_8));
      return "e30." + encoded + ".sig";
    }
  }

  @Test
  void a_refused_kubeconfig_is_rejected_until_it_changes() {
    registry.engage(
        EDGE, content("users: [{name: u, user: {exec: {}}}]".getBytes(StandardCharsets.UTF_8)));
    events.await(ClusterEvent.Rejected.class, "edge", SOON);
    assertThat(stateOf("edge")).isInstanceOf(ClusterState.Rejected.class);

    registry.engage(EDGE, content(server.kubeconfig("t")));
    events.await(ClusterEvent.Engaged.class, "edge", SOON);
  }

  @Test
  void a_missing_key_is_rejected_by_name() {
    registry.engage(EDGE, SecretContent.of("kubeconfig", null));

    assertThat(events.await(ClusterEvent.Rejected.class, "edge", SOON).reason())
        .contains("no key kubeconfig");
  }

  @Test
  void refused_credentials_are_named_at_once() {
    registry.engage(EDGE, content(server.kubeconfig("t")));
    events.await(ClusterEvent.Engaged.class, "edge", SOON);

    server.status(401);

    assertThat(events.await(ClusterEvent.Unreachable.class, "edge", SOON).failure())
        .satisfies(
            clusterFailure -> {
              assertThat(clusterFailure.kind()).isEqualTo(ClusterFailure.Kind.CREDENTIALS_REFUSED);
              assertThat(clusterFailure.message()).contains("refused the credentials (401)");
            });
    assertThat(registry.clusters().getFirst().lastError()).contains("CREDENTIALS_REFUSED");
  }
}
