// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.rpc;

import io.grpc.netty.shaded.io.netty.bootstrap.Bootstrap;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.IoHandlerFactory;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import io.krypton.kms.rpc.UnaryCall.CallTimer;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Netty's side of unix sockets: one I/O thread for sockets with a path, which need no native code,
 * and one for abstract sockets, which the JDK cannot open. Each starts when it is first needed.
 */
final class SocketTransports implements AutoCloseable {
  private static final long CLOSE_SECONDS = 1;

  private final Map<Kind, EventLoopGroup> groups = new HashMap<>();

  private enum Kind {
    PATH,
    ABSTRACT
  }

  /** What Netty needs to know to connect to one endpoint. */
  record Route(EventLoopGroup group, Class<? extends Channel> channelType, SocketAddress address) {

    Bootstrap bootstrap() {
      return new Bootstrap().group(group).channel(channelType).remoteAddress(address);
    }

    /**
     * Counts on the I/O thread, which does one thing after the other: it starts after it has
     * written what it was given before, and looks for answers before it looks at the clock.
     */
    CallTimer timer() {
      return (time, task) -> {
        try {
          group.execute(() -> runLater(time, task));
        } catch (RejectedExecutionException closed) {
          task.run();
        }
      };
    }

    private void runLater(Duration time, Runnable task) {
      var _ = group.schedule(task, time.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  Route routeTo(Endpoint endpoint) {
    if (endpoint.isAbstract()) {
      return new Route(
          group(Kind.ABSTRACT),
          EpollDomainSocketChannel.class,
          new DomainSocketAddress("\0" + endpoint.abstractName()));
    }
    return new Route(
        group(Kind.PATH),
        NioDomainSocketChannel.class,
        UnixDomainSocketAddress.of(endpoint.address()));
  }

  private synchronized EventLoopGroup group(Kind kind) {
    return groups.computeIfAbsent(
        kind,
        k -> {
          IoHandlerFactory handler =
              k == Kind.PATH ? NioIoHandler.newFactory() : EpollIoHandler.newFactory();
          return new MultiThreadIoEventLoopGroup(
              1, new DefaultThreadFactory("kms-io", true), handler);
        });
  }

  @Override
  public synchronized void close() {
    var ends =
        groups.values().stream()
            .map(group -> group.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS))
            .toList();
    ends.forEach(end -> end.awaitUninterruptibly(2 * CLOSE_SECONDS, TimeUnit.SECONDS));
    groups.clear();
  }
}
