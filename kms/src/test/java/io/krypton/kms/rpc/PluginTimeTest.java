// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.rpc;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Metadata;
import io.krypton.generated.kms.v2.KeyManagementServiceGrpc;
import io.krypton.generated.kms.v2.StatusRequest;
import io.krypton.kms.rpc.UnaryCall.CallTimeouts;
import io.krypton.kms.testkit.RawPeer;
import io.krypton.kms.testkit.ScriptedKmsV2;
import io.krypton.kms.testkit.ScriptedPlugin;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The time of a plugin is its own: connecting and a cold JVM take nothing of it. */
class PluginTimeTest {
  private static final Metadata.Key<String> TIMEOUT =
      Metadata.Key.of("grpc-timeout", Metadata.ASCII_STRING_MARSHALLER);
  private static final CallTimeouts BUDGET =
      new CallTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(40));

  @TempDir Path directory;

  @Test
  void the_very_first_call_of_a_fresh_jvm_gives_the_plugin_all_of_its_time() throws Exception {
    try (var plugin = ScriptedPlugin.at(directory.resolve("kms.sock"), new ScriptedKmsV2())) {
      var child =
          new ProcessBuilder(
                  ProcessHandle.current().info().command().orElseThrow(),
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  System.getProperty("java.class.path"),
                  SocketCheckMain.class.getName(),
                  plugin.endpoint().address())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(plugin.calls())
          .first()
          .satisfies(call -> assertThat(call.headers().get(TIMEOUT)).isEqualTo("20000000u"));
    }
  }

  @Test
  void the_time_is_counted_from_the_request_and_not_from_the_connection() throws Exception {
    var started = new CopyOnWriteArrayList<Duration>();
    var greeting = new CountDownLatch(1);
    RawPeer.Manners late =
        connection -> {
          awaitUninterrupted(greeting);
          var _ = RawPeer.readRequest(connection);
        };
    try (var peer = new RawPeer(directory.resolve("late.sock"), late);
        var socketTransports = new SocketTransports()) {
      var grpcConnection =
          new GrpcConnection(socketTransports.routeTo(peer.endpoint()), Optional.empty(), () -> {});
      var call =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      assertThat(grpcConnection.await(BUDGET.connect())).isTrue();
                      UnaryCall.run(
                          grpcConnection.channel(),
                          (time, task) -> {
                            started.add(time);
                            task.run();
                          },
                          KeyManagementServiceGrpc.getStatusMethod(),
                          StatusRequest.getDefaultInstance(),
                          BUDGET);
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  });
      await().atMost(30, SECONDS).until(() -> peer.connections() == 1);
      assertThat(started).as("connected, but not greeted yet").isEmpty();
      greeting.countDown();
      assertThat(call.join(Duration.ofSeconds(60))).isTrue();
      assertThat(started).isEqualTo(List.of(BUDGET.answer()));
      grpcConnection.close();
    }
  }

  @Test
  void the_clock_starts_after_what_was_written_before() throws Exception {
    var order = new CopyOnWriteArrayList<String>();
    try (var socketTransports = new SocketTransports()) {
      var route =
          socketTransports.routeTo(Endpoint.ofAddress(directory.resolve("x.sock").toString()));
      var held = new CountDownLatch(1);
      route.group().execute(() -> awaitUninterrupted(held));
      route.group().execute(() -> order.add("written"));
      route.timer().start(Duration.ZERO, () -> order.add("late"));
      assertThat(order).isEmpty();
      held.countDown();
      await().atMost(30, SECONDS).until(() -> order.size() == 2);
      assertThat(order).containsExactly("written", "late");
    }
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
