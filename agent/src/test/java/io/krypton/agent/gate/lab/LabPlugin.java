// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.lab;

import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A plugin that speaks both generations of the API, counts calls and behaves as it is told. */
public final class LabPlugin implements AutoCloseable {
  private static final Metadata.Key<String> USER_AGENT =
      Metadata.Key.of("user-agent", Metadata.ASCII_STRING_MARSHALLER);

  private final Path socket;
  private final Manners manners = new Manners();
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger callsOfApiServers = new AtomicInteger();
  private final boolean health;
  private @Nullable Server server;
  private @Nullable EventLoopGroup group;

  private LabPlugin(Path socket, boolean health) {
    this.socket = socket;
    this.health = health;
  }

  public static LabPlugin stopped(Path socket) {
    return new LabPlugin(socket, false);
  }

  public static LabPlugin started(Path socket) {
    var plugin = stopped(socket);
    plugin.start();
    return plugin;
  }

  /** With the standard health service of gRPC. */
  public static LabPlugin withHealth(Path socket) {
    var plugin = new LabPlugin(socket, true);
    plugin.start();
    return plugin;
  }

  /** What a process leaves that died without removing its socket. */
  public static void leaveStaleSocket(Path path) throws IOException {
    Files.deleteIfExists(path);
    try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(path));
    }
  }

  public Manners manners() {
    return manners;
  }

  /** All calls so far. */
  public int calls() {
    return calls.get();
  }

  /** Those that came from a program written in Go. */
  public int callsOfApiServers() {
    return callsOfApiServers.get();
  }

  public void start() {
    try {
      Files.deleteIfExists(socket);
      var loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
      var builder =
          NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
              .bossEventLoopGroup(loop)
              .workerEventLoopGroup(loop)
              .channelType(NioServerDomainSocketChannel.class)
              .executor(command -> Thread.ofVirtual().start(command))
              .intercept(new Counter());
      services().forEach(builder::addService);
      group = loop;
      server = builder.build().start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<BindableService> services() {
    var services =
        new ArrayList<BindableService>(List.of(new LabKmsV1(manners), new LabKmsV2(manners)));
    if (health) {
      services.add(new LabHealth(manners));
    }
    return services;
  }

  public boolean isRunning() {
    return server != null;
  }

  /** Cuts connections and removes the socket. */
  public void stop() {
    if (server != null) {
      server.shutdownNow();
    }
    if (group != null) {
      var _ = group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
    server = null;
    group = null;
    try {
      Files.deleteIfExists(socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    stop();
  }

  private final class Counter implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      calls.incrementAndGet();
      if (String.valueOf(headers.get(USER_AGENT)).contains("grpc-go")) {
        callsOfApiServers.incrementAndGet();
      }
      return next.startCall(call, headers);
    }
  }
}
