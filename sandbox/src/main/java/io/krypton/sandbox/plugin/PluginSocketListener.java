// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.plugin;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import io.krypton.kms.rpc.Endpoint;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The open socket of a plugin. It appears at once with its final mode, and goes as it is told. */
final class PluginSocketListener {
  private static final int TEMPORARY_NAME = 6;
  private static final long CLOSE_SECONDS = 2;

  private final Endpoint endpoint;
  private final EventLoopGroup group;
  private final ExecutorService calls =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("kms-plugin-", 0).factory());
  private final Server server;
  private final @Nullable Object file;

  /** Listens, and takes the place of a socket that a dead process left. */
  static PluginSocketListener open(
      Endpoint endpoint, BindableService service, Set<PosixFilePermission> mode)
      throws IOException {
    if (endpoint.isAbstract()) {
      return new PluginSocketListener(endpoint, service, null);
    }
    var socket = Path.of(endpoint.address());
    StaleSocket.requireFree(socket);
    // Bound under another name first: nobody sees it before its mode is right and it listens.
    var fresh = temporaryName(socket);
    try {
      var pluginSocketListener = new PluginSocketListener(endpoint, service, fresh);
      Files.setPosixFilePermissions(fresh, mode);
      Files.move(fresh, socket, StandardCopyOption.ATOMIC_MOVE);
      return pluginSocketListener;
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  private PluginSocketListener(Endpoint endpoint, BindableService service, @Nullable Path boundAs)
      throws IOException {
    this.endpoint = endpoint;
    var threads = new DefaultThreadFactory("kms-plugin", true);
    NettyServerBuilder builder;
    if (boundAs == null) {
      group = new MultiThreadIoEventLoopGroup(1, threads, EpollIoHandler.newFactory());
      var name = endpoint.address().substring(1);
      builder =
          NettyServerBuilder.forAddress(new DomainSocketAddress("\0" + name))
              .channelType(EpollServerDomainSocketChannel.class);
    } else {
      group = new MultiThreadIoEventLoopGroup(1, threads, NioIoHandler.newFactory());
      builder =
          NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(boundAs))
              .channelType(NioServerDomainSocketChannel.class);
    }
    try {
      server =
          builder
              .bossEventLoopGroup(group)
              .workerEventLoopGroup(group)
              .executor(calls)
              .addService(service)
              .build()
              .start();
      file = boundAs == null ? null : identity(boundAs).orElse(null);
    } catch (IOException e) {
      endGroup();
      throw new IOException("cannot listen on " + endpoint.address() + ": " + e.getMessage(), e);
    }
  }

  private static Path temporaryName(Path socket) throws IOException {
    var directory = socket.toAbsolutePath().getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      throw new IOException("%s: its directory does not exist".formatted(socket));
    }
    var name = ".%x".formatted(System.nanoTime() & 0xfffff);
    return directory.resolve(name.substring(0, Math.min(name.length(), TEMPORARY_NAME)));
  }

  private static Optional<Object> identity(Path path) throws IOException {
    return Files.exists(path)
        ? Optional.ofNullable(Files.getAttribute(path, "unix:ino"))
        : Optional.empty();
  }

  /** Stops listening and cuts all connections; the file stays if asked for, or if not ours. */
  void close(boolean leaveFile) throws IOException {
    server.shutdownNow();
    try {
      server.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
      // Only now: what ends a slow call still wants to be told to its connection.
      calls.shutdownNow();
      calls.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    endGroup();
    if (file != null && !leaveFile) {
      var socket = Path.of(endpoint.address());
      if (identity(socket).filter(file::equals).isPresent()) {
        Files.deleteIfExists(socket);
      }
    }
  }

  private void endGroup() {
    var end = group.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
    end.awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
  }

  /** Distinguishes a socket that a dead process left from one that is in use. */
  static final class StaleSocket {
    private static final int TYPE_BITS = 0170000;
    private static final int SOCKET = 0140000;

    private StaleSocket() {}

    /** Refuses a path on which somebody listens, or which is something else than a socket. */
    static void requireFree(Path path) throws IOException {
      if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
        return;
      }
      var mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
      if ((mode & TYPE_BITS) != SOCKET) {
        throw new IOException(path + ": exists and is not a socket, remove it first");
      }
      if (somebodyListens(path)) {
        throw new IOException(path + ": another process listens there, stop it first");
      }
    }

    private static boolean somebodyListens(Path path) {
      try (var connection = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
        return connection.isConnected();
      } catch (IOException nobody) {
        return false;
      }
    }
  }
}
