// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.probe;

import static io.krypton.agent.gate.lab.Configurations.entry;
import static io.krypton.agent.gate.lab.Configurations.v1;
import static io.krypton.agent.gate.lab.Configurations.v2;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.krypton.agent.gate.config.GateSettings.GateMode;
import io.krypton.agent.gate.lab.Configurations;
import io.krypton.agent.gate.lab.GateLab;
import io.krypton.agent.gate.lab.LabPlugin;
import io.krypton.agent.gate.status.GateStatus;
import io.krypton.agent.gate.status.ProviderStatus;
import io.krypton.agent.lab.LogLines;
import io.krypton.kms.config.EncryptionConfigurations;
import io.krypton.kms.config.ReadOptions;
import io.krypton.kms.config.ReadOptions.KmsV1Policy;
import io.krypton.kms.health.Reason;
import io.krypton.kms.health.Verdict;
import io.krypton.kms.probe.Ticker;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With real plugins on real sockets. */
class GateControllerTest {
  private static final Status DISABLED = Status.FAILED_PRECONDITION.withDescription("key disabled");

  @TempDir Path directory;
  private LabPlugin a;
  private LabPlugin b;
  private LogLines log;
  private GateController gate;

  @BeforeEach
  void start() {
    a = LabPlugin.started(socket("a"));
    b = LabPlugin.started(socket("b"));
    log = LogLines.of("io.krypton");
    gate = gatekeeper(GateMode.SERVE, "unhealthy-interval=200ms", "interval=3s");
  }

  @AfterEach
  void stop() {
    gate.close();
    a.close();
    b.close();
    log.close();
    assertThat(String.join("\n", log.texts())).doesNotContain(Configurations.KEY);
    await().until(() -> threads("kms-io") == 0);
  }

  @Test
  void a_new_file_takes_over_when_its_plugins_work_and_not_before() {
    load(entry(v2("a", socket("a"))));
    awaitOverall(Verdict.OK);
    var first = judge().configuration().hash();

    load("nonsense: [");
    assertThat(judge().configurationError())
        .startsWith("configuration sha256:")
        .contains("not in use: error while parsing file: ")
        .contains("(serving " + first + " since ");
    assertThat(judge().overall()).isEqualTo(Verdict.OK);

    b.stop();
    load(entry(v2("b", socket("b")), v2("a", socket("a"))));
    await().until(() -> gate.metrics().text().contains("provider_name=\"b\""));
    assertThat(judge().configuration().hash()).isEqualTo(first);
    assertThat(judge().providers()).extracting(s -> s.provider().name()).containsExactly("a");
    assertThat(judge().configurationError())
        .as("waiting is nothing to complain about yet")
        .isEmpty();
    var tooLong = gate.snapshot().at(gate.now().plusSeconds(11));
    assertThat(tooLong.configurationError())
        .contains("not in use: KMS provider \"b\" (kms-provider-0, v2, WRITE")
        .contains("SocketMissing");

    b.start();
    await().until(() -> judge().providers().size() == 2);
    assertThat(judge().overall()).isEqualTo(Verdict.OK);
    assertThat(judge().configuration().pending()).isNull();
    assertThat(gate.metrics().text())
        .contains("krypton_gate_config_reloads_total{status=\"success\"} 2")
        .contains("krypton_gate_config_reloads_total{status=\"failure\"} 1");
  }

  @Test
  void a_new_file_without_kms_providers_takes_over_at_once() {
    load(entry());
    awaitOverall(Verdict.OK);
    var first = judge().configuration().hash();
    load(entry() + "# another key, as after a rotation of aescbc\n");
    assertThat(judge().configuration().hash()).isNotEqualTo(first);
    assertThat(judge().configuration().pending()).isNull();
    assertThat(gate.snapshot().at(gate.now().plusSeconds(60)).configurationError()).isEmpty();

    load(entry(v2("a", socket("a"))));
    await().until(() -> judge().providers().size() == 1);
    a.stop();
    load(entry());
    assertThat(judge().providers()).as("what is gone need not work").isEmpty();
    assertThat(judge().overall()).isEqualTo(Verdict.OK);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_new_file_with_a_reader_that_cannot_encrypt_stays_outside(boolean unchanged) {
    load(entry(v2("a", socket("a")), unchanged ? v2("b", socket("b")) : ""));
    awaitOverall(Verdict.OK);
    var first = judge().configuration().hash();

    b.manners().failEncrypt(DISABLED);
    load(entry(v2("a", socket("a")), v2("b", socket("b"))) + "# new\n");
    patiently()
        .until(
            () -> tooLong().configurationError().contains("RpcRefused in encrypt: key disabled"));
    assertThat(judge().configuration().hash()).isEqualTo(first);
    assertThat(judge().overall()).as("of the file in use").isEqualTo(Verdict.OK);

    b.manners().failEncrypt(null);
    patiently().until(() -> judge().configuration().pending() == null);
    assertThat(judge().configuration().hash()).isNotEqualTo(first);
    assertThat(judge().providers()).hasSize(2).allMatch(ProviderStatus::isOk);
  }

  @Test
  void a_reload_wants_every_provider_and_a_restart_only_those_that_it_needs() {
    for (var reload : List.of(true, false)) {
      gate.close();
      gate =
          gatekeeper(
              GateMode.SERVE,
              "encryption-provider-config-automatic-reload=" + reload,
              "settings=" + notRequired("b"));
      load(entry(v2("a", socket("a"))));
      awaitOverall(Verdict.OK);
      b.stop();
      load(entry(v2("a", socket("a")), v2("b", socket("b"))));
      if (reload) {
        await().until(() -> tooLong().configurationError().contains("SocketMissing"));
        assertThat(judge().providers()).hasSize(1);
        b.start();
      }
      await().until(() -> judge().providers().size() == 2);
      b.stop();
      b.start();
    }
  }

  private Path notRequired(String name) {
    return Configurations.write(
        directory.resolve("settings.yaml"),
        """
        apiVersion: mesh.openkcm.io/v1alpha1
        kind: GateSettings
        providers: {%s: {required: false}}
        """
            .formatted(name));
  }

  private GateStatus tooLong() {
    return gate.snapshot().at(gate.now().plusSeconds(11));
  }

  @Test
  void an_unchanged_provider_keeps_its_state_when_the_file_changes() {
    load(entry(v2("a", socket("a"))));
    awaitOverall(Verdict.OK);
    var since = since(0);
    load(entry(v2("b", socket("b")), v2("c", socket("a"))));
    await().until(() -> judge().providers().size() == 2);
    load(entry(v2("a", socket("a"))) + "# new\n");
    await().until(() -> judge().providers().size() == 1);
    var again = since(0);
    assertThat(again).isAfter(since);
    load(entry(v2("a", socket("a"))) + "# newer\n");
    assertThat(judge().overall()).isEqualTo(Verdict.OK);
    await().until(() -> judge().configuration().pending() == null);
    assertThat(since(0)).isEqualTo(again);
  }

  @Test
  void providers_that_share_a_plugin_share_its_probe_but_not_their_verdict() {
    a.manners().failEncrypt(DISABLED);
    load(
        entry(v1("writes", socket("a")))
            + """
            - resources: [configmaps]
              providers:
            %s"""
                .formatted(v2("other", socket("b")) + v1("reads", socket("a"))));
    awaitState(0, state -> state.verdict() == Verdict.FATAL);
    var states = judge().providers();
    assertThat(states.get(0).text())
        .startsWith("KMS provider \"writes\" (kms-provider-0, v1, WRITE, ")
        .contains("FATAL RpcRefused in encrypt: key disabled (attempt ");
    assertThat(states.get(1).isOk()).isTrue();
    assertThat(states.get(2).degraded()).contains("DecryptUnproven");
    assertThat(hint(2)).contains("exclude=kms-provider-2");
    assertThat(judge().overall()).isEqualTo(Verdict.FATAL);
  }

  @Test
  void a_v2_reader_that_stops_encrypting_later_is_only_degraded() {
    load(entry(v2("a", socket("a")), v2("b", socket("b"))));
    awaitOverall(Verdict.OK);
    b.manners().key("key-2").failEncrypt(DISABLED);
    awaitState(1, state -> state.degraded().isPresent());
    assertThat(judge().overall()).isEqualTo(Verdict.OK);
    assertThat(hint(1)).contains("API server cannot read data of b after restart");

    a.manners().key("key-2").failEncrypt(DISABLED);
    awaitState(0, state -> state.verdict() != Verdict.OK);
    a.manners().failEncrypt(null);
    awaitOverall(Verdict.OK);
  }

  @Test
  void a_v1_plugin_is_tried_by_a_round_trip_at_each_interval() {
    load(entry(v1("a", socket("a")), v2("b", socket("b"))));
    awaitOverall(Verdict.OK);
    a.manners().failEncrypt(Status.UNAVAILABLE);
    b.manners().failEncrypt(Status.UNAVAILABLE);

    // Far sooner than the five minutes between two round trips of v2.
    awaitState(0, has(Reason.RPC_ERROR).and(state -> !state.isOk()));
    assertThat(judge().providers().get(1).isOk()).isTrue();
    a.manners().failEncrypt(null);
    awaitOverall(Verdict.OK);
  }

  @Test
  void a_rotation_in_progress_is_waited_for() {
    a.manners().statusKeyOnly("key-2");
    load(entry(v2("a", socket("a"))));
    awaitState(0, has(Reason.KEY_ID_MISMATCH));
    assertThat(judge().overall()).isEqualTo(Verdict.WAIT);
    a.manners().key("key-2");
    awaitOverall(Verdict.OK);
  }

  @Test
  void the_health_service_of_grpc_can_object_and_never_heals() {
    gate.close();
    b.close();
    b = LabPlugin.withHealth(socket("b"));
    b.manners().serving(false);
    gate = gatekeeper(GateMode.SERVE, "grpc-health=auto", "unhealthy-interval=200ms");
    load(entry(v2("a", socket("a")), v2("b", socket("b"))));
    awaitState(1, has(Reason.NOT_SERVING));
    awaitState(0, ProviderStatus::isOk);
    b.manners().serving(true).healthz("sick");
    awaitState(1, has(Reason.NOT_OK));
    b.manners().healthz("ok");
    awaitOverall(Verdict.OK);
  }

  @Test
  void a_key_that_was_revoked_is_seen_after_a_restart() {
    gate.close();
    gate = gatekeeper(GateMode.WAIT, "canary-dir=" + directory.resolve("canaries"));
    load(entry(v2("a", socket("a"))));
    awaitOverall(Verdict.OK);
    gate.close();

    // The new key works, but what it decrypts of the old one is wrong.
    a.manners().key("key-2");
    gate = gatekeeper(GateMode.WAIT, "canary-dir=" + directory.resolve("canaries"));
    load(entry(v2("a", socket("a"))));
    awaitOverall(Verdict.OK);
    assertThat(judge().providers().getFirst().degraded()).isEmpty();
    gate.close();

    a.manners().garbage(true);
    gate = gatekeeper(GateMode.CHECK, "canary-dir=" + directory.resolve("canaries"));
    load(entry(v2("a", socket("a"))));
    awaitState(0, has(Reason.DECRYPT_MISMATCH));
    a.manners().garbage(false);
  }

  @Test
  void an_address_that_cannot_be_is_fatal_at_once_and_a_dropped_host_is_told() {
    load(entry(v2("rel", "unix:rel.sock", "1s"), v2("host", "unix://var/run/x.sock", "1s")));
    assertThat(judge().overall()).isEqualTo(Verdict.FATAL);
    assertThat(judge().providers().getFirst().text())
        .contains("FATAL AddressUnusable in address: the address is empty; hint: ");
    awaitState(1, has(Reason.SOCKET_MISSING));
    assertThat(judge().providers().get(1).text())
        .contains(
            "hint: \"var\" is read as a host and dropped, the address in use is \"/run/x.sock\"");
  }

  private Instant since(int index) {
    return requireNonNull(judge().providers().get(index).observation()).since();
  }

  private String hint(int index) {
    return requireNonNull(judge().providers().get(index).finding()).hint();
  }

  private static Predicate<ProviderStatus> has(Reason reason) {
    return state -> state.finding() != null && state.finding().reason() == reason;
  }

  private Path socket(String name) {
    return directory.resolve(name + ".sock");
  }

  private GateController gatekeeper(GateMode mode, String... flags) {
    var settings = GateLab.settings(mode, directory.resolve("c.yaml"), flags);
    var started = new GateController(settings, Clock.systemUTC(), Ticker.system());
    started.start();
    return started;
  }

  private void load(String text) {
    var file = Configurations.write(directory.resolve("c.yaml"), text);
    gate.onConfiguration(
        EncryptionConfigurations.read(file, new ReadOptions(false, KmsV1Policy.ALLOW)));
  }

  private GateStatus judge() {
    return gate.snapshot().at(gate.now());
  }

  private void awaitOverall(Verdict verdict) {
    patiently().until(() -> judge().overall(), overall -> overall == verdict);
  }

  /** Longer than the longest pause after which a failing Encrypt is tried again. */
  private static ConditionFactory patiently() {
    return await().atMost(Duration.ofMinutes(2));
  }

  private void awaitState(int index, Predicate<ProviderStatus> wanted) {
    await().atMost(Duration.ofSeconds(30)).until(() -> judge().providers().get(index), wanted);
  }

  private static long threads(String prefix) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(prefix))
        .count();
  }
}
