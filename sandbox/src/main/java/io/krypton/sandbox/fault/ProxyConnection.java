// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client's connection and its counterpart to the server, or to the server of errors. */
final class ProxyConnection {
  private static final Logger log = LoggerFactory.getLogger(ProxyConnection.class);
  private static final int BUFFER = 16 * 1024;
  private static final int CONNECT_MILLIS = 5_000;

  private final FaultState faults;
  private final Socket client;
  private final Socket server = new Socket();
  private volatile boolean gone;
  private long countedPhase;
  private long answeredBytes;

  ProxyConnection(FaultState faults, Socket client) {
    this.faults = faults;
    this.client = client;
  }

  /** Lives through the whole connection; returns when both sides are closed. */
  void serve(InetSocketAddress target, InetSocketAddress errors, ExecutorService threads) {
    try {
      faults.awaitFlow(this::isGone);
      var fault = faults.forNewConnection();
      if (fault instanceof Fault.Refuse) {
        return;
      }
      server.connect(fault instanceof Fault.Answer ? errors : target, CONNECT_MILLIS);
      server.setTcpNoDelay(true);
      client.setTcpNoDelay(true);
      var requests = threads.submit(this::pumpRequests);
      pumpAnswers();
      requests.get();
    } catch (IOException | ExecutionException e) {
      // Broken connections are this proxy's trade: both sides learn of it by the cut.
      log.atDebug().addKeyValue("target", target).log("connection broke", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      cut();
    }
  }

  boolean isGone() {
    return gone;
  }

  void cut() {
    gone = true;
    faults.notifyWaiters();
    try {
      try (client) {
        server.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close a connection", e);
    }
  }

  private boolean pumpRequests() throws IOException, InterruptedException {
    var buffer = new byte[BUFFER];
    try {
      for (int n; (n = client.getInputStream().read(buffer)) > 0; ) {
        faults.awaitFlow(this::isGone);
        server.getOutputStream().write(buffer, 0, n);
      }
      server.shutdownOutput();
      return true;
    } catch (IOException e) {
      cut();
      throw e;
    }
  }

  private void pumpAnswers() throws IOException, InterruptedException {
    var buffer = new byte[BUFFER];
    for (int n; (n = server.getInputStream().read(buffer)) > 0; ) {
      var phase = faults.awaitFlow(this::isGone);
      if (phase.fault() instanceof Fault.Delay(var by)) {
        faults.delay(by, this::isGone);
      }
      forward(buffer, n, phase);
    }
    client.shutdownOutput();
  }

  private void forward(byte[] buffer, int length, FaultState.Phase phase) throws IOException {
    if (phase.number() != countedPhase) {
      countedPhase = phase.number();
      answeredBytes = 0;
    }
    var limit = phase.fault() instanceof Fault.CutAfter(var bytes) ? bytes : Long.MAX_VALUE;
    var allowed = (int) Math.min(length, limit - answeredBytes);
    client.getOutputStream().write(buffer, 0, allowed);
    answeredBytes += allowed;
    if (answeredBytes == limit) {
      cut();
    }
  }
}
