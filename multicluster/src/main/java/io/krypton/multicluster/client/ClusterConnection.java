// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A client for one API server together with the transport it owns; closing it leaves no thread. */
public final class ClusterConnection implements AutoCloseable {
  private final KubernetesClient client;
  private final ClusterTransport transport;
  private final ApiProbe probe;
  private final Function<BooleanSupplier, KubernetesClient> fencing;
  private final @Nullable ProxyTunnel tunnel;

  ClusterConnection(
      KubernetesClient client,
      ClusterTransport transport,
      ApiProbe probe,
      Function<BooleanSupplier, KubernetesClient> fencing,
      @Nullable ProxyTunnel tunnel) {
    this.client = client;
    this.transport = transport;
    this.probe = probe;
    this.fencing = fencing;
    this.tunnel = tunnel;
  }

  public KubernetesClient client() {
    return client;
  }

  /** Reads through this connection, which stays its owner. */
  public ApiReader reader() {
    return new ClientReader(client);
  }

  /** A further client on the same connections behind a write fence. It is closed with this one. */
  public KubernetesClient fenced(BooleanSupplier mayWrite) {
    return fencing.apply(mayWrite);
  }

  /** GET /version, past the rate limit and the circuit breaker. */
  public ProbeResult probe(Duration timeout) throws InterruptedException {
    return probe.probe(timeout);
  }

  /** From now on requests fail at once with {@link CircuitOpenException}; hanging ones end. */
  public void openCircuit() {
    transport.openCircuit();
  }

  public void closeCircuit() {
    transport.closeCircuit();
  }

  /** Drops all connections, so that the next request makes a fresh one. */
  public void reconnect() {
    transport.reconnect();
  }

  /** Identifies a cluster: the UID of kube-system, which lives as long as the cluster does. */
  public static Optional<String> clusterUid(KubernetesClient client) {
    return Optional.ofNullable(client.namespaces().withName("kube-system").get())
        .map(namespace -> namespace.getMetadata().getUid());
  }

  /** How many connections the watches need, besides the one for everything else. */
  int watchConnections() {
    return transport.watchConnections();
  }

  /**
   * Ends every request. A client that is closed the library's way forgets its transport, and a
   * retry that comes due after that is lost without an answer: whoever waits for it would wait for
   * ever. So a derived client is closed in its place, which marks the whole family as closed; the
   * others keep a transport that answers with a failure.
   */
  @Override
  public void close() {
    client.getHttpClient().newBuilder().build().close();
    client.close();
    transport.shutdownNow();
    if (tunnel != null) {
      tunnel.close();
    }
  }

  /** A reader with all that the client library can do about credentials and proxies. */
  private record ClientReader(KubernetesClient client) implements ApiReader {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    public JsonNode get(String path) {
      try {
        return JSON.readTree(client.raw(path, "GET", null));
      } catch (JsonProcessingException notJson) {
        throw new KubernetesClientException("GET " + path + ": the answer is not JSON", notJson);
      }
    }

    @Override
    public String server() {
      return client.getMasterUrl().toString().replaceFirst("/+$", "");
    }

    @Override
    public void close() {
      // Its connection is closed by its owner.
    }
  }

  /** The request was not sent, because the circuit breaker of the cluster is open. */
  public static final class CircuitOpenException extends IOException {
    CircuitOpenException(String cluster) {
      super("cluster " + cluster + " is unreachable; the request was not sent");
    }
  }

  /** The result of GET /version. */
  public sealed interface ProbeResult {
    /** The API server answered. */
    record Alive(String version) implements ProbeResult {}

    /** No usable answer; the failure says why. */
    record Failed(ClusterFailure failure) implements ProbeResult {}
  }
}
