package io.krypton.operator.observe;

import io.krypton.operator.observe.HttpService.Answer;
import io.krypton.operator.observe.HttpService.Page;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
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
      throw BindAddress.taken(address, failed);
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

  private synchronized void isWaitingNoMore(Socket peer) {
    waiting.remove(peer);
  }

  private void serve(Socket peer) {
    try (peer) {
      var request = ProbeRequest.read(peer, System.nanoTime() + requestLimit.toNanos());
      isWaitingNoMore(peer);
      peer.getOutputStream().write(request.response(answer(request)));
    } catch (IOException gone) {
      // Too slow, displaced or gone by itself: nobody is there to be told.
      log.debug("a probe ended without an answer: {}", gone.getMessage());
    } finally {
      isWaitingNoMore(peer);
    }
  }

  private Answer answer(ProbeRequest request) {
    if (!request.isWellFormed()) {
      return Answer.text(400, "400 bad request\n");
    }
    if (!request.asksToRead()) {
      return Answer.text(405, "405 method not allowed\n");
    }
    var page = pages.get(request.path());
    return page == null
        ? Answer.text(404, "404 page not found\n")
        : HttpService.safely(page, request.query());
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
}
