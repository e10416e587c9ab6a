// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.probe;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.krypton.base.kmsreport.KeyHash;
import io.krypton.generated.kms.v2.DecryptResponse;
import io.krypton.kms.health.ProbeOutcome;
import io.krypton.kms.probe.CanaryStore.Canary;
import io.krypton.kms.probe.PluginProbe.PluginSpec;
import io.krypton.kms.probe.PluginProbe.ProbeTools;
import io.krypton.kms.rpc.KmsApiVersion;
import io.krypton.kms.rpc.PluginConnection;
import io.krypton.kms.rpc.PluginConnectionPool;
import io.krypton.kms.testkit.ScriptedKmsV2;
import io.krypton.kms.testkit.ScriptedPlugin;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a plugin when its older keys can no longer be used. */
class OldKeysTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @TempDir Path directory;
  private final PluginConnectionPool connections = new PluginConnectionPool();
  private final ScriptedKmsV2 plugin = new ScriptedKmsV2("key-1");
  private final Map<String, Status> refused = new ConcurrentHashMap<>();
  private final CanaryStore store = CanaryStore.inMemory();
  private ScriptedPlugin server;
  private PluginConnection connection;
  private PluginProbe probe;

  @BeforeEach
  void start() {
    plugin.onDecrypt(
        (request, answer) -> {
          var refusal = refused.get(request.getKeyId());
          if (refusal != null && refusal.isOk()) {
            answer.onNext(plaintext(ByteString.copyFromUtf8("other bytes")));
            answer.onCompleted();
          } else if (refusal != null) {
            answer.onError(refusal.asRuntimeException());
          } else {
            answer.onNext(plaintext(ScriptedPlugin.decrypt(request.getCiphertext())));
            answer.onCompleted();
          }
        });
    server = ScriptedPlugin.at(directory.resolve("kms.sock"), plugin);
    connection = connections.open(server.endpoint(), () -> {});
    probe = probe();
  }

  @AfterEach
  void stop() throws Exception {
    connection.close();
    server.close();
    connections.close();
  }

  @Test
  void a_destroyed_old_key_leaves_the_plugin_good_and_is_named() throws Exception {
    deepOf("key-1");
    refused.put("key-1", Status.NOT_FOUND.withDescription("destroyed"));

    var deep = deepOf("key-2");

    assertThat(deep.isGood()).isTrue();
    assertThat(deep.decryptProven()).isTrue();
    assertThat(unreadable(deep)).containsExactly("key-1");
    assertThat(((ProbeOutcome.OldKeysUnreadable) deep.outcome()).finding().message())
        .startsWith("cannot decrypt data of older key sha256:")
        .endsWith(": NOT_FOUND: destroyed")
        .doesNotContain("key-1");
  }

  @Test
  void the_new_key_gets_its_canary_although_the_old_one_is_unreadable() throws Exception {
    deepOf("key-1");
    refused.put("key-1", Status.NOT_FOUND);
    deepOf("key-2");
    assertThat(store.load("1")).extracting(Canary::keyId).contains("key-2");

    refused.put("key-2", Status.NOT_FOUND);
    var next = deepOf("key-3");

    assertThat(unreadable(next)).containsExactly("key-2", "key-1");
  }

  @Test
  void wrong_bytes_of_an_old_key_are_unreadable_too() throws Exception {
    deepOf("key-1");
    refused.put("key-1", Status.OK);

    assertThat(unreadable(deepOf("key-2"))).containsExactly("key-1");
  }

  @Test
  void one_timeout_of_an_old_key_says_nothing_two_in_a_row_do() throws Exception {
    deepOf("key-1");
    refused.put("key-1", Status.UNAVAILABLE);

    assertThat(deepOf("key-2").outcome()).isEqualTo(ProbeOutcome.GOOD);
    assertThat(unreadable(deepOf("key-2"))).containsExactly("key-1");
  }

  @Test
  void an_old_key_that_comes_back_is_forgiven() throws Exception {
    deepOf("key-1");
    refused.put("key-1", Status.PERMISSION_DENIED);
    assertThat(unreadable(deepOf("key-2"))).containsExactly("key-1");

    refused.clear();

    assertThat(deepOf("key-2").outcome()).isEqualTo(ProbeOutcome.GOOD);
  }

  @Test
  void unreadable_keys_take_no_place_from_readable_ones() throws Exception {
    for (int i = 1; i <= 5; i++) {
      deepOf("key-" + i);
    }
    for (int i = 2; i <= 5; i++) {
      refused.put("key-" + i, Status.NOT_FOUND);
    }
    deepOf("key-6");
    assertThat(unreadable(deepOf("key-6"))).containsExactly("key-5", "key-4", "key-3", "key-2");

    refused.put("key-1", Status.NOT_FOUND);
    refused.remove("key-5");

    assertThat(unreadable(deepOf("key-6")))
        .as("the oldest key was still looked at")
        .containsExactly("key-4", "key-3", "key-2", "key-1");
  }

  @Test
  void what_is_unreadable_is_not_stored_again_with_a_newer_key() throws Exception {
    deepOf("key-1");
    refused.put("key-1", Status.NOT_FOUND);
    deepOf("key-2");
    deepOf("key-3");

    assertThat(store.load("1")).extracting(Canary::keyId).containsExactly("key-2", "key-3");
    probe = probe();
    assertThat(deepOf("key-3").outcome()).as("a new process").isEqualTo(ProbeOutcome.GOOD);
  }

  @Test
  void an_unreadable_key_that_becomes_current_again_is_judged_as_the_current_one()
      throws Exception {
    deepOf("key-1");
    refused.put("key-1", Status.NOT_FOUND);
    assertThat(unreadable(deepOf("key-2"))).containsExactly("key-1");

    assertThat(deepOf("key-1").outcome()).isInstanceOf(ProbeOutcome.Failing.class);
    refused.clear();
    assertThat(deepOf("key-1").outcome()).isEqualTo(ProbeOutcome.GOOD);
  }

  private PluginProbe probe() {
    var standard = ProbeTools.standard();
    return new PluginProbe(
        new PluginSpec("1", KmsApiVersion.V2, server.endpoint(), TIMEOUT),
        connection,
        new ProbeTools(
            standard.rules(), store, standard.clock(), standard.ticker(), standard.random()));
  }

  private PluginProbeResult deepOf(String keyId) throws InterruptedException {
    plugin.rotateTo(keyId);
    assertThat(probe.status().isGood()).isTrue();
    return probe.deep();
  }

  /** The names of the keys that are told to be unreadable. */
  private static List<String> unreadable(PluginProbeResult deep) {
    assertThat(deep.outcome()).isInstanceOf(ProbeOutcome.OldKeysUnreadable.class);
    var hashes = ((ProbeOutcome.OldKeysUnreadable) deep.outcome()).keyHashes();
    return hashes.stream().map(OldKeysTest::keyOf).toList();
  }

  private static String keyOf(String hash) {
    for (int i = 1; i < 10; i++) {
      if (KeyHash.label("key-" + i).equals(hash)) {
        return "key-" + i;
      }
    }
    throw new AssertionError(hash);
  }

  private static DecryptResponse plaintext(ByteString bytes) {
    return DecryptResponse.newBuilder().setPlaintext(bytes).build();
  }
}
