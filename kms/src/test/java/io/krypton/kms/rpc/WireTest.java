// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import io.krypton.kms.rpc.KmsClient.EncryptedSample;
import io.krypton.kms.testkit.RawPeer;
import io.krypton.kms.testkit.ScriptedPlugin;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a plugin of any make sees of us, byte by byte, held against what kube-apiserver 1.36 sends:
 * authority {@code localhost}, a {@code grpc-timeout}, {@code te: trailers}, and the same fields.
 */
class WireTest {
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private final PluginConnectionPool connections = new PluginConnectionPool();
  private final List<byte[]> requests = new CopyOnWriteArrayList<>();
  private ScriptedPlugin server;
  private PluginConnection connection;

  @BeforeEach
  void serve(@TempDir Path directory) {
    server =
        ScriptedPlugin.at(
            directory.resolve("kms.sock"),
            () -> recording("v2.KeyManagementService", "Status", "Encrypt", "Decrypt"),
            () -> recording("v1beta1.KeyManagementService", "Version", "Encrypt", "Decrypt"));
    connection = connections.open(server.endpoint(), () -> {});
  }

  @AfterEach
  void stop() {
    connections.close();
    server.close();
  }

  @Test
  void status_is_an_empty_message_with_the_headers_of_grpc() throws InterruptedException {
    connection.client(KmsApiVersion.V2).status(DEADLINE);

    var call = server.calls().getFirst();
    assertThat(call.method()).isEqualTo("v2.KeyManagementService/Status");
    assertThat(call.authority()).isEqualTo("localhost");
    assertThat(header(call, "content-type")).isEqualTo("application/grpc");
    assertThat(header(call, "user-agent")).startsWith("grpc-java-netty/");
    assertThat(requests.getFirst()).isEmpty();
  }

  @Test
  void the_connection_opens_with_http2_and_asks_for_trailers(@TempDir Path directory)
      throws Exception {
    var seen = new CompletableFuture<String>();
    try (var peer =
            new RawPeer(
                directory.resolve("raw.sock"), raw -> seen.complete(RawPeer.readRequest(raw)));
        var other = connections.open(peer.endpoint(), () -> {})) {
      other.client(KmsApiVersion.V2).status(Duration.ofSeconds(2));
      assertThat(seen.get(30, TimeUnit.SECONDS))
          .startsWith("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
          .containsSubsequence("localhost", "/v2.KeyManagementService/Status")
          .contains("trailers", "application/grpc", "grpc-timeout");
    }
  }

  @Test
  void every_call_tells_the_server_its_deadline() throws InterruptedException {
    connection.client(KmsApiVersion.V2).status(DEADLINE);
    connection.client(KmsApiVersion.V2).encrypt(new byte[32], DEADLINE);

    assertThat(server.calls())
        .extracting(WireTest::timeoutMillis)
        .allSatisfy(millis -> assertThat(millis).isBetween(1L, DEADLINE.toMillis()));
  }

  @Test
  void encrypt_carries_the_plaintext_and_a_fresh_uid() throws InterruptedException {
    var plaintext = "0123456789abcdef0123456789abcdef".getBytes(UTF_8);
    connection.client(KmsApiVersion.V2).encrypt(plaintext, DEADLINE);
    connection.client(KmsApiVersion.V2).encrypt(plaintext, DEADLINE);

    var first = new Fields(requests.get(0));
    var second = new Fields(requests.get(1));
    assertThat(first.take(1)).isEqualTo(plaintext);
    var uid = new String(first.take(2), UTF_8);
    assertThat(UUID.fromString(uid)).hasToString(uid);
    first.end();
    second.take(1);
    assertThat(new String(second.take(2), UTF_8)).isNotEqualTo(uid);
  }

  @Test
  void decrypt_gives_back_what_encrypt_returned() throws InterruptedException {
    var sample =
        new EncryptedSample("key-7", new byte[] {1, 2, 3}, Map.of("a.b", new byte[] {9, 8}));
    connection.client(KmsApiVersion.V2).decrypt(sample, DEADLINE);

    var fields = new Fields(requests.getFirst());
    assertThat(fields.take(1)).containsExactly(1, 2, 3);
    assertThat(fields.take(2)).hasSize(36);
    assertThat(fields.take(3)).isEqualTo("key-7".getBytes(UTF_8));
    var annotation = new Fields(fields.take(4));
    fields.end();
    assertThat(annotation.take(1)).isEqualTo("a.b".getBytes(UTF_8));
    assertThat(annotation.take(2)).containsExactly(9, 8);
    annotation.end();
  }

  @Test
  void v1_says_v1beta1_in_every_request_and_localhost_too() throws InterruptedException {
    var v1 = connection.client(KmsApiVersion.V1);
    v1.status(DEADLINE);
    v1.encrypt(new byte[] {5}, DEADLINE);
    v1.decrypt(new EncryptedSample("", new byte[] {6}, Map.of()), DEADLINE);

    assertThat(server.calls())
        .extracting(ScriptedPlugin.Call::method)
        .containsExactly(
            "v1beta1.KeyManagementService/Version",
            "v1beta1.KeyManagementService/Encrypt",
            "v1beta1.KeyManagementService/Decrypt");
    assertThat(server.calls()).allMatch(call -> call.authority().equals("localhost"));
    var version = new Fields(requests.get(0));
    assertThat(version.take(1)).isEqualTo("v1beta1".getBytes(UTF_8));
    version.end();
    var encrypt = new Fields(requests.get(1));
    assertThat(encrypt.take(1)).isEqualTo("v1beta1".getBytes(UTF_8));
    assertThat(encrypt.take(2)).containsExactly(5);
    var decrypt = new Fields(requests.get(2));
    assertThat(decrypt.take(1)).isEqualTo("v1beta1".getBytes(UTF_8));
    assertThat(decrypt.take(2)).containsExactly(6);
  }

  private static String header(ScriptedPlugin.Call call, String name) {
    return String.valueOf(
        call.headers().get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER)));
  }

  private static long timeoutMillis(ScriptedPlugin.Call call) {
    var text = header(call, "grpc-timeout");
    var unit =
        switch (text.charAt(text.length() - 1)) {
          case 'n' -> ChronoUnit.NANOS;
          case 'u' -> ChronoUnit.MICROS;
          case 'm' -> ChronoUnit.MILLIS;
          case 'S' -> ChronoUnit.SECONDS;
          default -> throw new AssertionError("unexpected grpc-timeout " + text);
        };
    return Duration.of(Long.parseLong(text.substring(0, text.length() - 1)), unit).toMillis();
  }

  /** A service that keeps the raw bytes of each request and answers with an empty message. */
  private ServerServiceDefinition recording(String service, String... methods) {
    var definition = ServerServiceDefinition.builder(service);
    for (var name : methods) {
      var method =
          MethodDescriptor.<byte[], byte[]>newBuilder()
              .setType(MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(MethodDescriptor.generateFullMethodName(service, name))
              .setRequestMarshaller(new RawBytes())
              .setResponseMarshaller(new RawBytes())
              .build();
      definition.addMethod(
          ServerMethodDefinition.create(
              method,
              ServerCalls.asyncUnaryCall(
                  (request, answer) -> {
                    requests.add(request);
                    answer.onNext(new byte[0]);
                    answer.onCompleted();
                  })));
    }
    return definition.build();
  }

  private static final class RawBytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Reads length-delimited protobuf fields in the order in which they were written. */
  private static final class Fields {
    private final ByteArrayInputStream bytes;

    Fields(byte[] bytes) {
      this.bytes = new ByteArrayInputStream(bytes);
    }

    byte[] take(int number) {
      assertThat(bytes.read()).as("tag of field %d", number).isEqualTo(number << 3 | 2);
      var value = new byte[bytes.read()];
      assertThat(bytes.read(value, 0, value.length)).isEqualTo(value.length);
      return value;
    }

    void end() {
      assertThat(bytes.available()).as("bytes behind the last field").isZero();
    }
  }
}
