// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.ClusterConnection.CircuitOpenException;
import io.krypton.multicluster.client.ClusterFailure;
import io.krypton.multicluster.client.RequestObserver;
import io.krypton.multicluster.cluster.ClusterEvent.DisengageReason;
import io.krypton.multicluster.cluster.ClusterRegistry.SecretContent;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClusterRegistryTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final SecretRef EDGE = new SecretRef("ops", "edge");
  private static final HealthCheckTimings QUICK =
      new HealthCheckTimings(
          Duration.ofMillis(100),
          Duration.ofMillis(50),
          Duration.ofMillis(50),
          Duration.ofSeconds(2),
          Duration.ofSeconds(4),
          Duration.ofMillis(100),
          Duration.ofMillis(100));

  private final RecordedEvents events = new RecordedEvents();
  private final ClientFactory clients = new ClientFactory(RequestObserver.none());
  private FakeApiServer server;
  private ClusterRegistry registry;

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

  private ClusterRegistry registry(LiveTokens live, EngageStep... steps) {
    return listened(events::on, live, steps);
  }

  /** Waits for an hour before it asks again a server that has refused it. */
  private ClusterRegistry slowProbes(LiveTokens live, EngageStep... steps) {
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

  private ClusterRegistry listened(
      Consumer<ClusterEvent> listener, LiveTokens live, EngageStep... steps) {
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

  private static SecretContent content(byte[] kubeconfig) {
    return SecretContent.of("kubeconfig", kubeconfig);
  }

  private ClusterState stateOf(String name) {
    return registry.clusters().stream()
        .filter(cluster -> cluster.name().value().equals(name))
        .map(ClusterSnapshot::state)
        .findFirst()
        .orElseThrow();
  }

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
  void a_step_that_must_wait_is_repeated_and_told_once() {
    var tries = new AtomicInteger();
    registry.close();
    registry =
        registry(
            LiveTokens.none(),
            engagedCluster ->
                tries.incrementAndGet() < 4
                    ? new EngageStep.Result.NotYet("DefinitionFailed", "forbidden")
                    : new EngageStep.Result.Done());

    registry.engage(EDGE, content(server.kubeconfig("t")));

    events.await(ClusterEvent.Engaged.class, "edge", SOON);
    assertThat(tries).hasValue(4);
    assertThat(events.all(ClusterEvent.StepNotice.class, "edge")).hasSize(1);
  }

  @Test
  void what_a_step_has_begun_is_kept_between_tries_and_its_progress_ends_the_waiting() {
    var begun = new AtomicInteger();
    var ended = new AtomicInteger();
    var synced = new AtomicBoolean();
    var waiting = new AtomicReference<EngagedCluster>();
    registry.close();
    registry =
        slowProbes(
            LiveTokens.none(),
            engagedCluster -> {
              engagedCluster.owned(
                  Listing.class,
                  () -> {
                    begun.incrementAndGet();
                    return new Listing(ended);
                  });
              waiting.set(engagedCluster);
              return synced.get()
                  ? new EngageStep.Result.Done()
                  : new EngageStep.Result.NotYet("ClusterNotSynced", "listing goes on");
            });
    registry.engage(EDGE, content(server.kubeconfig("t")));
    events.await(ClusterEvent.StepNotice.class, "edge", SOON);

    synced.set(true);
    Objects.requireNonNull(waiting.get()).retryEngagement();

    var engaged = events.await(ClusterEvent.Engaged.class, "edge", SOON).cluster();
    assertThat(engaged).isSameAs(waiting.get());
    assertThat(begun).hasValue(1);
    assertThat(ended).hasValue(0);
    registry.disengage(EDGE, () -> DisengageReason.LABEL_REMOVED);
    events.await(ClusterEvent.Disengaged.class, "edge", SOON);
    assertThat(ended).hasValue(1);
  }

  private record Listing(AtomicInteger ended) implements AutoCloseable {
    @Override
    public void close() {
      ended.incrementAndGet();
    }
  }

  @Test
  void what_was_begun_ends_when_its_cluster_is_withdrawn_before_it_is_engaged() {
    var ended = new AtomicInteger();
    registry.close();
    registry =
        slowProbes(
            LiveTokens.none(),
            engagedCluster -> {
              engagedCluster.owned(Listing.class, () -> new Listing(ended));
              return new EngageStep.Result.NotYet("ClusterNotSynced", "listing goes on");
            });
    registry.engage(EDGE, content(server.kubeconfig("t")));
    events.await(ClusterEvent.StepNotice.class, "edge", SOON);

    registry.disengage(EDGE, () -> DisengageReason.LABEL_REMOVED);

    await().atMost(SOON).until(() -> registry.clusters().isEmpty());
    assertThat(ended).hasValue(1);
  }

  @Test
  void what_a_step_started_ends_with_the_cluster_in_reverse_order() {
    var ended = new CopyOnWriteArrayList<String>();
    registry.close();
    registry =
        registry(
            LiveTokens.none(),
            engagedCluster -> {
              engagedCluster.own(() -> ended.add("first"));
              engagedCluster.own(() -> ended.add("second"));
              return new EngageStep.Result.Done();
            });
    registry.engage(EDGE, content(server.kubeconfig("t")));
    events.await(ClusterEvent.Engaged.class, "edge", SOON);

    registry.disengage(EDGE, () -> DisengageReason.SECRET_DELETED);

    events.await(ClusterEvent.Disengaged.class, "edge", SOON);
    assertThat(ended).containsExactly("second", "first");
  }

  @Test
  void a_step_that_hangs_neither_delays_the_withdrawal_nor_other_clusters() {
    var entered = new CountDownLatch(1);
    var interrupted = new AtomicBoolean();
    registry.close();
    registry =
        registry(
            LiveTokens.none(),
            engagedCluster -> {
              if (engagedCluster.name().value().equals("edge")) {
                entered.countDown();
                try {
                  new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                  interrupted.set(true);
                  throw e;
                }
              }
              return new EngageStep.Result.Done();
            });
    registry.engage(EDGE, content(server.kubeconfig("t")));
    registry.engage(new SecretRef("ops", "other"), content(server.kubeconfig("t")));
    events.await(ClusterEvent.Engaged.class, "other", SOON);
    await().atMost(SOON).until(() -> entered.getCount() == 0);

    registry.disengage(EDGE, () -> DisengageReason.SECRET_DELETED);

    await().atMost(SOON).until(() -> registry.clusters().size() == 1);
    assertThat(interrupted).isTrue();
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
