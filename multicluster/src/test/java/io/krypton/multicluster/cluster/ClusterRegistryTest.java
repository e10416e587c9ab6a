package io.krypton.multicluster.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.krypton.multicluster.cluster.client.CircuitOpenException;
import io.krypton.multicluster.cluster.client.ClientFactory;
import io.krypton.multicluster.cluster.client.ClientSettings;
import io.krypton.multicluster.cluster.client.Failure;
import io.krypton.multicluster.cluster.client.RequestObserver;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClusterRegistryTest {
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final SecretRef EDGE = new SecretRef("ops", "edge");
  private static final Pace QUICK =
      new Pace(
          Duration.ofMillis(100),
          Duration.ofMillis(50),
          Duration.ofMillis(50),
          Duration.ofMillis(500),
          Duration.ofSeconds(2),
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
    return listened(events, live, steps);
  }

  private ClusterRegistry listened(ClusterListener listener, LiveTokens live, EngageStep... steps) {
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
    registry.want(EDGE, content(server.kubeconfig("t")));
    var cluster = events.await(ClusterEvent.Engaged.class, "edge", SOON).cluster();

    assertThat(cluster.serverVersion()).isEqualTo("v1.36.0");
    assertThat(registry.engaged(cluster.name())).contains(cluster);
    assertThat(registry.isUp(cluster.name())).isTrue();
    assertThat(server.lastHeader("Authorization")).isEqualTo("Bearer t");

    registry.withdraw(EDGE, () -> DisengageReason.LABEL_REMOVED);
    var gone = events.await(ClusterEvent.Disengaged.class, "edge", SOON);

    assertThat(gone.why()).isEqualTo(DisengageReason.LABEL_REMOVED);
    await().atMost(SOON).until(() -> registry.clusters().isEmpty());
    assertThat(registry.engaged(cluster.name())).isEmpty();
  }

  @Test
  void the_same_kubeconfig_again_changes_nothing() {
    registry.want(EDGE, content(server.kubeconfig("t")));
    var cluster = events.await(ClusterEvent.Engaged.class, "edge", SOON).cluster();

    registry.want(EDGE, content(server.kubeconfig("t")));

    assertThat(registry.engaged(cluster.name())).contains(cluster);
    assertThat(events.all()).hasSize(1);
  }

  @Test
  void a_changed_kubeconfig_replaces_the_client() {
    registry.want(EDGE, content(server.kubeconfig("old")));
    events.await(ClusterEvent.Engaged.class, "edge", SOON);

    registry.want(EDGE, content(server.kubeconfig("new")));

    await().atMost(SOON).until(() -> events.all(ClusterEvent.Engaged.class, "edge").size() == 2);
    assertThat(events.all(ClusterEvent.Disengaged.class, "edge"))
        .singleElement()
        .satisfies(gone -> assertThat(gone.why()).isEqualTo(DisengageReason.KUBECONFIG_CHANGED));
    assertThat(server.lastHeader("Authorization")).isEqualTo("Bearer new");
  }

  @Test
  void what_is_wanted_while_an_engagement_ends_does_not_change_why_it_ended() {
    registry.want(EDGE, content(server.kubeconfig("old")));
    events.await(ClusterEvent.Engaged.class, "edge", SOON);

    registry.withdraw(EDGE, () -> DisengageReason.LABEL_CHANGED);
    registry.want(EDGE, content(server.kubeconfig("new")));

    await().atMost(SOON).until(() -> events.all(ClusterEvent.Engaged.class, "edge").size() == 2);
    assertThat(events.all(ClusterEvent.Disengaged.class, "edge"))
        .singleElement()
        .satisfies(gone -> assertThat(gone.why()).isEqualTo(DisengageReason.LABEL_CHANGED));
  }

  @Test
  void a_live_token_is_used_and_its_renewal_does_not_re_engage() {
    registry.close();
    registry = registry(secret -> Optional.of(() -> "live"));
    registry.want(EDGE, content(server.kubeconfig("stored-1")));
    events.await(ClusterEvent.Engaged.class, "edge", SOON);

    registry.want(EDGE, content(server.kubeconfig("stored-2")));

    assertThat(events.all()).hasSize(1);
    assertThat(server.lastHeader("Authorization")).isEqualTo("Bearer live");
  }

  @Test
  void a_refused_kubeconfig_is_rejected_until_it_changes() {
    registry.want(
        EDGE, content("users: [{name: u, user: {exec: {}}}]".getBytes(StandardCharsets.UTF_8)));
    events.await(ClusterEvent.Rejected.class, "edge", SOON);
    assertThat(stateOf("edge")).isInstanceOf(ClusterState.Rejected.class);

    registry.want(EDGE, content(server.kubeconfig("t")));
    events.await(ClusterEvent.Engaged.class, "edge", SOON);
  }

  @Test
  void a_missing_key_is_rejected_by_name() {
    registry.want(EDGE, SecretContent.of("kubeconfig", null));

    assertThat(events.await(ClusterEvent.Rejected.class, "edge", SOON).reason())
        .contains("no key kubeconfig");
  }

  @Test
  void three_silent_probes_open_the_circuit_and_an_answer_closes_it() {
    registry.want(EDGE, content(server.kubeconfig("t")));
    var cluster = events.await(ClusterEvent.Engaged.class, "edge", SOON).cluster();

    server.silent(true);
    var lost = events.await(ClusterEvent.Unreachable.class, "edge", SOON);
    assertThat(lost.wasEngaged()).isTrue();
    assertThat(lost.failure().kind()).isEqualTo(Failure.Kind.TIMEOUT);
    assertThat(registry.isUp(cluster.name())).isFalse();
    assertThat(registry.engaged(cluster.name())).contains(cluster);
    int sent = server.requests();
    assertThat(catchThrowable(() -> cluster.client().configMaps().inNamespace("x").list()))
        .hasRootCauseInstanceOf(CircuitOpenException.class);

    server.silent(false);
    events.await(ClusterEvent.Recovered.class, "edge", SOON);
    assertThat(registry.isUp(cluster.name())).isTrue();
    assertThat(events.all(ClusterEvent.Unreachable.class, "edge")).hasSize(1);
    assertThat(server.requests()).isGreaterThan(sent);
  }

  @Test
  void refused_credentials_are_named_at_once() {
    registry.want(EDGE, content(server.kubeconfig("t")));
    events.await(ClusterEvent.Engaged.class, "edge", SOON);

    server.status(401);

    assertThat(events.await(ClusterEvent.Unreachable.class, "edge", SOON).failure())
        .satisfies(
            failure -> {
              assertThat(failure.kind()).isEqualTo(Failure.Kind.CREDENTIALS_REFUSED);
              assertThat(failure.message()).contains("refused the credentials (401)");
            });
    assertThat(registry.clusters().getFirst().lastError()).contains("CREDENTIALS_REFUSED");
  }

  @Test
  void a_cluster_that_was_never_there_is_told_once_and_engaged_when_it_comes() throws Exception {
    var kubeconfig = server.kubeconfig("t");
    int port = server.port();
    server.close();
    registry.want(EDGE, content(kubeconfig));
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
            cluster ->
                tries.incrementAndGet() < 4
                    ? new EngageStep.Result.NotYet("DefinitionFailed", "forbidden")
                    : new EngageStep.Result.Done());

    registry.want(EDGE, content(server.kubeconfig("t")));

    events.await(ClusterEvent.Engaged.class, "edge", SOON);
    assertThat(tries).hasValue(4);
    assertThat(events.all(ClusterEvent.StepNotice.class, "edge")).hasSize(1);
  }

  @Test
  void what_a_step_started_ends_with_the_cluster_in_reverse_order() {
    var ended = new CopyOnWriteArrayList<String>();
    registry.close();
    registry =
        registry(
            LiveTokens.none(),
            cluster -> {
              cluster.own(() -> ended.add("first"));
              cluster.own(() -> ended.add("second"));
              return new EngageStep.Result.Done();
            });
    registry.want(EDGE, content(server.kubeconfig("t")));
    events.await(ClusterEvent.Engaged.class, "edge", SOON);

    registry.withdraw(EDGE, () -> DisengageReason.SECRET_DELETED);

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
            cluster -> {
              if (cluster.name().value().equals("edge")) {
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
    registry.want(EDGE, content(server.kubeconfig("t")));
    registry.want(new SecretRef("ops", "other"), content(server.kubeconfig("t")));
    events.await(ClusterEvent.Engaged.class, "other", SOON);
    await().atMost(SOON).until(() -> entered.getCount() == 0);

    registry.withdraw(EDGE, () -> DisengageReason.SECRET_DELETED);

    await().atMost(Duration.ofSeconds(2)).until(() -> registry.clusters().size() == 1);
    assertThat(interrupted).isTrue();
  }

  @Test
  void two_secrets_for_one_api_server_are_both_engaged_with_a_warning() {
    registry.want(EDGE, content(server.kubeconfig("t")));
    events.await(ClusterEvent.Engaged.class, "edge", SOON);

    registry.want(new SecretRef("team", "edge"), content(server.kubeconfig("t")));

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
    registry.want(EDGE, content(server.kubeconfig("t")));
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
    registry.want(EDGE, content(server.kubeconfig("t")));

    events.await(ClusterEvent.Engaged.class, "edge", SOON);
    events.await(ClusterEvent.Unreachable.class, "edge", SOON);
    registry.withdraw(EDGE, () -> DisengageReason.LABEL_REMOVED);

    events.await(ClusterEvent.Disengaged.class, "edge", Duration.ofSeconds(2));
  }

  @Test
  void want_and_withdraw_in_quick_succession_end_in_the_last_wish() {
    for (int round = 0; round < 50; round++) {
      registry.want(EDGE, content(server.kubeconfig("t" + round)));
      registry.withdraw(EDGE, () -> DisengageReason.LABEL_REMOVED);
    }
    registry.want(EDGE, content(server.kubeconfig("last")));

    await()
        .atMost(SOON)
        .until(
            () ->
                registry.isUp(new ClusterName("edge"))
                    && server.lastHeader("Authorization").equals("Bearer last"));
  }
}
