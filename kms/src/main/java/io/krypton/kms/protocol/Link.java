package io.krypton.kms.protocol;

import io.grpc.Attributes;
import io.grpc.ClientTransportFilter;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.time.Duration;

/**
 * One attempt to be connected. A link that is lost or did not come up is thrown away instead of
 * being revived, so that no reconnect back-off of the library is ever waited for.
 */
final class Link extends ClientTransportFilter {
  private static final int MAX_MESSAGE_BYTES = 256 * 1024;

  /** A link that takes longer than this to come up is not joined by further calls. */
  private static final Duration CONNECT_TIME = Duration.ofSeconds(1);

  private final ManagedChannel channel;
  private final Runnable onLost;
  private final long createdNanos = System.nanoTime();
  private volatile boolean up;
  private volatile boolean cameUp;
  private volatile boolean retired;

  Link(Transports.Route route, Runnable onLost) {
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
  boolean cameUp() {
    return cameUp;
  }

  boolean isUsable() {
    return !retired && (up || (!cameUp && age().compareTo(CONNECT_TIME) < 0));
  }

  private Duration age() {
    return Duration.ofNanos(System.nanoTime() - createdNanos);
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
    cameUp = true;
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
