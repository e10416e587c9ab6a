// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.fault;

import io.krypton.sandbox.pki.CertificateAuthority.IssuedIdentity;
import io.krypton.sandbox.process.ReservedPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A loopback port in front of a server, whose behaviour can be changed at any time.
 *
 * <p>Bytes pass untouched, so TLS and client certificates work as without it. Only to {@link
 * Fault.Answer answer} a request does the proxy speak for itself, with the identity it was given.
 */
public final class FaultProxy implements AutoCloseable {
  private final InetSocketAddress target;
  private final ReservedPort port = ReservedPort.any();
  private final FaultState faults = new FaultState();
  private final ErrorServer errors;
  private final String scheme;
  private final Set<ProxyConnection> connections = ConcurrentHashMap.newKeySet();
  private final AtomicLong accepted = new AtomicLong();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private @Nullable ServerSocket listener;

  private FaultProxy(InetSocketAddress target, Optional<IssuedIdentity> identity) {
    this.target = target;
    this.errors = new ErrorServer(faults, identity, threads);
    this.scheme = identity.isPresent() ? "https" : "http";
    listen();
  }

  /** A proxy before a server that speaks TLS; clients must trust the identity's issuer. */
  public static FaultProxy before(InetSocketAddress target, IssuedIdentity issuedIdentity) {
    return new FaultProxy(target, Optional.of(issuedIdentity));
  }

  /** A proxy before a server that speaks plain text. */
  public static FaultProxy before(InetSocketAddress target) {
    return new FaultProxy(target, Optional.empty());
  }

  public URI url() {
    return URI.create("%s://127.0.0.1:%d".formatted(scheme, port.number()));
  }

  public void pass() {
    inject(new Fault.Pass());
  }

  public void refuse() {
    inject(new Fault.Refuse());
  }

  public void blackHole() {
    inject(new Fault.BlackHole());
  }

  public void delay(Duration by) {
    inject(new Fault.Delay(by));
  }

  public void cutAnswersAfter(long bytes) {
    inject(new Fault.CutAfter(bytes));
  }

  public void answer(int status) {
    inject(Fault.answer(status));
  }

  /** Turns to a fault and cuts all connections, so that every client meets it. */
  public void inject(Fault fault) {
    injectKeepingConnections(fault);
    cutConnections();
  }

  /**
   * Turns to a fault and leaves connections open. A black hole swallows what they carry from now
   * on; delays and cuts apply to them too; refusing and answering only concern new ones.
   */
  public synchronized void injectKeepingConnections(Fault fault) {
    faults.switchTo(fault);
    if (fault instanceof Fault.Refuse) {
      stopListening();
    } else if (listener == null) {
      listen();
    }
  }

  public void cutConnections() {
    connections.forEach(ProxyConnection::cut);
  }

  /** Connections that clients opened so far. */
  public long acceptedConnections() {
    return accepted.get();
  }

  public int openConnections() {
    return connections.size();
  }

  @Override
  public synchronized void close() {
    stopListening();
    cutConnections();
    errors.close();
    threads.shutdownNow();
    port.close();
  }

  private void listen() {
    try {
      var socket = new ServerSocket();
      socket.setReuseAddress(true);
      socket.bind(port.address());
      listener = socket;
      threads.execute(() -> accept(socket));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot listen on port " + port.number(), e);
    }
  }

  private void stopListening() {
    if (listener == null) {
      return;
    }
    try {
      listener.close();
      listener = null;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot stop listening on port " + port.number(), e);
    }
  }

  private void accept(ServerSocket socket) {
    while (!socket.isClosed()) {
      try {
        var client = socket.accept();
        accepted.incrementAndGet();
        threads.execute(() -> serve(client));
      } catch (IOException e) {
        if (!socket.isClosed()) {
          throw new UncheckedIOException("cannot accept on port " + port.number(), e);
        }
      }
    }
  }

  private void serve(Socket client) {
    var proxyConnection = new ProxyConnection(faults, client);
    connections.add(proxyConnection);
    try {
      proxyConnection.serve(target, errors.address(), threads);
    } finally {
      connections.remove(proxyConnection);
    }
  }
}
