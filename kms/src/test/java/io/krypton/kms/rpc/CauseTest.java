// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.krypton.generated.kms.v2.StatusResponse;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure.NoConnection;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure.NoMessage;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure.NotGrpc;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure.Rpc;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure.SocketFault;
import io.krypton.kms.rpc.KmsClient.PluginStatus;
import io.krypton.kms.rpc.KmsClient.RpcResult;
import io.krypton.kms.testkit.RawPeer;
import io.krypton.kms.testkit.ScriptedKmsV1;
import io.krypton.kms.testkit.ScriptedKmsV2;
import io.krypton.kms.testkit.ScriptedKmsV2.Reply;
import io.krypton.kms.testkit.ScriptedPlugin;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every way in which a call can fail, really brought about. */
class CauseTest {
  private static final Duration PATIENT = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofSeconds(1);

  @TempDir Path directory;
  private final PluginConnectionPool connections = new PluginConnectionPool();

  @AfterEach
  void stop() {
    connections.close();
  }

  @Test
  void no_file_at_the_path_is_missing_at_once() {
    expectFault(path("nothing.sock"), SocketFault.MISSING, "ENOENT", "does not exist");
  }

  @Test
  void no_directory_is_missing_too() {
    expectFault(path("none/kms.sock"), SocketFault.MISSING, "ENOENT", "directory " + path("none"));
  }

  @Test
  void a_dangling_link_is_missing_too() throws IOException {
    Files.createSymbolicLink(path("link.sock"), path("nothing.sock"));
    expectFault(path("link.sock"), SocketFault.MISSING, "ENOENT", "is a link to nothing");
  }

  @Test
  void a_socket_file_that_a_dead_process_left_is_refused() throws IOException {
    try (var dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(path("stale.sock")));
    }
    expectFault(path("stale.sock"), SocketFault.REFUSED, "ECONNREFUSED", "nobody listens");
  }

  @Test
  void an_abstract_name_that_nobody_holds_is_refused() throws InterruptedException {
    var failure = statusOf(Endpoint.ofAddress("@krypton-nobody-" + ProcessHandle.current().pid()));
    assertThat(failure)
        .isInstanceOfSatisfying(
            NoConnection.class,
            none -> {
              assertThat(none.fault()).isEqualTo(SocketFault.REFUSED);
              assertThat(none.errno()).isEqualTo("ECONNREFUSED");
            });
  }

  /**
   * Told and not shown: only a security module denies an abstract name, and kernels differ in
   * whether they see datagram sockets of that name.
   */
  @ParameterizedTest
  @CsvSource({
    "connect(..) failed with error(-13): Keine Berechtigung, DENIED, EACCES",
    "connect(..) failed with error(-1): Operation not permitted, DENIED, EPERM",
    "connect(..) failed with error(-91): Protocol wrong type for socket, NOT_A_SOCKET, EPROTOTYPE",
    "connect(..) failed with error(-111): Connection refused, REFUSED, ECONNREFUSED",
    "connect(..) failed with error(-11): Resource temporarily unavailable, FAILED, EAGAIN",
    "connect(..) failed with error(-105): No buffer space available, FAILED, ''",
    "Permission denied: /x, DENIED, EACCES",
    "Connection refused: /x, REFUSED, ECONNREFUSED",
    "who knows, REFUSED, ECONNREFUSED"
  })
  void every_errno_has_the_same_type(String text, SocketFault fault, String errno) {
    var read =
        ConnectErrorClassifier.classify(Endpoint.ofAddress("@x"), new ConnectException(text));
    assertThat(List.of(read.fault(), read.errno())).containsExactly(fault, errno);
  }

  @Test
  void a_regular_file_is_not_a_socket() throws IOException {
    Files.writeString(path("file.sock"), "x");
    expectFault(path("file.sock"), SocketFault.NOT_A_SOCKET, "ENOTSOCK", "is not a socket");
  }

  @Test
  void a_directory_is_not_a_socket() {
    expectFault(directory, SocketFault.NOT_A_SOCKET, "ENOTSOCK", "is not a socket");
  }

  @Test
  void a_file_in_the_place_of_a_directory_is_not_a_socket() throws IOException {
    Files.writeString(path("file"), "x");
    expectFault(path("file/kms.sock"), SocketFault.NOT_A_SOCKET, "ENOTDIR", "is not a directory");
  }

  @Test
  void a_link_to_itself_is_not_a_socket() throws IOException {
    Files.createSymbolicLink(path("loop.sock"), path("loop.sock"));
    expectFault(path("loop.sock"), SocketFault.NOT_A_SOCKET, "ELOOP", "leads to itself");
  }

  @Test
  void a_full_backlog_is_a_failed_connection() throws IOException {
    var held = new ArrayList<SocketChannel>();
    try (var busy = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      busy.bind(UnixDomainSocketAddress.of(path("busy.sock")), 1);
      for (int i = 0; i < 2; i++) {
        held.add(SocketChannel.open(UnixDomainSocketAddress.of(path("busy.sock"))));
      }
      expectFault(path("busy.sock"), SocketFault.FAILED, "EAGAIN", "backlog");
      for (var channel : held) {
        channel.close();
      }
    }
  }

  @Test
  void a_peer_that_hangs_up_first_is_a_failed_connection() throws Exception {
    try (var peer = new RawPeer(path("rude.sock"), SocketChannel::close)) {
      assertThat(statusOf(peer.endpoint()))
          .isInstanceOfSatisfying(
              NoConnection.class, none -> assertThat(none.fault()).isEqualTo(SocketFault.FAILED));
    }
  }

  @ParameterizedTest(name = "after it has read {0} bytes")
  @ValueSource(ints = {0, 24, 60})
  void an_http1_server_that_answers_and_hangs_up_is_not_grpc(int bytes) throws Exception {
    expectNotGrpc(
        connection -> {
          connection.read(ByteBuffer.allocate(bytes));
          RawPeer.say(connection, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
          connection.close();
        });
  }

  @Test
  void a_peer_that_says_a_few_other_bytes_is_not_grpc() throws Exception {
    RawPeer.Manners brief = connection -> RawPeer.say(connection, "ok\n");
    try (var peer = new RawPeer(path("brief.sock"), brief)) {
      assertThat(statusOf(peer.endpoint(), SHORT)).isInstanceOf(NotGrpc.class);
    }
  }

  @Test
  void an_http2_server_that_answers_with_a_page_is_not_grpc() throws Exception {
    var page = RawPeer.headers(3, true, ":status", "200", "content-type", "text/html");
    expectNotGrpc(connection -> RawPeer.afterRequest(connection, page));
  }

  @Test
  void an_http2_server_that_knows_no_such_page_is_not_grpc() throws Exception {
    var notFound = RawPeer.headers(3, true, ":status", "404");
    expectNotGrpc(connection -> RawPeer.afterRequest(connection, notFound));
  }

  @Test
  void a_stream_reset_with_protocol_error_is_not_grpc() throws Exception {
    expectNotGrpc(
        connection -> RawPeer.afterRequest(connection, RawPeer.frame(3, 0, 3, 0, 0, 0, 1)));
  }

  @Test
  void a_connection_ended_with_protocol_error_is_not_grpc() throws Exception {
    expectNotGrpc(
        connection -> {
          RawPeer.afterRequest(connection, RawPeer.frame(7, 0, 0, 0, 0, 0, 3, 0, 0, 0, 1));
          connection.close();
        });
  }

  @Test
  void a_peer_that_accepts_and_stays_silent_is_a_timeout_and_not_another_protocol()
      throws Exception {
    try (var peer = new RawPeer(path("frozen.sock"), connection -> {})) {
      assertThat(statusOf(peer.endpoint(), SHORT))
          .isEqualTo(new Rpc(RpcCode.DEADLINE_EXCEEDED, "no answer within 1s"));
    }
  }

  @Test
  void a_plugin_that_never_answers_is_a_timeout() throws Exception {
    try (var plugin = plugin(new ScriptedKmsV2().onStatus(Reply.never()))) {
      assertThat(statusOf(plugin.endpoint(), SHORT))
          .isEqualTo(new Rpc(RpcCode.DEADLINE_EXCEEDED, "no answer within 1s"));
    }
  }

  @Test
  void a_plugin_of_the_other_api_is_unimplemented() throws Exception {
    try (var plugin = ScriptedPlugin.at(path("v1.sock"), new ScriptedKmsV1())) {
      assertThat(statusOf(plugin.endpoint()))
          .isInstanceOfSatisfying(
              Rpc.class, rpc -> assertThat(rpc.code()).isEqualTo(RpcCode.UNIMPLEMENTED));
    }
  }

  @Test
  void ok_without_a_message_is_told_apart() throws Exception {
    var headers = RawPeer.headers(3, false, ":status", "200", "content-type", "application/grpc");
    var trailers = RawPeer.headers(3, true, "grpc-status", "0");
    try (var peer =
        new RawPeer(
            path("nil.sock"), connection -> RawPeer.afterRequest(connection, headers, trailers))) {
      assertThat(statusOf(peer.endpoint())).isEqualTo(new NoMessage());
    }
  }

  @Test
  void an_answer_above_256_kib_is_not_read() throws Exception {
    var huge = StatusResponse.newBuilder().setHealthz("x".repeat(300 * 1024)).build();
    try (var plugin = plugin(new ScriptedKmsV2().onStatus(Reply.message(_ -> huge)))) {
      assertThat(statusOf(plugin.endpoint()))
          .isInstanceOfSatisfying(
              Rpc.class, rpc -> assertThat(rpc.code()).isEqualTo(RpcCode.RESOURCE_EXHAUSTED));
    }
  }

  @ParameterizedTest
  @EnumSource(value = RpcCode.class, mode = EnumSource.Mode.EXCLUDE, names = "OK")
  void every_code_of_a_plugin_arrives_with_its_text(RpcCode code) throws Exception {
    var status = Status.Code.valueOf(code.name()).toStatus().withDescription("because I say so");
    try (var plugin = plugin(new ScriptedKmsV2().onStatus(Reply.error(status)))) {
      assertThat(statusOf(plugin.endpoint())).isEqualTo(new Rpc(code, "because I say so"));
    }
  }

  @Test
  void a_plugin_that_says_protocol_error_in_words_still_speaks_grpc() throws Exception {
    var status = Status.INTERNAL.withDescription("HTTP/2 error code: PROTOCOL_ERROR");
    try (var plugin = plugin(new ScriptedKmsV2().onStatus(Reply.error(status)))) {
      assertThat(statusOf(plugin.endpoint())).isInstanceOf(Rpc.class);
    }
  }

  @Test
  void a_plugin_that_dies_during_a_call_is_found_dead() throws Exception {
    var service = new ScriptedKmsV2();
    try (var plugin = plugin(service)) {
      service.onStatus((_, _) -> Thread.ofVirtual().start(plugin::kill));
      assertThat(statusOf(plugin.endpoint()))
          .isInstanceOfSatisfying(
              NoConnection.class,
              none -> assertThat(none.fault()).isIn(SocketFault.REFUSED, SocketFault.MISSING));
    }
  }

  private void expectFault(Path socket, SocketFault fault, String errno, String text) {
    var start = System.nanoTime();
    var failure = uninterrupted(Endpoint.ofAddress(socket.toString()));
    var took = Duration.ofNanos(System.nanoTime() - start);

    assertThat(failure).isInstanceOf(NoConnection.class);
    var none = (NoConnection) failure;
    assertThat(List.of(none.fault(), none.errno())).containsExactly(fault, errno);
    assertThat(none.text()).contains(text);
    assertThat(took).as("found at once, not at the deadline").isLessThan(PATIENT.dividedBy(2));
  }

  private void expectNotGrpc(RawPeer.Manners manners) throws Exception {
    try (var peer = new RawPeer(path("other.sock"), manners)) {
      assertThat(statusOf(peer.endpoint())).isInstanceOf(NotGrpc.class);
    }
  }

  private CallFailure uninterrupted(Endpoint endpoint) {
    try {
      return statusOf(endpoint);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private CallFailure statusOf(Endpoint endpoint) throws InterruptedException {
    return statusOf(endpoint, PATIENT);
  }

  private CallFailure statusOf(Endpoint endpoint, Duration deadline) throws InterruptedException {
    try (var connection = connections.open(endpoint, () -> {})) {
      var rpcResult = connection.client(KmsApiVersion.V2).status(deadline);
      assertThat(rpcResult).isInstanceOf(RpcResult.Failure.class);
      return ((RpcResult.Failure<PluginStatus>) rpcResult).why();
    }
  }

  private ScriptedPlugin plugin(ScriptedKmsV2 service) {
    return ScriptedPlugin.at(path("kms.sock"), service);
  }

  private Path path(String name) {
    return directory.resolve(name);
  }
}
