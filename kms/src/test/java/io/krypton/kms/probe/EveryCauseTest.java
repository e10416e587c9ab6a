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
import io.krypton.kms.health.Reason;
import io.krypton.kms.probe.PluginProbe.PluginSpec;
import io.krypton.kms.probe.PluginProbe.ProbeTools;
import io.krypton.kms.rpc.Endpoint;
import io.krypton.kms.rpc.KmsApiVersion;
import io.krypton.kms.rpc.PluginConnectionPool;
import io.krypton.kms.testkit.RawPeer;
import io.krypton.kms.testkit.ScriptedKmsV1;
import io.krypton.kms.testkit.ScriptedKmsV2;
import io.krypton.kms.testkit.ScriptedKmsV2.Reply;
import io.krypton.kms.testkit.ScriptedPlugin;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each reason that a reporter can give, found by a probe of a plugin that really is in that state.
 * The switch has no default, so that a new reason does not compile before somebody can cause it.
 */
class EveryCauseTest {
  private static final Duration PATIENT = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofSeconds(1);

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

  @ParameterizedTest
  @EnumSource(
      value = Reason.class,
      mode = EnumSource.Mode.EXCLUDE,
      // Permissions do not bite root, see DeniedTest; the others are for the gate alone.
      names = {
        "SOCKET_DENIED",
        "ADDRESS_UNUSABLE",
        "DECRYPT_UNPROVEN",
        "NOT_SERVING",
        "HTTP_HEALTHZ"
      })
  void is_found(Reason reason) throws Exception {
    var probeFinding = finding(cause(reason).outcome());

    assertThat(probeFinding.reason()).isEqualTo(reason);
    assertThat(probeFinding.cause()).startsWith(reason.value());
  }

  private static ProbeFinding finding(ProbeOutcome probeOutcome) {
    return switch (probeOutcome) {
      case ProbeOutcome.Failing(var probeFinding) -> probeFinding;
      case ProbeOutcome.OldKeysUnreadable(var probeFinding, var _) -> probeFinding;
      case ProbeOutcome.Good _, ProbeOutcome.Suspect _ -> throw new AssertionError("not found");
    };
  }

  private PluginProbeResult cause(Reason reason) throws Exception {
    return switch (reason) {
      case SOCKET_MISSING -> status(path("nothing"));
      case SOCKET_REFUSED -> status(leftByADeadProcess());
      case CONNECT_FAILED -> status(peer(SocketChannel::close));
      case NOT_A_SOCKET -> status(regularFile());
      case NOT_GRPC -> status(peer(raw -> RawPeer.say(raw, "HTTP/1.1 400 Bad Request\r\n\r\n")));
      case TIMEOUT -> probe(serve(plugin.onStatus(Reply.never())), SHORT).status();
      case UNIMPLEMENTED -> status(serve(new ScriptedKmsV1()));
      case UNAUTHENTICATED -> statusError(Status.UNAUTHENTICATED);
      case RPC_ERROR -> statusError(Status.INTERNAL);
      case RPC_REFUSED -> statusError(Status.PERMISSION_DENIED);
      case NIL_RESPONSE -> status(peerWithoutMessage());
      case NOT_OK -> statusOf(ScriptedPlugin.ok("key-1").toBuilder().setHealthz("sealed"));
      case BAD_VERSION -> statusOf(ScriptedPlugin.ok("key-1").toBuilder().setVersion("v3"));
      case EMPTY_KEY_ID -> statusOf(ScriptedPlugin.ok("").toBuilder());
      case KEY_ID_TOO_LONG -> statusOf(ScriptedPlugin.ok("k".repeat(1025)).toBuilder());
      case VERSION_CHANGED -> {
        var probe = probe(serve(plugin), PATIENT);
        assertThat(probe.status().isGood()).isTrue();
        var beta = ScriptedPlugin.ok("key-1").toBuilder().setVersion("v2beta1").build();
        plugin.onStatus(Reply.message(_ -> beta));
        yield probe.status();
      }
      case BAD_ENCRYPT_RESPONSE -> encryptReturns(EncryptResponse.newBuilder().setKeyId("key-1"));
      case NOT_ENCRYPTED -> {
        plugin.onEncrypt(
            Reply.message(
                request ->
                    EncryptResponse.newBuilder()
                        .setKeyId("key-1")
                        .setCiphertext(request.getPlaintext())
                        .build()));
        yield deep();
      }
      case DECRYPT_MISMATCH -> {
        plugin.onDecrypt(Reply.message(_ -> plaintext(ByteString.copyFromUtf8("other"))));
        yield deep();
      }
      case KEY_ID_MISMATCH -> {
        plugin.onEncrypt(Reply.message(asked -> ScriptedKmsV2.encrypted("key-0", asked).build()));
        var probe = probe(serve(plugin), PATIENT);
        probe.status();
        assertThat(probe.deep().outcome()).isInstanceOf(ProbeOutcome.Suspect.class);
        time.set(Duration.ofSeconds(90));
        yield probe.deep();
      }
      case CANARY_FAILED -> {
        assertThat(deepOf(serve(plugin)).isGood()).isTrue();
        // The same id, another key: its own round trip works, what was kept does not.
        var other =
            new ScriptedKmsV2("key-1")
                .onEncrypt(
                    Reply.message(
                        request ->
                            EncryptResponse.newBuilder()
                                .setKeyId("key-1")
                                .setCiphertext(
                                    ByteString.copyFromUtf8("cc").concat(request.getPlaintext()))
                                .build()))
                .onDecrypt(
                    Reply.message(request -> plaintext(request.getCiphertext().substring(2))));
        yield deepOf(serve(other));
      }
      case OLD_KEY_UNREADABLE -> {
        var probe = probe(serve(plugin), PATIENT);
        probe.status();
        assertThat(probe.deep().isGood()).isTrue();
        plugin.rotateTo("key-2");
        plugin.onDecrypt(
            (request, answer) -> {
              if (request.getKeyId().equals("key-1")) {
                answer.onError(Status.NOT_FOUND.asRuntimeException());
              } else {
                answer.onNext(plaintext(ScriptedPlugin.decrypt(request.getCiphertext())));
                answer.onCompleted();
              }
            });
        probe.status();
        yield probe.deep();
      }
      case SOCKET_DENIED, ADDRESS_UNUSABLE, DECRYPT_UNPROVEN, NOT_SERVING, HTTP_HEALTHZ ->
          throw new IllegalArgumentException("not caused here: " + reason);
    };
  }

  private static DecryptResponse plaintext(ByteString bytes) {
    return DecryptResponse.newBuilder().setPlaintext(bytes).build();
  }

  private PluginProbeResult status(Endpoint endpoint) throws InterruptedException {
    return probe(endpoint, PATIENT).status();
  }

  private PluginProbeResult statusError(Status status) throws InterruptedException {
    return status(serve(plugin.onStatus(Reply.error(status))));
  }

  private PluginProbeResult statusOf(StatusResponse.Builder answer) throws InterruptedException {
    var message = answer.build();
    return status(serve(plugin.onStatus(Reply.message(_ -> message))));
  }

  private PluginProbeResult encryptReturns(EncryptResponse.Builder answer)
      throws InterruptedException {
    var message = answer.build();
    plugin.onEncrypt(Reply.message(_ -> message));
    return deep();
  }

  private PluginProbeResult deep() throws InterruptedException {
    return deepOf(serve(plugin));
  }

  private PluginProbeResult deepOf(Endpoint endpoint) throws InterruptedException {
    var probe = probe(endpoint, PATIENT);
    assertThat(probe.status().isGood()).isTrue();
    return probe.deep();
  }

  private Endpoint path(String name) {
    return Endpoint.ofAddress(directory.resolve(name + ".sock").toString());
  }

  private Endpoint serve(BindableService service) {
    var server = new ScriptedPlugin(path("kms-" + opened.size()), service);
    opened.add(server);
    return server.endpoint();
  }

  private Endpoint peer(RawPeer.Manners manners) throws IOException {
    var peer = new RawPeer(directory.resolve("raw.sock"), manners);
    opened.add(peer);
    return peer.endpoint();
  }

  private Endpoint peerWithoutMessage() throws IOException {
    var headers = RawPeer.headers(3, false, ":status", "200", "content-type", "application/grpc");
    var trailers = RawPeer.headers(3, true, "grpc-status", "0");
    return peer(raw -> RawPeer.afterRequest(raw, headers, trailers));
  }

  private Endpoint leftByADeadProcess() throws IOException {
    var stale = path("stale");
    try (var dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(stale.address()));
    }
    return stale;
  }

  private Endpoint regularFile() throws IOException {
    var file = path("file");
    Files.writeString(Path.of(file.address()), "x");
    return file;
  }

  private PluginProbe probe(Endpoint endpoint, Duration timeout) {
    var connection = connections.open(endpoint, () -> {});
    opened.add(connection);
    var tools =
        new ProbeTools(
            new FailureClassifier(FatalPatterns.DEFAULT),
            canaries,
            Clock.systemUTC(),
            time,
            new SecureRandom());
    return new PluginProbe(
        new PluginSpec("1", KmsApiVersion.V2, endpoint, timeout), connection, tools);
  }
}
