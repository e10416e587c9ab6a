// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.testkit;

import com.google.protobuf.ByteString;
import io.grpc.Attributes;
import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerTransportFilter;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import io.krypton.generated.kms.v2.EncryptRequest;
import io.krypton.generated.kms.v2.StatusResponse;
import io.krypton.kms.rpc.Endpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A gRPC server on a unix socket that answers as a test says, v2 by default, and remembers what it
 * was asked. Its "encryption" reverses the bytes behind a byte for the key.
 */
public final class ScriptedPlugin implements AutoCloseable {
  private final Endpoint endpoint;
  private final List<BindableService> services;
  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final EventLoopGroup group;
  private Server server;

  /** What the server saw of one call before any handler did. */
  public record Call(String method, String authority, Metadata headers) {}

  public ScriptedPlugin(Endpoint endpoint, BindableService... services) {
    this.endpoint = endpoint;
    this.services = List.of(services);
    this.group =
        new MultiThreadIoEventLoopGroup(
            1, endpoint.isAbstract() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    this.server = start();
  }

  public static ScriptedPlugin at(Path socket, BindableService... services) {
    return new ScriptedPlugin(Endpoint.ofAddress(socket.toString()), services);
  }

  public Endpoint endpoint() {
    return endpoint;
  }

  public List<Call> calls() {
    return calls;
  }

  /** How many connections ever came about. */
  public int connections() {
    return connections.get();
  }

  private Server start() {
    var builder =
        NettyServerBuilder.forAddress(address())
            .bossEventLoopGroup(group)
            .workerEventLoopGroup(group)
            .channelType(channelType())
            .executor(command -> Thread.ofVirtual().start(command))
            .addTransportFilter(new Counter())
            .intercept(new Recorder());
    services.forEach(builder::addService);
    try {
      return builder.build().start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private SocketAddress address() {
    return endpoint.isAbstract()
        ? new DomainSocketAddress("\0" + endpoint.address().substring(1))
        : UnixDomainSocketAddress.of(endpoint.address());
  }

  private Class<? extends ServerChannel> channelType() {
    return endpoint.isAbstract()
        ? EpollServerDomainSocketChannel.class
        : NioServerDomainSocketChannel.class;
  }

  /** Cuts all connections and stops listening; Netty removes the socket file. */
  public void kill() {
    server.shutdownNow();
    try {
      if (!server.awaitTermination(5, TimeUnit.SECONDS)) {
        throw new IllegalStateException("server did not stop");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Comes back on the same socket. */
  public void restart() {
    unlink();
    server = start();
  }

  public void unlink() {
    if (!endpoint.isAbstract()) {
      try {
        Files.deleteIfExists(Path.of(endpoint.address()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void close() {
    kill();
    var _ = group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    unlink();
  }

  /** A healthy answer to Status. */
  public static StatusResponse ok(String keyId) {
    return StatusResponse.newBuilder().setVersion("v2").setHealthz("ok").setKeyId(keyId).build();
  }

  /** The opposite of {@link #decrypt}. */
  public static ByteString encrypt(EncryptRequest request) {
    return ByteString.copyFromUtf8("c").concat(reversed(request.getPlaintext()));
  }

  public static ByteString decrypt(ByteString ciphertext) {
    return reversed(ciphertext.substring(1));
  }

  private static ByteString reversed(ByteString bytes) {
    var reversed = new byte[bytes.size()];
    for (int i = 0; i < reversed.length; i++) {
      reversed[i] = bytes.byteAt(reversed.length - 1 - i);
    }
    return ByteString.copyFrom(reversed);
  }

  private final class Counter extends ServerTransportFilter {
    @Override
    public Attributes transportReady(Attributes attributes) {
      connections.incrementAndGet();
      return attributes;
    }
  }

  private final class Recorder implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      calls.add(
          new Call(
              call.getMethodDescriptor().getFullMethodName(),
              String.valueOf(call.getAuthority()),
              headers));
      return next.startCall(call, headers);
    }
  }
}
