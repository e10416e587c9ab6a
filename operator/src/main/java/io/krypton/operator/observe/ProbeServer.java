package io.krypton.operator.observe;

import io.krypton.operator.observe.HttpPageServer.Page;
import io.krypton.operator.observe.HttpPageServer.Response;
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
 * A server for the kubelet's probes that nobody can keep from answering: one request for each
 * connection, a limit for its arrival, and where too many peers wait without asking, the one that
 * has waited longest makes room.
 */
public final class ProbeServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ProbeServer.class);
  private static final int MOST_WAITING = 256;
  private static final int BACKLOG = 256;
  private static final Duration REQUEST_LIMIT = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final ServerSocket listener;
  private final Map<String, Page> pages;
  private final Duration requestLimit;
  private final ExecutorService requests =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("probe-", 0).factory());

  /** Connections whose request has not arrived yet, eldest first. */
  private final SequencedSet<Socket> waiting = new LinkedHashSet<>();

  private ProbeServer(ServerSocket listener, Map<String, Page> pages, Duration requestLimit) {
    this.listener = listener;
    this.pages = Map.copyOf(pages);
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
      throw BindAddress.bindFailure(address, failed);
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

  /** Without files for connections there is nothing to do but wait until some are given back. */
  private void pauseUnlessClosed(IOException failed) {
    if (listener.isClosed()) {
      return;
    }
    log.warn("cannot accept a probe: {}", failed.getMessage());
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void makeRoomFor(Socket peer) {
    if (waiting.size() >= MOST_WAITING) {
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
      peer.getOutputStream().write(request.response(respond(request)));
    } catch (IOException gone) {
      // Too slow, displaced or gone by itself: nobody is there to be told.
      log.debug("a probe ended without an answer: {}", gone.getMessage());
    } finally {
      removeWaiting(peer);
    }
  }

  private Response respond(ProbeRequest request) {
    if (!request.isWellFormed()) {
      return Response.text(400, "400 bad request\n");
    }
    if (!request.isRead()) {
      return Response.text(405, "405 method not allowed\n");
    }
    var page = pages.get(request.path());
    return page == null
        ? Response.text(404, "404 page not found\n")
        : HttpPageServer.respondSafely(page, request.query());
  }

  private static void quietlyClose(Socket peer) {
    try {
      peer.close();
    } catch (IOException alreadyGone) {
      log.debug("a connection was gone already: {}", alreadyGone.getMessage());
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException failed) {
      log.debug("the probes' listener was gone already: {}", failed.getMessage());
    }
    synchronized (this) {
      waiting.forEach(ProbeServer::quietlyClose);
    }
    requests.shutdownNow();
  }

  /** The head of an HTTP/1 request; all of it but the first line is of no interest to probes. */
  record ProbeRequest(String method, String path, String query) {
    private static final int LONGEST = 8 * 1024;
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
      var bytes = new byte[LONGEST];
      var length = 0;
      var head = "";
      while (!head.contains("\r\n\r\n")) {
        if (length == LONGEST) {
          return MALFORMED;
        }
        peer.setSoTimeout(millisUntil(deadline));
        var more = input.read(bytes, length, LONGEST - length);
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

    /** The whole answer; it is the last thing on its connection. */
    byte[] response(Response answer) {
      var head =
          """
          HTTP/1.1 %d %s\r
          Content-Type: %s\r
          Content-Length: %d\r
          Cache-Control: no-cache, private\r
          X-Content-Type-Options: nosniff\r
          Connection: close\r
          \r
          """
              .formatted(
                  answer.status(),
                  PHRASES.getOrDefault(answer.status(), "Unknown"),
                  answer.contentType(),
                  answer.body().getBytes(StandardCharsets.UTF_8).length);
      return (method.equals("HEAD") ? head : head + answer.body()).getBytes(StandardCharsets.UTF_8);
    }
  }
}
