// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.krypton.multicluster.client.ClusterConnection.ProbeResult;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Probes an API server with GET /version: the cheapest request, and it needs no permissions. */
final class ApiProbe {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MAX_BODY = 64 * 1024;

  private final ClusterTransport transport;
  private final URI version;
  private final Consumer<HttpRequest.Builder> credentials;
  private final UnaryOperator<ClusterFailure> hint;

  /**
   * A probe through a transport.
   *
   * @param credentials adds the credentials
   * @param hint may add a hint to a failure
   */
  ApiProbe(
      ClusterTransport transport,
      URI server,
      Consumer<HttpRequest.Builder> credentials,
      UnaryOperator<ClusterFailure> hint) {
    this.transport = transport;
    this.version = version(server);
    this.credentials = credentials;
    this.hint = hint;
  }

  /** Probes the server, and the connections of watches. */
  ProbeResult probe(Duration timeout) throws InterruptedException {
    transport.probeWatchConnections(request(timeout), timeout);
    var answer =
        transport.sendProbe(
            request(timeout), BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BODY));
    try {
      // The request's own timeout ends with the headers; this one also bounds the body.
      return evaluate(answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
    } catch (ExecutionException | TimeoutException e) {
      return new ProbeResult.Failed(hint.apply(ClusterFailure.of(e)));
    } finally {
      answer.cancel(true);
    }
  }

  private HttpRequest request(Duration timeout) {
    var request = HttpRequest.newBuilder(version).timeout(timeout);
    credentials.accept(request);
    return request.build();
  }

  private static URI version(URI server) {
    var path = server.getPath() == null ? "" : server.getPath();
    return server.resolve((path.endsWith("/") ? path : path + "/") + "version");
  }

  private static ProbeResult evaluate(HttpResponse<byte[]> response) {
    if (response.statusCode() == 429) {
      return new ProbeResult.Alive(""); // Too busy to serve us, and therefore alive.
    }
    if (response.statusCode() != 200) {
      return new ProbeResult.Failed(ClusterFailure.ofStatus(response.statusCode()));
    }
    try {
      return new ProbeResult.Alive(JSON.readTree(response.body()).path("gitVersion").asText(""));
    } catch (IOException e) {
      return new ProbeResult.Failed(
          new ClusterFailure(ClusterFailure.Kind.BAD_ANSWER, "the answer to /version is not JSON"));
    }
  }
}
