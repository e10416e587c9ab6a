package io.krypton.multicluster.client;

import io.krypton.multicluster.client.ClusterConnection.ProbeResult;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after a connection that nobody else probes. When the network forgets it without a word, the
 * requests and watches on it would wait for a quarter of an hour; after two late answers in a row
 * it is replaced.
 */
public final class ConnectionWatchdog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionWatchdog.class);
  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(3);
  private static final int PROBES = 2;

  private final ClusterConnection connection;
  private final Duration interval;
  private final Thread thread;

  /** Begins at once. */
  public static ConnectionWatchdog of(ClusterConnection connection, Duration interval) {
    var connectionWatchdog = new ConnectionWatchdog(connection, interval);
    connectionWatchdog.thread.start();
    return connectionWatchdog;
  }

  private ConnectionWatchdog(ClusterConnection connection, Duration interval) {
    this.connection = connection;
    this.interval = interval;
    this.thread = Thread.ofVirtual().name("pulse").unstarted(this::probePeriodically);
  }

  private void probePeriodically() {
    try {
      while (true) {
        Thread.sleep(interval);
        if (isUnresponsive()) {
          LOG.info("a connection gives no answer and is replaced");
          connection.reconnect();
        }
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  /** One late answer proves nothing; the second look follows at once. */
  private boolean isUnresponsive() throws InterruptedException {
    for (var look = 0; look < PROBES; look++) {
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
