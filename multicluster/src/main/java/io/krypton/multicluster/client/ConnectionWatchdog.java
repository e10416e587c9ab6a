// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import io.krypton.multicluster.client.ClusterConnection.ProbeResult;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Probes a connection that nobody else probes. When the network drops it silently, requests and
 * watches on it would hang for a quarter of an hour; after two timeouts in a row it is replaced.
 */
public final class ConnectionWatchdog implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ConnectionWatchdog.class);
  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(3);
  private static final int PROBES = 2;

  private final ClusterConnection connection;
  private final Duration interval;
  private final Thread thread;

  /** Starts at once. */
  public static ConnectionWatchdog of(ClusterConnection connection, Duration interval) {
    var watchdog = new ConnectionWatchdog(connection, interval);
    watchdog.thread.start();
    return watchdog;
  }

  private ConnectionWatchdog(ClusterConnection connection, Duration interval) {
    this.connection = connection;
    this.interval = interval;
    this.thread = Thread.ofVirtual().name("connection-watchdog").unstarted(this::probePeriodically);
  }

  private void probePeriodically() {
    try {
      while (true) {
        Thread.sleep(interval);
        if (isUnresponsive()) {
          log.info("connection unresponsive, reconnecting");
          connection.reconnect();
        }
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  /** One timeout may be load; the second probe follows at once. */
  private boolean isUnresponsive() throws InterruptedException {
    for (var probes = 0; probes < PROBES; probes++) {
      if (!timesOut()) {
        return false;
      }
    }
    return true;
  }

  private boolean timesOut() throws InterruptedException {
    return connection.probe(PROBE_TIMEOUT) instanceof ProbeResult.Failed(var clusterFailure)
        && clusterFailure.kind() == ClusterFailure.Kind.TIMEOUT;
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
