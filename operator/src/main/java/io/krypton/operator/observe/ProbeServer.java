// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.observe;

import io.krypton.base.http.Page;
import io.krypton.base.http.PageRequest;
import io.krypton.base.http.PageResponse;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves liveness and readiness probes, whatever other peers do: one request for each connection, a
 * deadline for its head, and among too many idle connections the eldest is closed. The JDK's server
 * refuses new connections instead, which would fail the kubelet's probes.
 */
public final class ProbeServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ProbeServer.class);
  private static final int MAX_IDLE = 256;
  private static final int BACKLOG = 256;
  private static final Duration REQUEST_LIMIT = Duration.ofSeconds(5);
  private static final Duration ACCEPT_RETRY = Duration.ofMillis(100);

  private final ServerSocket listener;
  private final Page pages;
  private final Duration requestLimit;
  private final ExecutorService requests =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("probe-", 0).factory());

  /** Connections whose request has not arrived yet, eldest first. */
  private final SequencedSet<Socket> waiting = new LinkedHashSet<>();

  private ProbeServer(ServerSocket listener, Map<String, Page> pages, Duration requestLimit) {
    this.listener = listener;
    this.pages = Page.byPath(pages);
    this.requestLimit = requestLimit;
  }

  /**
   * Starts listening; the address is taken when this returns.
   *
   * @throws UncheckedIOException with a text for users when the address cannot be had
   */
  public static ProbeServer start(InetSocketAddress address, Map<String, Page> pages) {
    return start(address, pages, REQUEST_LIMIT);
  }

  static ProbeServer start(
      InetSocketAddress address, Map<String, Page> pages, Duration requestLimit) {
    try {
      var listener = new ServerSocket();
      listener.bind(address, BACKLOG);
      var server = new ProbeServer(listener, pages, requestLimit);
      Thread.ofPlatform().name("probes").daemon().start(server::accept);
      return server;
    } catch (IOException failed) {
      throw new UncheckedIOException(
          "cannot listen on %s:%d: %s"
              .formatted(address.getHostString(), address.getPort(), failed.getMessage()),
          failed);
    }
  }

  /** The port in use, also when 0 was asked for. */
  public int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        var peer = listener.accept();
        makeRoomFor(peer);
        requests.execute(() -> serve(peer));
      } catch (IOException failed) {
        pauseUnlessClosed(failed);
      }
    }
  }

  /** Out of file descriptors: wait until some are released. */
  private void pauseUnlessClosed(IOException failed) {
    if (listener.isClosed()) {
      return;
    }
    log.warn("cannot accept a connection: {}", failed.getMessage());
    try {
      Thread.sleep(ACCEPT_RETRY);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void makeRoomFor(Socket peer) {
    if (waiting.size() >= MAX_IDLE) {
      quietlyClose(waiting.removeFirst());
    }
    waiting.add(peer);
  }

  private synchronized void removeWaiting(Socket peer) {
    waiting.remove(peer);
  }

  private void serve(Socket peer) {
    try (peer) {
      var request = ProbeRequest.read(peer, System.nanoTime() + requestLimit.toNanos());
      removeWaiting(peer);
      peer.getOutputStream().write(request.response(respond(request, peer)));
    } catch (IOException gone) {
      // Timed out, displaced or closed by the peer: there is nobody to respond to.
      log.debug("probe ended without a response: {}", gone.getMessage());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      removeWaiting(peer);
    }
  }

  private PageResponse respond(ProbeRequest request, Socket peer) throws InterruptedException {
    if (!request.isWellFormed()) {
      return PageResponse.text(400, "400 bad request\n");
    }
    if (!request.isRead()) {
      return PageResponse.text(405, "405 method not allowed\n");
    }
    try {
      return pages.respond(
          new PageRequest(
              request.method(), request.path(), request.query(), Map.of(), peer.getInetAddress()));
    } catch (RuntimeException bug) {
      log.error("probe {} failed", request.path(), bug);
      return PageResponse.text(500, "internal server error\n");
    }
  }

  private static void quietlyClose(Socket peer) {
    try {
      peer.close();
    } catch (IOException alreadyGone) {
      log.debug("connection was closed already: {}", alreadyGone.getMessage());
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException failed) {
      log.debug("listener was closed already: {}", failed.getMessage());
    }
    synchronized (this) {
      waiting.forEach(ProbeServer::quietlyClose);
    }
    requests.shutdownNow();
  }

  /** The head of an HTTP/1 request; all of it but the first line is of no interest to probes. */
  record ProbeRequest(String method, String path, String query) {
    private static final int MAX_HEAD = 8 * 1024;
    private static final ProbeRequest MALFORMED = new ProbeRequest("", "", "");
    private static final Map<Integer, String> PHRASES =
        Map.of(
            200, "OK",
            400, "Bad Request",
            404, "Not Found",
            405, "Method Not Allowed",
            500, "Internal Server Error");

    /**
     * Reads up to the empty line.
     *
     * @param deadline of the monotonic clock, for the whole head and not for each byte
     */
    static ProbeRequest read(Socket peer, long deadline) throws IOException {
      var input = peer.getInputStream();
      var bytes = new byte[MAX_HEAD];
      var length = 0;
      var head = "";
      while (!head.contains("\r\n\r\n")) {
        if (length == MAX_HEAD) {
          return MALFORMED;
        }
        peer.setSoTimeout(millisUntil(deadline));
        var more = input.read(bytes, length, MAX_HEAD - length);
        if (more < 0) {
          throw new EOFException("closed before its request was complete");
        }
        length += more;
        head = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
      }
      return parse(head.substring(0, head.indexOf("\r\n")));
    }

    private static int millisUntil(long deadline) throws SocketTimeoutException {
      var left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
      if (left <= 0) {
        throw new SocketTimeoutException("its request took too long");
      }
      return (int) left;
    }

    private static ProbeRequest parse(String line) {
      var words = line.split(" ", -1);
      if (words.length != 3 || !words[1].startsWith("/") || !words[2].startsWith("HTTP/1.")) {
        return MALFORMED;
      }
      var mark = words[1].indexOf('?');
      return mark < 0
          ? new ProbeRequest(words[0], words[1], "")
          : new ProbeRequest(words[0], words[1].substring(0, mark), words[1].substring(mark + 1));
    }

    boolean isWellFormed() {
      return !path.isEmpty();
    }

    boolean isRead() {
      return method.equals("GET") || method.equals("HEAD");
    }

    /** The whole response; the connection ends with it. */
    byte[] response(PageResponse response) {
      var head = new StringBuilder("HTTP/1.1 ");
      head.append(response.status()).append(' ');
      head.append(PHRASES.getOrDefault(response.status(), "Unknown")).append("\r\n");
      response
          .headers()
          .forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
      var length = response.body().getBytes(StandardCharsets.UTF_8).length;
      head.append("Content-Length: ").append(length).append("\r\nConnection: close\r\n\r\n");
      if (!method.equals("HEAD")) {
        head.append(response.body());
      }
      return head.toString().getBytes(StandardCharsets.UTF_8);
    }
  }
}
