// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.rpc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.ChannelFuture;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.util.ReferenceCountUtil;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure.NoConnection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A direct check of a socket, which finds the cause that gRPC hides behind UNAVAILABLE. */
final class SocketCheck {
  private static final int CONNECT_MILLIS = 1000;
  private static final Duration GREETING_TIME = Duration.ofMillis(250);

  private final Endpoint endpoint;
  private final SocketTransports socketTransports;

  SocketCheck(Endpoint endpoint, SocketTransports socketTransports) {
    this.endpoint = endpoint;
    this.socketTransports = socketTransports;
  }

  /** Checks the path, then connects and hangs up. */
  Optional<NoConnection> tryConnect() {
    return fileFault().or(this::connectAndDisconnect);
  }

  /** The part of the check that opens no connection. */
  Optional<NoConnection> fileFault() {
    return endpoint.isAbstract() ? Optional.empty() : SocketFile.fault(endpoint.address());
  }

  /**
   * What a connection is made to now; empty for abstract names, of which there is one at a time.
   */
  Optional<SocketFile.Identity> identity() {
    return endpoint.isAbstract() ? Optional.empty() : SocketFile.identity(endpoint.address());
  }

  private Optional<NoConnection> connectAndDisconnect() {
    var future = open(new ChannelInboundHandlerAdapter());
    disconnect(future);
    return future.isSuccess()
        ? Optional.empty()
        : Optional.of(ConnectErrorClassifier.classify(endpoint, failureOf(future)));
  }

  /** Connects and waits for the first bytes of the peer; a failure to connect counts as closed. */
  Http2Handshake.Reply handshake() throws InterruptedException {
    var http2Handshake = new Http2Handshake();
    var future = open(http2Handshake);
    try {
      return future.isSuccess()
          ? http2Handshake.reply().get(GREETING_TIME.toMillis(), TimeUnit.MILLISECONDS)
          : Http2Handshake.Reply.CLOSED;
    } catch (TimeoutException silent) {
      return http2Handshake.partialReply();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a greeting never completes with an error", e);
    } finally {
      disconnect(future);
    }
  }

  private ChannelFuture open(ChannelInboundHandlerAdapter handler) {
    return socketTransports
        .routeTo(endpoint)
        .bootstrap()
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
        // What a peer said before it hung up can be read even when nothing can be written any more.
        .option(ChannelOption.AUTO_CLOSE, false)
        .handler(handler)
        .connect()
        .awaitUninterruptibly();
  }

  private static void disconnect(ChannelFuture future) {
    var _ = future.channel().close();
  }

  private static Throwable failureOf(ChannelFuture future) {
    var cause = future.cause();
    return cause == null ? new IllegalStateException("connect was cancelled") : cause;
  }

  /**
   * Opens an HTTP/2 connection by hand and notes how the peer begins. gRPC only tells that it did
   * not come to a connection, and loses the difference between a peer that speaks another protocol
   * and one that hangs up.
   */
  static final class Http2Handshake extends ChannelInboundHandlerAdapter {
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);
    private static final byte[] EMPTY_SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
    private static final int FRAME_TYPE_AT = 3;
    private static final byte SETTINGS_TYPE = 4;

    private final CompletableFuture<Reply> reply = new CompletableFuture<>();
    private final ByteBuf received = Unpooled.buffer(FRAME_TYPE_AT + 1);

    enum Reply {
      SETTINGS,
      SOMETHING_ELSE,
      CLOSED,
      SILENCE
    }

    CompletableFuture<Reply> reply() {
      return reply;
    }

    /** What is known when there is no more time: a few wrong bytes, or none. */
    Reply partialReply() {
      return received.isReadable() ? Reply.SOMETHING_ELSE : Reply.SILENCE;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      var _ = context.writeAndFlush(Unpooled.wrappedBuffer(PREFACE, EMPTY_SETTINGS));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      try {
        var bytes = (ByteBuf) message;
        received.writeBytes(bytes, Math.min(bytes.readableBytes(), missing()));
      } finally {
        ReferenceCountUtil.release(message);
      }
      // A frame starts with three bytes of length, and no first frame is longer than 64 KiB.
      if (received.getByte(0) != 0) {
        reply.complete(Reply.SOMETHING_ELSE);
      } else if (missing() == 0) {
        reply.complete(
            received.getByte(FRAME_TYPE_AT) == SETTINGS_TYPE
                ? Reply.SETTINGS
                : Reply.SOMETHING_ELSE);
      }
    }

    private int missing() {
      return FRAME_TYPE_AT + 1 - received.readableBytes();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      reply.complete(received.isReadable() ? Reply.SOMETHING_ELSE : Reply.CLOSED);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable reset) {
      reply.complete(received.isReadable() ? Reply.SOMETHING_ELSE : Reply.CLOSED);
    }
  }
}
