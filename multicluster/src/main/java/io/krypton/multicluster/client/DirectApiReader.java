// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;

/**
 * A reader on the JDK's HTTP client. A command that asks a few questions and ends would spend most
 * of its time on the start of the client library.
 */
public final class DirectApiReader implements ApiReader {
  private static final JsonMapper JSON = new JsonMapper();

  private final ParsedKubeconfig.Accepted kubeconfig;
  private final ClientSettings settings;
  private final String server;
  private final HttpClient http;

  private DirectApiReader(
      ParsedKubeconfig.Accepted kubeconfig, ClientSettings settings, HttpClient http) {
    this.kubeconfig = kubeconfig;
    this.settings = settings;
    this.server = kubeconfig.endpoint().server().toString().replaceFirst("/+$", "");
    this.http = http;
  }

  /** Proxies and names of servers in TLS are for the client library. */
  public static boolean canReach(ParsedKubeconfig.Accepted kubeconfig) {
    var endpoint = kubeconfig.endpoint();
    return endpoint.proxy() == null && endpoint.tlsServerName() == null;
  }

  /** Connects with the first question. */
  public static DirectApiReader of(ParsedKubeconfig.Accepted kubeconfig, ClientSettings settings) {
    // HTTP/1.1: one question after the other needs no multiplexing, and fewer classes.
    var http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(settings.connectTimeout())
            .followRedirects(HttpClient.Redirect.NEVER)
            .proxy(HttpClient.Builder.NO_PROXY)
            .sslContext(tls(kubeconfig))
            .build();
    return new DirectApiReader(kubeconfig, settings, http);
  }

  private static SSLContext tls(ParsedKubeconfig.Accepted kubeconfig) {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(
          ClusterTls.identity(kubeconfig.credentials().identity()),
          ClusterTls.trust(kubeconfig.endpoint()),
          null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("TLS cannot be set up from accepted credentials", e);
    }
  }

  @Override
  public String server() {
    return server;
  }

  @Override
  public JsonNode get(String path) {
    var limit = settings.requestTimeout();
    var pending = http.sendAsync(request(path), BodyHandlers.ofByteArray());
    try {
      return answer(path, pending.get(limit.toNanos(), TimeUnit.NANOSECONDS));
    } catch (ExecutionException | TimeoutException | IOException e) {
      throw new KubernetesClientException("GET " + path + " failed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KubernetesClientException("GET " + path + " was interrupted", e);
    } finally {
      pending.cancel(true);
    }
  }

  private HttpRequest request(String path) {
    var request =
        HttpRequest.newBuilder(URI.create(server + path))
            .header("Accept", "application/json")
            .header("User-Agent", settings.userAgent());
    var credentials = kubeconfig.credentials();
    if (credentials.token() != null) {
      request.header("Authorization", "Bearer " + credentials.token());
    }
    credentials
        .impersonationHeaders()
        .forEach((name, values) -> values.forEach(value -> request.header(name, value)));
    return request.build();
  }

  private static JsonNode answer(String path, HttpResponse<byte[]> response) throws IOException {
    int code = response.statusCode();
    if (code == 200) {
      return JSON.readTree(response.body());
    }
    throw refusal(path, code, response.body());
  }

  /** With the words of the API server, where it said any; a proxy before it may not have. */
  private static KubernetesClientException refusal(String path, int code, byte[] body) {
    var status = new Status();
    status.setCode(code);
    try {
      var said = JSON.readTree(body).path("message").asText("");
      status.setMessage(said.isEmpty() ? "answered with status " + code : said);
    } catch (IOException notJson) {
      status.setMessage("answered with status " + code);
    }
    return new KubernetesClientException("GET " + path + ": " + status.getMessage(), code, status);
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
