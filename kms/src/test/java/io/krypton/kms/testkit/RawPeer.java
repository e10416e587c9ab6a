// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.krypton.kms.rpc.Endpoint;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A peer on a unix socket that says exactly the bytes a test wants. */
public final class RawPeer implements AutoCloseable {
  private final Path socket;
  private final ServerSocketChannel server;
  private final Manners manners;
  private final List<SocketChannel> connections = new CopyOnWriteArrayList<>();

  /** What the peer does with a connection, which stays open unless it closes it. */
  public interface Manners {
    void treat(SocketChannel connection) throws IOException;
  }

  public RawPeer(Path socket, Manners manners) throws IOException {
    this.socket = socket;
    this.manners = manners;
    this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    Thread.ofVirtual().start(this::serve);
  }

  public Endpoint endpoint() {
    return Endpoint.ofAddress(socket.toString());
  }

  public int connections() {
    return connections.size();
  }

  private void serve() {
    while (server.isOpen()) {
      try {
        var connection = server.accept();
        connections.add(connection);
        Thread.ofVirtual().start(() -> treat(connection));
      } catch (IOException e) {
        if (server.isOpen()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private void treat(SocketChannel connection) {
    try {
      manners.treat(connection);
    } catch (IOException peerWentAway) {
      connections.remove(connection);
    }
  }

  public static void say(SocketChannel connection, String text) throws IOException {
    connection.write(ByteBuffer.wrap(text.getBytes(US_ASCII)));
  }

  /** Waits for a whole gRPC request of ours, then writes frames; its stream has the number 3. */
  public static void afterRequest(SocketChannel connection, byte[]... frames) throws IOException {
    var _ = readRequest(connection);
    for (var frame : frames) {
      connection.write(ByteBuffer.wrap(frame));
    }
  }

  /** Greets and reads the raw bytes of a connection until its first call is there. */
  public static String readRequest(SocketChannel connection) throws IOException {
    connection.write(ByteBuffer.wrap(frame(4, 0, 0)));
    var seen = new ByteArrayOutputStream();
    var buffer = ByteBuffer.allocate(8192);
    while (!seen.toString(ISO_8859_1).contains("grpc-timeout")
        && connection.read(buffer.clear()) >= 0) {
      seen.write(buffer.array(), 0, buffer.position());
    }
    return seen.toString(ISO_8859_1);
  }

  /** A frame with headers, written in the plainest of HPACK's ways. */
  public static byte[] headers(int stream, boolean last, String... namesAndValues) {
    var block = new ByteArrayOutputStream();
    for (int i = 0; i < namesAndValues.length; i++) {
      if (i % 2 == 0) {
        block.write(0);
      }
      block.write(namesAndValues[i].length());
      block.writeBytes(namesAndValues[i].getBytes(US_ASCII));
    }
    var octets = block.toByteArray();
    var payload = new int[octets.length];
    for (int i = 0; i < payload.length; i++) {
      payload[i] = octets[i];
    }
    return frame(1, last ? 5 : 4, stream, payload);
  }

  /** An HTTP/2 frame. */
  public static byte[] frame(int type, int flags, int stream, int... payload) {
    var frame = ByteBuffer.allocate(9 + payload.length);
    frame.put((byte) 0).putShort((short) payload.length);
    frame.put((byte) type).put((byte) flags).putInt(stream);
    for (var octet : payload) {
      frame.put((byte) octet);
    }
    return frame.array();
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (var connection : connections) {
      connection.close();
    }
  }
}
