// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.ClusterConnection;
import io.krypton.multicluster.client.ClusterConnection.ProbeResult;
import io.krypton.multicluster.client.ClusterFailure;
import io.krypton.multicluster.client.RequestObserver;
import io.krypton.multicluster.client.TokenSource.FileTokenSource;
import io.krypton.multicluster.cluster.ClusterEvent;
import io.krypton.multicluster.cluster.ClusterRegistry;
import io.krypton.multicluster.cluster.HealthCheckTimings;
import io.krypton.multicluster.cluster.RecordedEvents;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.home.SelfClusterSettings.Mode;
import io.krypton.multicluster.home.SelfClusterSettings.SelfClusterSource;
import io.krypton.multicluster.kubeconfig.ClusterCredentials;
import io.krypton.multicluster.kubeconfig.LocalKubeconfig;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.multicluster.provider.ClusterProvider;
import io.krypton.multicluster.provider.ClusterProvider.DiscoverySettings;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A pod is replaced by the next one: its token ends with it, while the Secret still holds it. */
@ExtendWith(ControlPlaneExtension.class)
class ReplacedPodIT {
  private static final ClientSettings SETTINGS = ClientSettings.remote("test").withoutRetries();
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String LABEL = "example.test/kubeconfig";
  private static final String ACCOUNT = "default";

  @TempDir Path directory;

  private final ClientFactory clients = new ClientFactory(RequestObserver.none());
  private TestNamespace namespace;
  private Path token;

  @BeforeEach
  void account(@Cluster("east") TestNamespace homeNamespace) {
    namespace = homeNamespace;
    token = directory.resolve("token");
    ServiceAccounts.makeAdmin(namespace, ACCOUNT);
  }

  @AfterEach
  void close() {
    clients.close();
  }

  /** What one pod of the operator holds; the directory is that of its token. */
  private final class Pod implements AutoCloseable {
    final RecordedEvents events = new RecordedEvents();
    final ClusterRegistry registry;
    final SelfClusterSecret self;
    private final ClusterConnection home;
    private final ClusterProvider discovery;

    Pod(boolean leads) throws Exception {
      var authority = directory.resolve("ca.crt");
      Files.writeString(authority, namespace.controlPlane().caPem());
      var local =
          (LocalKubeconfig.Loaded.Found)
              LocalKubeconfig.ofServiceAccount(namespace.controlPlane().url(), authority, token);
      home =
          clients.connect(
              "home",
              (ParsedKubeconfig.Accepted) local.kubeconfig().content(),
              new FileTokenSource(token),
              SETTINGS,
              RequestObserver.none());
      var secret = new SecretRef(namespace.name(), "self");
      self =
          new SelfClusterSecret(
              new SelfClusterSettings(
                  secret, LABEL, "managed-by", "example", "kubeconfig", Mode.AUTO, false),
              List.of(new SelfClusterSource("service account", () -> local, null)),
              clients,
              SETTINGS,
              home.client(),
              () -> leads,
              this::tokenKnown);
      registry =
          new ClusterRegistry(
              namespace.name(),
              clients,
              SETTINGS,
              HealthCheckTimings.standard(),
              List.of(),
              events::on,
              self,
              Clock.systemUTC());
      discovery =
          new ClusterProvider(
              registry, new DiscoverySettings(namespace.name(), LABEL, "kubeconfig"));
      discovery.attach(home.client());
    }

    private void tokenKnown() {
      registry.probeNow(new SecretRef(namespace.name(), "self"));
    }

    @Override
    public void close() {
      discovery.close();
      registry.close();
      home.close();
    }
  }

  @Test
  void the_next_pod_engages_home_with_its_own_token_whether_it_leads_or_not() throws Exception {
    Files.writeString(token, ServiceAccounts.tokenOfPod(namespace, ACCOUNT, "first"));
    try (var first = new Pod(true)) {
      first.self.ensure();
      first.events.await(ClusterEvent.Engaged.class, "self", LIMIT);
    }
    var dead = Files.readString(token);
    ServiceAccounts.deletePod(namespace, "first");
    awaitRefusalOf(dead);

    for (boolean leads : List.of(false, true)) {
      var pod = "second-" + leads;
      Files.writeString(token, ServiceAccounts.tokenOfPod(namespace, ACCOUNT, pod));
      try (var next = new Pod(leads)) {
        var refused = next.events.await(ClusterEvent.Unreachable.class, "self", LIMIT);
        assertThat(refused.failure().kind()).isEqualTo(ClusterFailure.Kind.CREDENTIALS_REFUSED);

        next.self.ensure();

        var engaged = next.events.await(ClusterEvent.Engaged.class, "self", LIMIT).cluster();
        assertThat(engaged.kubeconfig().credentials().token()).isEqualTo(Files.readString(token));
        assertThat(engaged.client().namespaces().withName("default").get()).isNotNull();
      }
    }
  }

  @Test
  void a_token_that_is_renewed_in_its_file_reaches_client_and_child_processes() throws Exception {
    Files.writeString(token, ServiceAccounts.tokenOfPod(namespace, ACCOUNT, "first"));
    try (var pod = new Pod(false)) {
      pod.self.ensure();
      var engaged = pod.events.await(ClusterEvent.Engaged.class, "self", LIMIT).cluster();

      Files.writeString(token, ServiceAccounts.tokenOfPod(namespace, ACCOUNT, "second"));

      assertThat(engaged.kubeconfig().credentials().token()).isEqualTo(Files.readString(token));
      assertThat(engaged.client().namespaces().withName("default").get()).isNotNull();
      assertThat(pod.events.all()).hasSize(1);
    }
  }

  /** An API server believes a token for some seconds without looking. */
  private void awaitRefusalOf(String dead) {
    var admin = (ParsedKubeconfig.Accepted) ParsedKubeconfig.parse(adminKubeconfig());
    var deadAccess =
        new ParsedKubeconfig.Accepted(admin.endpoint(), ClusterCredentials.ofToken(dead));
    try (var connection = clients.connect("dead", deadAccess, SETTINGS)) {
      await()
          .atMost(LIMIT)
          .until(
              () ->
                  connection.probe(Duration.ofSeconds(5))
                          instanceof ProbeResult.Failed(var clusterFailure)
                      && clusterFailure.kind() == ClusterFailure.Kind.CREDENTIALS_REFUSED);
    }
  }

  private byte[] adminKubeconfig() {
    return namespace.controlPlane().adminKubeconfig().getBytes(StandardCharsets.UTF_8);
  }
}
