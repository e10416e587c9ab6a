// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.rpc;

import io.grpc.Attributes;
import io.grpc.ClientTransportFilter;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.krypton.kms.rpc.UnaryCall.CallTimer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One attempt to be connected. A link that is lost or did not come up is thrown away instead of
 * being revived, so that no reconnect back-off of the library is ever waited for.
 */
final class GrpcConnection extends ClientTransportFilter {
  private static final int MAX_MESSAGE_BYTES = 256 * 1024;

  private final ManagedChannel channel;
  private final CallTimer timer;
  private final Optional<SocketFile.Identity> socket;
  private final Runnable onLost;
  private volatile boolean up;
  private volatile boolean wasReady;
  private volatile boolean retired;

  /**
   * Prepares a connection.
   *
   * @param socket what was at the other end when it was made; empty if unknown
   */
  GrpcConnection(
      SocketTransports.Route route, Optional<SocketFile.Identity> socket, Runnable onLost) {
    this.timer = route.timer();
    this.socket = socket;
    this.onLost = onLost;
    this.channel =
        NettyChannelBuilder.forAddress(route.address())
            .eventLoopGroup(route.group())
            .channelType(route.channelType(), route.address().getClass())
            .usePlaintext()
            // The path of a socket is not a valid authority; some servers reset such streams.
            .overrideAuthority("localhost")
            .maxInboundMessageSize(MAX_MESSAGE_BYTES)
            .disableRetry()
            .disableServiceConfigLookUp()
            .proxyDetector(target -> null)
            .directExecutor()
            .addTransportFilter(this)
            .build();
  }

  ManagedChannel channel() {
    return channel;
  }

  boolean isUp() {
    return up;
  }

  /** Whether the peer ever completed the handshake of HTTP/2 on this link. */
  boolean wasReady() {
    return wasReady;
  }

  /** A link that did not come up is retired by the call that waited for it. */
  boolean isUsable() {
    return !retired && (up || !wasReady);
  }

  /** Whether this link leads to what is there now; a path at which nothing is proves nothing. */
  boolean isConnectedTo(Optional<SocketFile.Identity> there) {
    return there.isEmpty() || socket.isEmpty() || there.equals(socket);
  }

  CallTimer timer() {
    return timer;
  }

  boolean isRetired() {
    return retired;
  }

  /**
   * Waits until a call is written at once, or fails at once because nobody can be connected. False
   * if neither came about in time, or if the link was retired meanwhile.
   */
  boolean await(Duration limit) throws InterruptedException {
    var end = System.nanoTime() + limit.toNanos();
    while (true) {
      var state = channel.getState(true);
      switch (state) {
        case READY, TRANSIENT_FAILURE -> {
          return true;
        }
        case SHUTDOWN -> {
          return false;
        }
        case IDLE, CONNECTING -> {
          var changed = new CountDownLatch(1);
          channel.notifyWhenStateChanged(state, changed::countDown);
          if (!changed.await(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            return false;
          }
        }
      }
    }
  }

  /** No new calls; those under way end by themselves, at the latest with their deadline. */
  void retire() {
    retired = true;
    channel.shutdown();
  }

  void close() {
    retired = true;
    channel.shutdownNow();
  }

  @Override
  public Attributes transportReady(Attributes attributes) {
    wasReady = true;
    up = true;
    return attributes;
  }

  @Override
  public void transportTerminated(Attributes attributes) {
    if (up && !retired) {
      up = false;
      onLost.run();
    }
    up = false;
  }
}
