// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.multicluster.client.TransportFactory.TransportBuilder;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class CipherIT {
  @Test
  void an_api_server_takes_the_cipher_that_is_cheapest_for_us(@Cluster("home") ControlPlane home)
      throws Exception {
    var kubeconfig =
        (ParsedKubeconfig.Accepted)
            ParsedKubeconfig.parse(home.adminKubeconfig().getBytes(StandardCharsets.UTF_8));
    var context = SSLContext.getInstance("TLS");
    context.init(
        ClusterTls.identity(kubeconfig.credentials().identity()),
        ClusterTls.trust(kubeconfig.endpoint()),
        null);
    var builder = new TransportBuilder(HttpClient.newBuilder(), HttpClient.Builder::build);

    try (var http = builder.sslContext(context).build()) {
      var version = kubeconfig.endpoint().server().resolve("/version");
      var answer = http.send(HttpRequest.newBuilder(version).build(), BodyHandlers.discarding());

      assertThat(answer.sslSession().orElseThrow().getCipherSuite())
          .isEqualTo("TLS_CHACHA20_POLY1305_SHA256");
    }
  }

  @Test
  void every_cipher_of_the_jvm_is_still_offered() throws Exception {
    var suites = SSLContext.getDefault().getDefaultSSLParameters().getCipherSuites();

    assertThat(ClusterTls.preferChaCha20(suites))
        .containsExactlyInAnyOrder(suites)
        .startsWith("TLS_CHACHA20_POLY1305_SHA256");
  }
}
