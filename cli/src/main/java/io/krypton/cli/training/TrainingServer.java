// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.training;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.krypton.api.KryptonApi;
import io.krypton.api.event.EventReason;
import io.krypton.api.kmshealth.KmsHealthConditionTypes;
import io.krypton.base.file.AtomicFile;
import io.krypton.sandbox.access.SandboxKubeconfig;
import io.krypton.sandbox.pki.CertificateAuthority;
import io.krypton.sandbox.pki.InMemoryTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;

/**
 * Answers like the API server of a small fleet of which it is every cluster. It writes its
 * kubeconfig to the file that its argument names, and runs until it is ended.
 */
public final class TrainingServer {
  private static final String GROUP = "/apis/%s/%s".formatted(KryptonApi.GROUP, KryptonApi.VERSION);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String TIME = "2026-01-01T00:00:00Z";

  private final Map<String, Object> answers;

  private TrainingServer(String kubeconfig) {
    this.answers =
        Map.of(
            "/version",
            Map.of("gitVersion", "v1.36.3"),
            "/api/v1/namespaces/default/secrets",
            list(secret(kubeconfig)),
            "/api/v1/namespaces/default/events",
            list(event()),
            GROUP + "/tenants",
            list(tenant()),
            GROUP + "/namespaces/default/tenants",
            list(tenant()),
            GROUP + "/namespaces/default/tenants/acme",
            tenant(),
            GROUP + "/kryptondeployments",
            list(),
            GROUP + "/kmshealths/cluster",
            kmsHealth());
  }

  public static void main(String... arguments) throws IOException {
    var authority = CertificateAuthority.named("training");
    var tls = InMemoryTls.client(authority.certificate(), authority.server("training", List.of()));
    var server =
        HttpsServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    server.setHttpsConfigurator(new ClientCertificates(tls));
    var url = URI.create("https://127.0.0.1:" + server.getAddress().getPort());
    var kubeconfig =
        new SandboxKubeconfig(
                "training", url, authority.certificate(), "dev", authority.user("dev", List.of()))
            .yaml();
    server.createContext("/", new TrainingServer(kubeconfig)::answer);
    server.start();
    AtomicFile.replace(Path.of(arguments[0]), kubeconfig.getBytes(StandardCharsets.UTF_8));
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var answer = answers.get(exchange.getRequestURI().getPath());
      var body = JSON.writeValueAsBytes(answer == null ? Map.of("message", "not here") : answer);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(answer == null ? 404 : 200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static Map<String, Object> list(Object... items) {
    return Map.of("metadata", Map.of("resourceVersion", "1"), "items", List.of(items));
  }

  private static Map<String, Object> metadata(String name) {
    return Map.of(
        "name",
        name,
        "namespace",
        "default",
        "uid",
        name,
        "generation",
        1,
        "creationTimestamp",
        TIME);
  }

  private static Map<String, Object> secret(String kubeconfig) {
    var data = Base64.getEncoder().encodeToString(kubeconfig.getBytes(StandardCharsets.UTF_8));
    return Map.of("metadata", metadata("training"), "data", Map.of("kubeconfig", data));
  }

  private static Map<String, Object> event() {
    return Map.of(
        "metadata",
        metadata("training.1"),
        "reason",
        EventReason.CLUSTER_ENGAGED.value(),
        "message",
        "engaged",
        "type",
        "Normal",
        "lastTimestamp",
        TIME,
        "involvedObject",
        Map.of("kind", "Secret", "namespace", "default", "name", "training"));
  }

  private static Map<String, Object> condition(String type, String status) {
    return Map.of(
        "type",
        type,
        "status",
        status,
        "reason",
        "Ready",
        "message",
        "all is well",
        "lastTransitionTime",
        TIME,
        "observedGeneration",
        1);
  }

  private static Map<String, Object> tenant() {
    return Map.of(
        "apiVersion", KryptonApi.GROUP + "/" + KryptonApi.VERSION,
        "kind", "Tenant",
        "metadata", metadata("acme"),
        "spec", Map.of(),
        "status",
            Map.of(
                "phase",
                "Ready",
                "observedGeneration",
                1,
                "workspace",
                "acme",
                "releases",
                List.of(Map.of("cluster", "training", "name", "acme", "revision", 1)),
                "conditions",
                List.of(condition("Ready", "True"))));
  }

  private static Map<String, Object> kmsHealth() {
    return Map.of(
        "metadata", Map.of("name", "cluster"),
        "spec", Map.of("enabled", true),
        "status",
            Map.of(
                "nodesHealthy",
                "1/1",
                "writeKeyID",
                "1",
                "nodes",
                List.of(Map.of("nodeName", "training", "state", "Healthy")),
                "conditions",
                List.of(
                    condition(KmsHealthConditionTypes.KMS_PLUGINS_DEGRADED, "False"),
                    condition(KmsHealthConditionTypes.KMS_KEYS_CONVERGED, "True"))));
  }

  /** Asks for the client's certificate, as API servers do. */
  private static final class ClientCertificates extends HttpsConfigurator {
    ClientCertificates(SSLContext context) {
      super(context);
    }

    @Override
    public void configure(HttpsParameters parameters) {
      var tls = getSSLContext().getDefaultSSLParameters();
      tls.setWantClientAuth(true);
      parameters.setSSLParameters(tls);
    }
  }
}
