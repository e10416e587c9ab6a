package io.krypton.kms.protocol;

import io.grpc.netty.shaded.io.netty.channel.ChannelFuture;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.krypton.kms.protocol.CallFailure.NoConnection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A direct look at a socket, which finds the cause that gRPC hides behind UNAVAILABLE. */
final class SocketLook {
  private static final int CONNECT_MILLIS = 1000;
  private static final Duration GREETING_TIME = Duration.ofMillis(250);

  private final Endpoint endpoint;
  private final Transports transports;

  SocketLook(Endpoint endpoint, Transports transports) {
    this.endpoint = endpoint;
    this.transports = transports;
  }

  /** Looks at the path, then connects and hangs up. */
  Optional<NoConnection> connect() {
    return fileFault().or(this::connectAndHangUp);
  }

  /** The part of the look that opens no connection. */
  Optional<NoConnection> fileFault() {
    return endpoint.isAbstract() ? Optional.empty() : SocketFile.fault(endpoint.address());
  }

  /**
   * What a connection is made to now; empty for abstract names, of which there is one at a time.
   */
  Optional<SocketFile.Identity> identity() {
    return endpoint.isAbstract() ? Optional.empty() : SocketFile.identity(endpoint.address());
  }

  private Optional<NoConnection> connectAndHangUp() {
    var future = open(new ChannelInboundHandlerAdapter());
    hangUp(future);
    return future.isSuccess()
        ? Optional.empty()
        : Optional.of(ConnectError.read(endpoint, failureOf(future)));
  }

  /** Connects and waits for the first bytes of the peer; a failure to connect counts as closed. */
  Greeting.Reply greet() throws InterruptedException {
    var greeting = new Greeting();
    var future = open(greeting);
    try {
      return future.isSuccess()
          ? greeting.reply().get(GREETING_TIME.toMillis(), TimeUnit.MILLISECONDS)
          : Greeting.Reply.CLOSED;
    } catch (TimeoutException silent) {
      return greeting.soFar();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a greeting never completes with an error", e);
    } finally {
      hangUp(future);
    }
  }

  private ChannelFuture open(ChannelInboundHandlerAdapter handler) {
    return transports
        .to(endpoint)
        .bootstrap()
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
        // What a peer said before it hung up can be read even when nothing can be written any more.
        .option(ChannelOption.AUTO_CLOSE, false)
        .handler(handler)
        .connect()
        .awaitUninterruptibly();
  }

  private static void hangUp(ChannelFuture future) {
    var _ = future.channel().close();
  }

  private static Throwable failureOf(ChannelFuture future) {
    var cause = future.cause();
    return cause == null ? new IllegalStateException("connect was cancelled") : cause;
  }
}
