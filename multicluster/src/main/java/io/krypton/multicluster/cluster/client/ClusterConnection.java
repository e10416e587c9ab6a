package io.krypton.multicluster.cluster.client;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;

/** A client for one API server together with the transport it owns; closing it leaves no thread. */
public final class ClusterConnection implements AutoCloseable {
  private final KubernetesClient client;
  private final ClusterTransport transport;
  private final ApiProbe probe;

  ClusterConnection(KubernetesClient client, ClusterTransport transport, ApiProbe probe) {
    this.client = client;
    this.transport = transport;
    this.probe = probe;
  }

  public KubernetesClient client() {
    return client;
  }

  /** GET /version, past the rate limit and the circuit breaker. */
  public ProbeResult probe(Duration timeout) throws InterruptedException {
    return probe.ask(timeout);
  }

  /** From now on requests fail at once with {@link CircuitOpenException}; hanging ones end. */
  public void openCircuit() {
    transport.trip();
  }

  public void closeCircuit() {
    transport.mend();
  }

  /** Drops all connections, so that the next request makes a fresh one. */
  public void reconnect() {
    transport.reconnect();
  }

  @Override
  public void close() {
    client.close();
    transport.shutdownNow();
  }
}
