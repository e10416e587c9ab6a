// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.RequestObserver;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.home.HomeClusterConnector.HomeStatus;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.multicluster.provider.ClusterProvider.SecretInformer;
import io.krypton.multicluster.testing.ForgetfulRouter;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(ControlPlaneExtension.class)
class HomeClusterConnectorIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final ClientSettings SETTINGS = ClientSettings.remote("test").withoutRetries();

  @TempDir Path directory;

  private final ClientFactory clients = new ClientFactory(RequestObserver.none());
  private final List<HomeConnection> found = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    clients.close();
  }

  private HomeClusterConnector follow(HomeSource source) {
    var home =
        new HomeClusterConnector(
            source, clients, SETTINGS, found::add, Duration.ofMillis(50), Duration.ofSeconds(1));
    home.start();
    return home;
  }

  private KubernetesClient awaitClient(int number) {
    await().atMost(LIMIT).until(() -> found.size() == number);
    return found.getLast().client();
  }

  @Test
  void a_file_may_come_late_be_broken_for_a_while_and_change(
      @Cluster("east") ControlPlane east, @Cluster("west") ControlPlane west) throws Exception {
    var file = directory.resolve("config");
    try (var home = follow(HomeSource.Files.of(file, null))) {
      await().atMost(LIMIT).until(() -> why(home).contains("does not exist"));
      replace(file, "clusters: [");
      await().atMost(LIMIT).until(() -> why(home).contains("not valid YAML"));

      replace(file, east.adminKubeconfig());
      assertThat(serverOf(awaitClient(1))).isEqualTo(east.url().getPort());
      assertThat(awaitClient(1).namespaces().withName("default").get()).isNotNull();

      replace(file, "nonsense");
      await().atMost(LIMIT).until(() -> why(home).contains("mapping"));
      assertThat(awaitClient(1).namespaces().withName("default").get()).isNotNull();

      replace(file, west.adminKubeconfig());
      assertThat(serverOf(awaitClient(2))).isEqualTo(west.url().getPort());
      awaitAvailable(home);
    }
  }

  @Test
  void a_host_secret_is_awaited_and_followed(
      @Cluster("east") TestNamespace host,
      @Cluster("east") ControlPlane east,
      @Cluster("west") ControlPlane west)
      throws Exception {
    var file = directory.resolve("config");
    replace(file, east.adminKubeconfig());
    var secret = new SecretRef(host.name(), "watch");
    try (var admin = new HostAdmin(east);
        var home =
            follow(
                new HomeSource.HostSecret(HomeSource.Files.of(file, null), secret, "kc", null))) {
      await().atMost(LIMIT).until(() -> why(home).contains("does not exist yet"));
      admin.store(secret, "kc", "users: [{name: u, user: {exec: {}}}]");
      await().atMost(LIMIT).until(() -> why(home).contains("watch: "));

      admin.store(secret, "kc", west.adminKubeconfig());
      assertThat(serverOf(awaitClient(1))).isEqualTo(west.url().getPort());
      admin.store(secret, "kc", west.kubeconfigFor("other", "system:masters"));
      awaitClient(2);

      admin.delete(secret);
      await().atMost(LIMIT).until(() -> why(home).contains("was deleted"));
      assertThat(awaitClient(2).namespaces().withName("default").get()).isNotNull();
    }
  }

  @Test
  void a_host_secret_is_read_with_the_context_that_is_asked_for(
      @Cluster("east") TestNamespace host, @Cluster("west") ControlPlane west) throws Exception {
    var file = directory.resolve("config");
    replace(file, host.controlPlane().adminKubeconfig());
    var secret = new SecretRef(host.name(), "watch");
    var wanted = new HomeSource.HostSecret(HomeSource.Files.of(file, null), secret, "kc", "wanted");
    try (var admin = new HostAdmin(host.controlPlane());
        var home = follow(wanted)) {
      admin.store(secret, "kc", west.adminKubeconfig());
      await().atMost(LIMIT).until(() -> why(home).contains("contexts has no entry"));

      admin.store(
          secret,
          "kc",
          """
          current-context: other
          clusters:
          - {name: other, cluster: {server: "https://127.0.0.1:1"}}
          - {name: wanted, cluster: {server: "%s"}}
          contexts:
          - {name: other, context: {cluster: other}}
          - {name: wanted, context: {cluster: wanted}}
          """
              .formatted(west.url()));
      assertThat(serverOf(awaitClient(1))).isEqualTo(west.url().getPort());
    }
  }

  @Test
  void a_service_account_follows_its_token_file_without_a_new_client(
      @Cluster("east") TestNamespace namespace, @Cluster("east") ControlPlane east)
      throws Exception {
    Files.writeString(directory.resolve("ca.crt"), east.caPem());
    Files.writeString(directory.resolve("token"), ServiceAccounts.token(namespace, "default"));
    try (var home = follow(new HomeSource.InCluster(east.url(), directory))) {
      var client = awaitClient(1);
      assertThat(client.getKubernetesVersion().getGitVersion()).startsWith("v1.");
      awaitAvailable(home);

      replace(directory.resolve("token"), ServiceAccounts.token(namespace, "default"));

      await().during(Duration.ofMillis(300)).atMost(LIMIT).until(() -> found.size() == 1);
    }
  }

  @Test
  void the_owner_of_a_local_file_may_use_a_credential_program(
      @Cluster("east") TestNamespace namespace, @Cluster("east") ControlPlane east)
      throws Exception {
    var credential = directory.resolve("credential.json");
    Files.writeString(
        credential,
        """
        {"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential",
         "status":{"token":"%s"}}
        """
            .formatted(ServiceAccounts.token(namespace, "default")));
    var file = directory.resolve("config");
    replace(
        file,
        """
        current-context: x
        clusters: [{name: c, cluster: {server: "%s", certificate-authority-data: %s}}]
        users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: cat, args: ["%s"]}}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        """
            .formatted(
                east.url(),
                Base64.getEncoder()
                    .encodeToString(east.caPem().getBytes(StandardCharsets.US_ASCII)),
                credential));
    try (var home = follow(HomeSource.Files.of(file, null))) {
      assertThat(awaitClient(1).getKubernetesVersion().getGitVersion()).startsWith("v1.");
      awaitAvailable(home);
    }
  }

  @Test
  void a_connection_that_died_without_a_word_is_replaced(@Cluster("east") TestNamespace namespace)
      throws Exception {
    var east = namespace.controlPlane();
    var file = directory.resolve("config");
    try (var router = new ForgetfulRouter(east.url())) {
      replace(file, east.access("admin", "system:masters").via(router.url()).yaml());
      var seen = new CopyOnWriteArrayList<String>();
      try (var home = follow(HomeSource.Files.of(file, null));
          var admin = new HostAdmin(east)) {
        var watch =
            new SecretInformer(
                awaitClient(1).secrets().inNamespace(namespace.name()).runnableInformer(0),
                secret -> seen.add(secret.getMetadata().getName()),
                secret -> {},
                listed -> seen.add("listed"));
        await().atMost(LIMIT).until(() -> seen.contains("listed"));

        router.forget();
        admin.store(new SecretRef(namespace.name(), "late"), "key", "value");

        await().atMost(LIMIT).until(() -> seen.contains("late"));
        awaitAvailable(home);
        assertThat(found).hasSize(1);
        watch.close();
      }
    }
  }

  /** Whoever waits for the client is told before the status says so. */
  private static void awaitAvailable(HomeClusterConnector home) {
    await().atMost(LIMIT).until(() -> home.status() instanceof HomeStatus.Available);
  }

  private static String why(HomeClusterConnector home) {
    return home.status() instanceof HomeStatus.Waiting(var why) ? why : "";
  }

  private static int serverOf(KubernetesClient client) {
    return client.getMasterUrl().getPort();
  }

  private static void replace(Path file, String text) throws Exception {
    var fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(fresh, text);
    Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Writes Secrets on the host as an administrator would. */
  private final class HostAdmin implements AutoCloseable {
    private final KubernetesClient client;

    HostAdmin(ControlPlane host) {
      var kubeconfig = host.adminKubeconfig().getBytes(StandardCharsets.UTF_8);
      client =
          clients
              .connect(
                  "host", (ParsedKubeconfig.Accepted) ParsedKubeconfig.parse(kubeconfig), SETTINGS)
              .client();
    }

    void store(SecretRef secret, String key, String text) {
      var data = Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
      client
          .resource(
              new SecretBuilder()
                  .withNewMetadata()
                  .withNamespace(secret.namespace())
                  .withName(secret.name())
                  .endMetadata()
                  .withData(Map.of(key, data))
                  .build())
          .createOr(NonDeletingOperation::update);
    }

    void delete(SecretRef secret) {
      client.secrets().inNamespace(secret.namespace()).withName(secret.name()).delete();
    }

    @Override
    public void close() {
      client.close();
    }
  }
}
