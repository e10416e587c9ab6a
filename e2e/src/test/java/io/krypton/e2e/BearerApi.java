// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.krypton.sandbox.ControlPlane;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Requests to an API server by whoever holds a token, and nothing else. */
final class BearerApi implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final ControlPlane plane;
  private final String token;
  private final HttpClient http;

  /** What was answered; {@code message} is empty unless it was refused. */
  record Reply(int status, JsonNode body) {
    String message() {
      return body.path("message").asText();
    }
  }

  BearerApi(ControlPlane plane, String token) {
    this.plane = plane;
    this.token = token;
    this.http = HttpClient.newBuilder().sslContext(trusting(plane.caPem())).build();
  }

  Reply post(String path, String body) throws IOException, InterruptedException {
    return send("POST", path, "application/json", body);
  }

  /** Server-side apply. */
  Reply apply(String path, String manager, String body) throws IOException, InterruptedException {
    return send(
        "PATCH",
        "%s?force=true&fieldManager=%s".formatted(path, manager),
        "application/apply-patch+yaml",
        body);
  }

  private Reply send(String method, String path, String type, String body)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(plane.url().resolve(path))
            .timeout(LIMIT)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", type)
            .method(method, BodyPublishers.ofString(body))
            .build();
    var answer = http.send(request, BodyHandlers.ofString());
    return new Reply(answer.statusCode(), JSON.readTree(answer.body()));
  }

  private static SSLContext trusting(String authority) {
    try {
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setCertificateEntry(
          "authority",
          CertificateFactory.getInstance("X.509")
              .generateCertificate(
                  new ByteArrayInputStream(authority.getBytes(StandardCharsets.US_ASCII))));
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      var context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("the authority of a control plane cannot be used", e);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
