// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.rpc;

import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Exception;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure.NoConnection;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure.NotGrpc;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure.Rpc;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure.SocketFault;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Finds out why a call failed, with a check of the socket where gRPC's status hides the cause. */
public final class CallFailureClassifier {
  private static final Metadata.Key<String> CONTENT_TYPE =
      Metadata.Key.of("content-type", Metadata.ASCII_STRING_MARSHALLER);
  private static final String GRPC_CONTENT = "application/grpc";

  /** gRPC keeps this in the trailers only when the response was not gRPC. */
  private static final String HTTP_STATUS = ":status";

  private static final String PROTOCOL_ERROR = "HTTP/2 error code: PROTOCOL_ERROR";

  private final SocketCheck socketCheck;
  private final GrpcConnection connection;
  private final Duration timeout;

  CallFailureClassifier(SocketCheck socketCheck, GrpcConnection grpcConnection, Duration timeout) {
    this.socketCheck = socketCheck;
    this.connection = grpcConnection;
    this.timeout = timeout;
  }

  CallFailure classify(UnaryCall.End<?> end) throws InterruptedException {
    var status = end.status();
    if (status.isOk()) {
      return new CallFailure.NoMessage();
    }
    if (end.trailers().keys().contains(HTTP_STATUS)) {
      return new NotGrpc("the peer answers with HTTP but not with gRPC");
    }
    if (end.answered() || isGrpc(end.trailers().get(CONTENT_TYPE))) {
      return rpc(status);
    }
    return isProtocolError(status)
        ? new NotGrpc("the peer reports or causes an HTTP/2 protocol error")
        : transportFailure(status);
  }

  private static boolean isGrpc(@Nullable String contentType) {
    return contentType != null && contentType.startsWith(GRPC_CONTENT);
  }

  private static boolean isProtocolError(Status status) {
    return status.getCause() instanceof Http2Exception
        || String.valueOf(status.getDescription()).contains(PROTOCOL_ERROR);
  }

  /** The status is the library's own code for something that happened to the connection. */
  private CallFailure transportFailure(Status status) throws InterruptedException {
    if (status.getCode() != Status.Code.DEADLINE_EXCEEDED) {
      var fault = socketCheck.tryConnect();
      if (fault.isPresent()) {
        return fault.get();
      }
    }
    return connection.wasReady() ? unanswered(status) : neverConnected(status);
  }

  private CallFailure neverConnected(Status status) throws InterruptedException {
    return switch (socketCheck.handshake()) {
      case SOMETHING_ELSE -> new NotGrpc("the peer does not open with HTTP/2 settings");
      case CLOSED ->
          new NoConnection(SocketFault.FAILED, "", "the peer hangs up before it has sent anything");
      case SETTINGS, SILENCE -> unanswered(status);
    };
  }

  /**
   * UNAVAILABLE and CANCELLED are here the library's codes for a connection that ended. If it
   * stands, the plugin has given up a call whose time it knows.
   */
  private CallFailure unanswered(Status status) {
    return switch (status.getCode()) {
      case UNAVAILABLE, CANCELLED ->
          status.getCode() == Status.Code.CANCELLED && connection.isUp()
              ? deadlineExceeded()
              : ended();
      default -> rpc(status);
    };
  }

  private static NoConnection ended() {
    return new NoConnection(SocketFault.FAILED, "", "the connection ended before the answer");
  }

  private Rpc rpc(Status status) {
    var code = RpcCode.valueOf(status.getCode().name());
    var text = status.getDescription();
    if (text == null) {
      return code == RpcCode.DEADLINE_EXCEEDED ? deadlineExceeded() : new Rpc(code, "");
    }
    return new Rpc(code, text);
  }

  private Rpc deadlineExceeded() {
    return new Rpc(RpcCode.DEADLINE_EXCEEDED, "no answer within " + seconds(timeout));
  }

  private static String seconds(Duration time) {
    return time.toMillis() % 1000 == 0 ? time.toSeconds() + "s" : time.toMillis() + "ms";
  }

  /** Why a call brought no answer. Texts that come from the peer are untrusted. */
  public sealed interface CallFailure {

    /** No connection; {@code errno} is the name of the error, or empty when there was none. */
    record NoConnection(SocketFault fault, String errno, String text) implements CallFailure {}

    /** The peer is connected but does not speak gRPC. */
    record NotGrpc(String text) implements CallFailure {}

    /** The peer answered with a status other than OK, or did not answer before the deadline. */
    record Rpc(RpcCode code, String text) implements CallFailure {}

    /** The call ended with OK but without a message. */
    record NoMessage() implements CallFailure {}

    /** Why no connection to a socket came about. */
    enum SocketFault {
      /** The path, one of its directories, or the target of a link does not exist. */
      MISSING,
      /** Nobody listens: a file left behind by a dead process, or an abstract name nobody holds. */
      REFUSED,
      /** The process may not reach the path or write to the socket. */
      DENIED,
      /** Something else than a stream socket is there. */
      NOT_A_SOCKET,
      /**
       * Any other reason, such as a full backlog or a peer that hangs up before its first frame.
       */
      FAILED
    }
  }
}
