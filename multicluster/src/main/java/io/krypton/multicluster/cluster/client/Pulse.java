package io.krypton.multicluster.cluster.client;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after a connection that nobody else probes. When the network forgets it without a word, the
 * requests and watches on it would wait for a quarter of an hour; after two late answers in a row
 * it is replaced.
 */
public final class Pulse implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Pulse.class);
  private static final Duration LIMIT = Duration.ofSeconds(3);
  private static final int LOOKS = 2;

  private final ClusterConnection connection;
  private final Duration interval;
  private final Thread thread;

  /** Begins at once. */
  public static Pulse of(ClusterConnection connection, Duration interval) {
    var pulse = new Pulse(connection, interval);
    pulse.thread.start();
    return pulse;
  }

  private Pulse(ClusterConnection connection, Duration interval) {
    this.connection = connection;
    this.interval = interval;
    this.thread = Thread.ofVirtual().name("pulse").unstarted(this::beat);
  }

  private void beat() {
    try {
      while (true) {
        Thread.sleep(interval);
        if (isSilent()) {
          LOG.info("a connection gives no answer and is replaced");
          connection.reconnect();
        }
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  /** One late answer proves nothing; the second look follows at once. */
  private boolean isSilent() throws InterruptedException {
    for (var look = 0; look < LOOKS; look++) {
      if (!isLate()) {
        return false;
      }
    }
    return true;
  }

  private boolean isLate() throws InterruptedException {
    return connection.probe(LIMIT) instanceof ProbeResult.Failed(var failure)
        && failure.kind() == Failure.Kind.TIMEOUT;
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
