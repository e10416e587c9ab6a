// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.probe;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.BindableService;
import io.grpc.Status;
import io.krypton.generated.kms.v2.DecryptResponse;
import io.krypton.generated.kms.v2.EncryptResponse;
import io.krypton.generated.kms.v2.StatusResponse;
import io.krypton.kms.health.FailureClassifier;
import io.krypton.kms.health.FatalPatterns;
import io.krypton.kms.health.ProbeFinding;
import io.krypton.kms.health.ProbeOutcome;
import io.krypton.kms.health.Verdict;
import io.krypton.kms.probe.PluginProbe.PluginSpec;
import io.krypton.kms.probe.PluginProbe.ProbeTools;
import io.krypton.kms.probe.PluginProbeResult.CallRecord;
import io.krypton.kms.probe.PluginProbeResult.CallRecord.Operation;
import io.krypton.kms.rpc.Endpoint;
import io.krypton.kms.rpc.KmsApiVersion;
import io.krypton.kms.rpc.PluginConnectionPool;
import io.krypton.kms.rpc.RpcCode;
import io.krypton.kms.testkit.ScriptedKmsV1;
import io.krypton.kms.testkit.ScriptedKmsV2;
import io.krypton.kms.testkit.ScriptedKmsV2.Reply;
import io.krypton.kms.testkit.ScriptedPlugin;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginProbeTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @TempDir Path directory;
  private final PluginConnectionPool connections = new PluginConnectionPool();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private final ManualTime time = new ManualTime();
  private final CanaryStore canaries = CanaryStore.inMemory();
  private final ScriptedKmsV2 plugin = new ScriptedKmsV2("key-1");

  @AfterEach
  void stop() throws Exception {
    for (var resource : opened.reversed()) {
      resource.close();
    }
    connections.close();
  }

  @Test
  void a_healthy_plugin_is_good_on_both_levels() throws Exception {
    var before = Instant.now();
    var probe = probe(KmsApiVersion.V2, plugin);
    var status = probe.status();
    var deep = probe.deep();

    assertThat(status.outcome()).isEqualTo(ProbeOutcome.GOOD);
    assertThat(status.keyId()).isEqualTo("key-1");
    assertThat(status.checkedAt()).isBetween(before, Instant.now());
    assertThat(operations(status)).containsExactly("STATUS OK");
    assertThat(deep.outcome()).isEqualTo(ProbeOutcome.GOOD);
    assertThat(deep.decryptProven()).isTrue();
    assertThat(operations(deep)).containsExactly("ENCRYPT OK", "DECRYPT OK");
    assertThat(status + " " + deep).doesNotContain("key-1");
  }

  @Test
  void a_missing_socket_is_reported_at_once_and_without_a_plugin() throws Exception {
    var nobody =
        probe(
            KmsApiVersion.V2, Endpoint.ofAddress(directory.resolve("no.sock").toString()), TIMEOUT);
    var result = nobody.status();
    assertThat(finding(result).cause()).isEqualTo("SocketMissing");
    assertThat(operations(result)).containsExactly("STATUS UNAVAILABLE");
  }

  @Test
  void the_key_id_of_the_last_good_status_stays_during_a_failure() throws Exception {
    var probe = probe(KmsApiVersion.V2, plugin);
    probe.status();
    plugin.onStatus(Reply.error(Status.UNAVAILABLE));
    assertThat(probe.status().keyId()).isEqualTo("key-1");
    plugin.onStatus(Reply.message(_ -> StatusResponse.newBuilder().setKeyId("key-2").build()));
    assertThat(probe.status().keyId()).as("of a Status that is not good").isEqualTo("key-1");
  }

  @Test
  void a_version_that_changes_is_found_until_it_changes_back() throws Exception {
    var probe = probe(KmsApiVersion.V2, plugin);
    probe.status();
    var beta = ScriptedPlugin.ok("key-1").toBuilder().setVersion("v2beta1").build();
    plugin.onStatus(Reply.message(_ -> beta));
    assertThat(finding(probe.status()).cause()).isEqualTo("VersionChanged");
    assertThat(finding(probe.status()).cause()).isEqualTo("VersionChanged");
    plugin.rotateTo("key-1");
    assertThat(probe.status().isGood()).isTrue();
  }

  @Test
  void a_plugin_of_the_other_api_is_named() throws Exception {
    var probeFinding = finding(probe(KmsApiVersion.V2, new ScriptedKmsV1()).status());
    assertThat(probeFinding.cause()).isEqualTo("Unimplemented");
    assertThat(probeFinding.message()).endsWith("the plugin answers as v1");
    assertThat(probeFinding.hint()).isEqualTo("set apiVersion: v1");
  }

  @Test
  void a_status_probe_takes_one_timeout_at_most() throws Exception {
    var timeout = Duration.ofSeconds(1);
    var probe = probe(KmsApiVersion.V2, serve(plugin.onStatus(Reply.never())), timeout);
    var start = System.nanoTime();
    assertThat(finding(probe.status()).cause()).isEqualTo("Timeout");
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isBetween(timeout.minusMillis(400), timeout.plusSeconds(30));
  }

  @Test
  void unauthenticated_becomes_fatal_after_a_minute() throws Exception {
    plugin.onStatus(Reply.error(Status.UNAUTHENTICATED));
    var probe = probe(KmsApiVersion.V2, plugin);
    assertThat(finding(probe.status()).verdict()).isEqualTo(Verdict.WAIT);
    time.set(Duration.ofSeconds(60));
    assertThat(finding(probe.status()).verdict()).isEqualTo(Verdict.FATAL);
  }

  @Test
  void broken_encryption_is_found_although_status_is_ok() throws Exception {
    plugin.onEncrypt(Reply.error(Status.PERMISSION_DENIED.withDescription("no")));
    assertThat(deepCause()).isEqualTo("EncryptFailed:PERMISSION_DENIED");
    plugin.onEncrypt(Reply.message(_ -> EncryptResponse.getDefaultInstance()));
    assertThat(deepCause()).isEqualTo("BadEncryptResponse");
    plugin.onEncrypt(
        Reply.message(
            request ->
                EncryptResponse.newBuilder()
                    .setKeyId("key-1")
                    .setCiphertext(request.getPlaintext())
                    .build()));
    assertThat(deepCause()).isEqualTo("NotEncrypted");
  }

  @Test
  void broken_decryption_is_found_although_status_is_ok() throws Exception {
    plugin.onDecrypt(Reply.error(Status.DATA_LOSS));
    assertThat(deepCause()).isEqualTo("DecryptFailed:DATA_LOSS");
    plugin.onDecrypt(
        Reply.message(
            _ ->
                DecryptResponse.newBuilder()
                    .setPlaintext(ByteString.copyFromUtf8("something else"))
                    .build()));
    assertThat(deepCause()).isEqualTo("DecryptMismatch");
  }

  @Test
  void a_rotation_between_status_and_encrypt_is_no_mismatch() throws Exception {
    var probe = probe(KmsApiVersion.V2, plugin);
    probe.status();
    plugin.rotateTo("key-2");
    var deep = probe.deep();
    assertThat(deep.isGood()).isTrue();
    assertThat(operations(deep)).containsExactly("ENCRYPT OK", "DECRYPT OK", "STATUS OK");
  }

  @Test
  void a_lasting_mismatch_is_suspect_first_and_fatal_after_90_seconds() throws Exception {
    plugin.onEncrypt(Reply.message(request -> ScriptedKmsV2.encrypted("key-0", request).build()));
    var probe = probe(KmsApiVersion.V2, plugin);
    probe.status();
    assertThat(probe.deep().outcome()).isInstanceOf(ProbeOutcome.Suspect.class);
    time.set(Duration.ofSeconds(90));
    var lasting = finding(probe.deep());
    assertThat(lasting.cause()).isEqualTo("KeyIDMismatch");
    assertThat(lasting.verdict()).isEqualTo(Verdict.FATAL);
  }

  @Test
  void a_canary_of_the_current_key_that_changed_is_fatal_also_for_a_new_process() throws Exception {
    var first = probe(KmsApiVersion.V2, plugin);
    first.status();
    first.deep();
    var other = new ScriptedKmsV2("key-1");
    other.onEncrypt(
        Reply.message(
            request ->
                EncryptResponse.newBuilder()
                    .setKeyId("key-1")
                    .setCiphertext(ByteString.copyFromUtf8("cc").concat(request.getPlaintext()))
                    .build()));
    other.onDecrypt(
        Reply.message(
            request ->
                DecryptResponse.newBuilder()
                    .setPlaintext(request.getCiphertext().substring(2))
                    .build()));
    var second = probe(KmsApiVersion.V2, other);
    second.status();
    var probeFinding = finding(second.deep());
    assertThat(probeFinding.cause()).isEqualTo("CanaryFailed");
    assertThat(probeFinding.verdict()).isEqualTo(Verdict.FATAL);
  }

  @Test
  void v1_makes_the_same_round_trip_without_key_ids() throws Exception {
    var v1 = new ScriptedKmsV1();
    var probe = probe(KmsApiVersion.V1, v1);
    assertThat(probe.status().isGood()).isTrue();
    assertThat(probe.deep().isGood()).isTrue();
    assertThat(v1.versions()).containsOnly("v1beta1");
    v1.version("v2");
    assertThat(finding(probe.status()).cause()).isEqualTo("BadVersion");
  }

  @Test
  void a_v1_plugin_that_only_decrypts_is_proved_by_its_canary() throws Exception {
    var v1 = new ScriptedKmsV1();
    var probe = probe(KmsApiVersion.V1, v1);
    probe.status();
    probe.deep();
    v1.onEncrypt(Reply.error(Status.PERMISSION_DENIED));
    var deep = probe.deep();
    assertThat(finding(deep).cause()).isEqualTo("EncryptFailed:PERMISSION_DENIED");
    assertThat(deep.decryptProven()).isTrue();
  }

  private String deepCause() throws InterruptedException {
    var probe = probe(KmsApiVersion.V2, plugin);
    assertThat(probe.status().isGood()).isTrue();
    return finding(probe.deep()).cause();
  }

  private static List<String> operations(PluginProbeResult result) {
    return result.calls().stream().map(PluginProbeTest::describe).toList();
  }

  private static String describe(CallRecord call) {
    Operation operation = call.operation();
    RpcCode code = call.code();
    return operation + " " + code;
  }

  private static ProbeFinding finding(PluginProbeResult result) {
    assertThat(result.outcome()).isInstanceOf(ProbeOutcome.Failing.class);
    return ((ProbeOutcome.Failing) result.outcome()).finding();
  }

  private PluginProbe probe(KmsApiVersion api, BindableService service) {
    return probe(api, serve(service), TIMEOUT);
  }

  private Endpoint serve(BindableService service) {
    var server = ScriptedPlugin.at(directory.resolve("kms-" + opened.size() + ".sock"), service);
    opened.add(server);
    return server.endpoint();
  }

  private PluginProbe probe(KmsApiVersion api, Endpoint endpoint, Duration timeout) {
    var connection = connections.open(endpoint, () -> {});
    opened.add(connection);
    var tools =
        new ProbeTools(
            new FailureClassifier(FatalPatterns.DEFAULT),
            canaries,
            Clock.systemUTC(),
            time,
            new SecureRandom());
    return new PluginProbe(new PluginSpec("1", api, endpoint, timeout), connection, tools);
  }
}
