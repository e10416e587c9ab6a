// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.rpc;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.stub.StreamObserver;
import io.krypton.generated.grpchealth.v1.HealthCheckRequest;
import io.krypton.generated.grpchealth.v1.HealthCheckResponse;
import io.krypton.generated.grpchealth.v1.HealthGrpc;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure;
import io.krypton.kms.rpc.KmsClient.RpcResult;
import io.krypton.kms.rpc.PluginConnection.ServingStatus;
import io.krypton.kms.testkit.RawPeer;
import io.krypton.kms.testkit.ScriptedKmsV1;
import io.krypton.kms.testkit.ScriptedKmsV2;
import io.krypton.kms.testkit.ScriptedKmsV2.Reply;
import io.krypton.kms.testkit.ScriptedPlugin;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PluginConnectionTest {
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  @TempDir Path directory;
  private final PluginConnectionPool connections = new PluginConnectionPool();
  private final AtomicInteger lost = new AtomicInteger();

  @AfterEach
  void stop() {
    connections.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void v2_and_v1_work_over_a_path_and_over_an_abstract_name(boolean isAbstract) throws Exception {
    var address =
        isAbstract
            ? "@krypton-test-" + ProcessHandle.current().pid() + "/x"
            : directory.resolve("kms.sock").toString();
    try (var plugin =
            new ScriptedPlugin(
                Endpoint.ofAddress(address), new ScriptedKmsV2("key-9"), new ScriptedKmsV1());
        var connection = connections.open(plugin.endpoint(), () -> {})) {

      for (var api : KmsApiVersion.values()) {
        var client = connection.client(api);
        var status = content(client.status(DEADLINE));
        assertThat(status.version()).isEqualTo(api == KmsApiVersion.V2 ? "v2" : "v1beta1");
        assertThat(status.keyId()).isEqualTo(api == KmsApiVersion.V2 ? "key-9" : "");

        byte[] plaintext = {1, 2, 3};
        var sample = content(client.encrypt(plaintext, DEADLINE));
        assertThat(content(client.decrypt(sample, DEADLINE))).isEqualTo(plaintext);
      }
      assertThat(plugin.calls()).allMatch(call -> call.authority().equals("localhost"));
    }
  }

  @Test
  void a_plugin_that_came_back_is_seen_by_the_very_next_call() throws Exception {
    try (var plugin = plugin();
        var connection = connections.open(plugin.endpoint(), lost::incrementAndGet)) {
      var client = connection.client(KmsApiVersion.V2);
      content(client.status(DEADLINE));
      for (int i = 0; i < 5; i++) {
        plugin.kill();
        // Many failures in a row, so that a back-off would have grown.
        for (int j = 0; j < 10; j++) {
          assertThat(client.status(DEADLINE)).isInstanceOf(RpcResult.Failure.class);
        }
        plugin.restart();
        assertThat(content(client.status(DEADLINE)).healthz()).isEqualTo("ok");
      }
    }
  }

  @Test
  void a_lost_connection_is_told_at_once_and_once() throws Exception {
    try (var plugin = plugin();
        var connection = connections.open(plugin.endpoint(), lost::incrementAndGet)) {
      content(connection.client(KmsApiVersion.V2).status(DEADLINE));
      assertThat(connection.isUp()).isTrue();

      plugin.kill();

      await().atMost(30, SECONDS).until(() -> lost.get() == 1);
      assertThat(connection.isUp()).isFalse();
      assertThat(connection.checkSocket()).isPresent();
      assertThat(lost).hasValue(1);
    }
  }

  @Test
  void a_socket_that_was_replaced_is_noticed_while_its_old_owner_lives_on() throws Exception {
    var path = directory.resolve("kms.sock");
    try (var old = ScriptedPlugin.at(path, new ScriptedKmsV2("key-old"));
        var connection = connections.open(old.endpoint(), lost::incrementAndGet)) {
      var client = connection.client(KmsApiVersion.V2);
      assertThat(content(client.status(DEADLINE)).keyId()).isEqualTo("key-old");
      old.unlink();
      assertThat(content(client.status(DEADLINE)).keyId())
          .as("a connection needs no file")
          .isEqualTo("key-old");
      try (var _ = ScriptedPlugin.at(path, new ScriptedKmsV2("key-new"))) {
        assertThat(content(client.status(DEADLINE)).keyId()).isEqualTo("key-new");
        assertThat(connection.isUp()).isTrue();
        assertThat(lost).as("nobody died").hasValue(0);
      }
    }
  }

  @Test
  void closing_a_connection_is_not_losing_it() throws Exception {
    try (var plugin = plugin()) {
      var connection = connections.open(plugin.endpoint(), lost::incrementAndGet);
      content(connection.client(KmsApiVersion.V2).status(DEADLINE));
      connection.close();
      connections.close();
      assertThat(lost).hasValue(0);
    }
  }

  @Test
  void two_who_open_one_endpoint_share_one_connection_until_both_are_done() throws Exception {
    var raw = new AtomicInteger();
    try (var peer = new RawPeer(directory.resolve("p.sock"), _ -> raw.incrementAndGet());
        var first = connections.open(peer.endpoint(), () -> {})) {
      var second = connections.open(peer.endpoint(), () -> {});
      var shortDeadline = Duration.ofMillis(300);
      first.client(KmsApiVersion.V2).status(shortDeadline);
      var afterFirst = raw.get();
      second.client(KmsApiVersion.V2).status(shortDeadline);
      assertThat(raw.get()).as("a silent peer is greeted anew").isGreaterThan(afterFirst);
      second.close();
      second.close();
      assertThat(first.isUp()).isFalse();
    }
  }

  @Test
  void a_healthy_plugin_sees_one_connection_however_often_it_is_asked() throws Exception {
    try (var plugin = plugin();
        var first = connections.open(plugin.endpoint(), () -> {});
        var second = connections.open(plugin.endpoint(), () -> {})) {
      for (int i = 0; i < 20; i++) {
        content(first.client(KmsApiVersion.V2).status(DEADLINE));
        content(second.client(KmsApiVersion.V2).status(DEADLINE));
      }
      assertThat(plugin.connections()).isEqualTo(1);
    }
  }

  @Test
  void a_hanging_call_does_not_hold_up_another_one() throws Exception {
    var service = new ScriptedKmsV2().onEncrypt(Reply.never());
    try (var plugin = ScriptedPlugin.at(directory.resolve("kms.sock"), service);
        var connection = connections.open(plugin.endpoint(), () -> {})) {
      var client = connection.client(KmsApiVersion.V2);
      var hanging =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      client.encrypt(new byte[1], DEADLINE);
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  });
      var start = System.nanoTime();
      content(client.status(DEADLINE));
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
      hanging.interrupt();
      assertThat(hanging.join(Duration.ofSeconds(30))).as("an interrupt ends a call").isTrue();
    }
  }

  @Test
  void the_health_service_of_grpc_can_be_asked() throws Exception {
    var health =
        new HealthGrpc.HealthImplBase() {
          @Override
          public void check(
              HealthCheckRequest request, StreamObserver<HealthCheckResponse> answer) {
            var serving = request.getService().isEmpty();
            answer.onNext(
                HealthCheckResponse.newBuilder()
                    .setStatus(
                        serving
                            ? HealthCheckResponse.ServingStatus.SERVING
                            : HealthCheckResponse.ServingStatus.NOT_SERVING)
                    .build());
            answer.onCompleted();
          }
        };
    try (var plugin = ScriptedPlugin.at(directory.resolve("kms.sock"), health);
        var connection = connections.open(plugin.endpoint(), () -> {})) {
      assertThat(content(connection.health("", DEADLINE))).isEqualTo(ServingStatus.SERVING);
      assertThat(content(connection.health(KmsApiVersion.V2.service(), DEADLINE)))
          .isEqualTo(ServingStatus.NOT_SERVING);
    }
  }

  @Test
  void an_address_that_no_socket_can_have_is_not_opened() {
    var unusable = Endpoint.ofAddress("");
    assertThatThrownBy(() -> connections.open(unusable, () -> {}))
        .hasMessageContaining("the address is empty");
  }

  @Test
  void no_thread_stays_behind() throws Exception {
    try (var plugin = plugin()) {
      var own = new PluginConnectionPool();
      var before = ioThreads();
      content(own.open(plugin.endpoint(), () -> {}).client(KmsApiVersion.V2).status(DEADLINE));
      assertThat(ioThreads()).isGreaterThan(before);
      own.close();
      await().atMost(30, SECONDS).until(() -> ioThreads() == before);
    }
  }

  private static long ioThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("kms-io"))
        .count();
  }

  private ScriptedPlugin plugin() {
    return ScriptedPlugin.at(directory.resolve("kms.sock"), new ScriptedKmsV2());
  }

  private static <T> T content(RpcResult<T> rpcResult) throws IOException {
    return switch (rpcResult) {
      case RpcResult.Success<T>(T content) -> content;
      case RpcResult.Failure<T>(CallFailure why) -> throw new IOException("failed: " + why);
    };
  }
}
