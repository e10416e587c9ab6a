// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.plugin;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.krypton.kms.health.ProbeOutcome;
import io.krypton.kms.probe.PluginProbe;
import io.krypton.kms.probe.PluginProbe.PluginSpec;
import io.krypton.kms.probe.PluginProbe.ProbeTools;
import io.krypton.kms.probe.PluginProbeResult;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure;
import io.krypton.kms.rpc.Endpoint;
import io.krypton.kms.rpc.KmsApiVersion;
import io.krypton.kms.rpc.KmsClient;
import io.krypton.kms.rpc.KmsClient.EncryptedSample;
import io.krypton.kms.rpc.KmsClient.RpcResult;
import io.krypton.kms.rpc.PluginConnection;
import io.krypton.kms.rpc.PluginConnectionPool;
import io.krypton.kms.rpc.RpcCode;
import io.krypton.sandbox.plugin.PluginFault.FaultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The plugin seen by the client and the probe that watch real ones. */
class PluginServerTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final Duration IMPATIENT = Duration.ofSeconds(2);
  private static final byte[] PLAINTEXT = {1, 2, 3};

  private final PluginConnectionPool connections = new PluginConnectionPool();
  private Path socket;
  private KeyFile keyFile;
  private FaultFile faultFile;
  private PluginServer server;
  private PluginConnection connection;
  private KmsClient client;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    socket = directory.resolve("kms-1.sock");
    keyFile = new KeyFile(directory.resolve("keys.json"));
    faultFile = new FaultFile(directory.resolve("fault"));
    server = PluginServer.start(settings());
    connection = connections.open(server.endpoint(), () -> {});
    client = connection.client(KmsApiVersion.V2);
  }

  private PluginServer.Settings settings() {
    return PluginServer.Settings.of(Endpoint.ofAddress(socket.toString()), keyFile)
        .withFaultFile(faultFile);
  }

  @AfterEach
  void stop() throws IOException {
    connections.close();
    server.close();
  }

  @Test
  void it_is_healthy_and_encrypts_what_only_it_can_decrypt() throws Exception {
    assertThat(content(client.status(TIMEOUT)).keyId()).isEqualTo(keyFile.currentId());
    var sample = content(client.encrypt(PLAINTEXT, TIMEOUT));
    assertThat(sample.ciphertext()).hasSize(1 + 12 + PLAINTEXT.length + 16).startsWith(1);
    assertThat(sample.annotations()).isEmpty();
    assertThat(content(client.decrypt(sample, TIMEOUT))).isEqualTo(PLAINTEXT);
    assertThat(content(client.encrypt(PLAINTEXT, TIMEOUT)).ciphertext())
        .as("a nonce is never used twice")
        .isNotEqualTo(sample.ciphertext());
  }

  @Test
  void the_socket_belongs_to_its_owner_and_goes_with_the_plugin() throws IOException {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
        .isEqualTo("rw-------");
    server.close();
    assertThat(socket).doesNotExist();
  }

  @Test
  void a_stale_socket_is_replaced_but_neither_a_living_one_nor_a_file() throws Exception {
    assertThatThrownBy(() -> PluginServer.start(settings()))
        .hasMessageEndingWith("another process listens there, stop it first");
    server.use(new PluginFault.Refuse());
    server.close();
    assertThat(socket).exists();
    server = PluginServer.start(settings());
    assertThat(content(client.status(TIMEOUT)).healthz()).isEqualTo("ok");
    server.close();
    Files.writeString(socket, "precious");
    assertThatThrownBy(() -> PluginServer.start(settings()))
        .hasMessageContaining("is not a socket");
    assertThat(socket).hasContent("precious");
  }

  @Test
  void a_socket_that_another_plugin_took_over_is_left_to_it() throws Exception {
    Files.delete(socket);
    try (var successor = PluginServer.start(settings())) {
      server.close();
      assertThat(successor.endpoint().address()).isEqualTo(socket.toString());
      assertThat(content(client.status(TIMEOUT)).healthz()).isEqualTo("ok");
    }
  }

  @Test
  void after_a_rotation_both_keys_decrypt_and_the_new_one_encrypts() throws Exception {
    var old = content(client.encrypt(PLAINTEXT, TIMEOUT));
    var rotated = keyFile.rotate();
    await()
        .atMost(30, SECONDS)
        .until(() -> content(client.status(TIMEOUT)).keyId().equals(rotated));
    assertThat(content(client.encrypt(PLAINTEXT, TIMEOUT)).keyId()).isEqualTo(rotated);
    assertThat(content(client.decrypt(old, TIMEOUT))).isEqualTo(PLAINTEXT);

    keyFile.retire(old.keyId());
    await()
        .atMost(30, SECONDS)
        .until(() -> failure(client.decrypt(old, TIMEOUT)).code() == RpcCode.NOT_FOUND);
    assertThat(failure(client.decrypt(old, TIMEOUT)).text())
        .startsWith("no key sha256:")
        .doesNotContain(old.keyId());
  }

  @Test
  void a_changed_ciphertext_is_data_loss_and_a_long_plaintext_is_refused() throws Exception {
    var sample = content(client.encrypt(PLAINTEXT, TIMEOUT));
    sample.ciphertext()[20] ^= 1;
    assertThat(failure(client.decrypt(sample, TIMEOUT)).code()).isEqualTo(RpcCode.DATA_LOSS);
    var foreign = new EncryptedSample(sample.keyId(), new byte[] {7}, Map.of());
    assertThat(failure(client.decrypt(foreign, TIMEOUT)).code()).isEqualTo(RpcCode.DATA_LOSS);
    assertThat(content(client.encrypt(new byte[960], TIMEOUT)).ciphertext()).hasSize(989);
    assertThat(failure(client.encrypt(new byte[961], TIMEOUT)).code())
        .isEqualTo(RpcCode.INVALID_ARGUMENT);
  }

  @ParameterizedTest(name = "{0} is found as {1}")
  @CsvSource({
    "down, SocketMissing",
    "refuse, SocketRefused",
    "hang, Timeout",
    "slow=30s, Timeout",
    "unhealthy=disk full, NotOk",
    "error=FAILED_PRECONDITION:key disabled, RpcRefused:FAILED_PRECONDITION",
    "encrypt-error=PERMISSION_DENIED, EncryptFailed:PERMISSION_DENIED",
    "decrypt-error=UNAVAILABLE, DecryptFailed:UNAVAILABLE",
    "wrong-key, OldKeyUnreadable",
    "garbage, DecryptMismatch",
    "keyid=empty, EmptyKeyID",
    "keyid=long, KeyIDTooLong",
    "version=v3, BadVersion",
    "version=v2beta1, VersionChanged"
  })
  void every_fault_is_followed_found_and_cured(String mode, String cause) throws Exception {
    var probe =
        new PluginProbe(
            new PluginSpec("1", KmsApiVersion.V2, server.endpoint(), IMPATIENT),
            connection,
            ProbeTools.standard());
    await().atMost(20, SECONDS).until(() -> cause(probe).isEmpty());
    faultFile.write(mode);
    await().atMost(20, SECONDS).until(() -> cause(probe).equals(cause));
    faultFile.write("none");
    // The key of that time is gone for good; the plugin is as well as before.
    var left = mode.equals("wrong-key") ? cause : "";
    await().atMost(20, SECONDS).until(() -> probe.status().isGood() && cause(probe).equals(left));
  }

  @Test
  void a_fault_is_followed_and_an_unknown_one_changes_nothing() throws Exception {
    Files.writeString(faultFile.path(), "boom\n");
    faultFile.write("unhealthy=now");
    await()
        .pollInterval(Duration.ofMillis(20))
        .atMost(Duration.ofSeconds(30))
        .until(() -> content(client.status(TIMEOUT)).healthz().equals("now"));
    Files.writeString(faultFile.path(), "boom\n");
    await()
        .during(Duration.ofMillis(400))
        .atMost(Duration.ofSeconds(30))
        .until(() -> content(client.status(TIMEOUT)).healthz().equals("now"));
  }

  @Test
  void an_abstract_socket_works_and_the_version_can_be_chosen() throws Exception {
    var name = "@krypton-dev-plugin-" + ProcessHandle.current().pid();
    var settings =
        PluginServer.Settings.of(Endpoint.ofAddress(name), keyFile).withVersion("v2beta1");
    try (var other = PluginServer.start(settings);
        var toOther = connections.open(other.endpoint(), () -> {})) {
      var beta = toOther.client(KmsApiVersion.V2);
      assertThat(content(beta.status(TIMEOUT)).version()).isEqualTo("v2beta1");
      var sample = content(beta.encrypt(PLAINTEXT, TIMEOUT));
      assertThat(content(client.decrypt(sample, TIMEOUT)))
          .as("two plugins with one key file understand each other")
          .isEqualTo(PLAINTEXT);
    }
  }

  @Test
  void a_socket_without_a_directory_is_refused_in_words() {
    var endpoint = Endpoint.ofAddress(socket + "/sub/kms.sock");
    assertThatThrownBy(() -> PluginServer.start(PluginServer.Settings.of(endpoint, keyFile)))
        .hasMessageEndingWith("its directory does not exist");
  }

  private static String cause(PluginProbe probe) throws InterruptedException {
    var status = probe.status();
    return cause(status.isGood() ? probe.deep() : status);
  }

  private static String cause(PluginProbeResult result) {
    return switch (result.outcome()) {
      case ProbeOutcome.Good _ -> "";
      case ProbeOutcome.OldKeysUnreadable unreadable -> unreadable.finding().cause();
      case ProbeOutcome.Suspect suspect -> "suspect " + suspect.finding().cause();
      case ProbeOutcome.Failing failing -> failing.finding().cause();
    };
  }

  private static <T> T content(RpcResult<T> rpcResult) {
    return switch (rpcResult) {
      case RpcResult.Success<T>(T content) -> content;
      case RpcResult.Failure<T>(CallFailure why) -> throw new AssertionError(why);
    };
  }

  private static CallFailure.Rpc failure(RpcResult<?> rpcResult) {
    return rpcResult instanceof RpcResult.Failure<?>(CallFailure.Rpc rpc)
        ? rpc
        : new CallFailure.Rpc(RpcCode.OK, "");
  }
}
