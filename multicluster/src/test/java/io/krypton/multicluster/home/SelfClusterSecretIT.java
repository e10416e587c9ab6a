// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.ClusterConnection;
import io.krypton.multicluster.client.RequestObserver;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.home.SelfClusterSecret.SelfClusterResult;
import io.krypton.multicluster.home.SelfClusterSettings.Mode;
import io.krypton.multicluster.home.SelfClusterSettings.SelfClusterSource;
import io.krypton.multicluster.kubeconfig.ApiEndpoint;
import io.krypton.multicluster.kubeconfig.LocalKubeconfig;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.multicluster.testing.ThreadCensus;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(ControlPlaneExtension.class)
class SelfClusterSecretIT {
  private static final ClientSettings SETTINGS = ClientSettings.remote("test").withoutRetries();
  private static final String LABEL = "example.test/kubeconfig";
  private static final String MANAGED_BY = "app.kubernetes.io/managed-by";

  @TempDir Path directory;

  private final ClientFactory clients = new ClientFactory(RequestObserver.none());
  private TestNamespace namespace;
  private ControlPlane east;
  private ControlPlane west;
  private ClusterConnection home;
  private ParsedKubeconfig.Accepted inUse;
  private boolean leads = true;

  @BeforeEach
  void connect(
      @Cluster("east") TestNamespace homeNamespace, @Cluster("west") ControlPlane otherPlane) {
    namespace = homeNamespace;
    east = homeNamespace.controlPlane();
    west = otherPlane;
    inUse =
        (ParsedKubeconfig.Accepted)
            ParsedKubeconfig.parse(east.adminKubeconfig().getBytes(StandardCharsets.UTF_8));
    home = clients.connect("home", inUse, SETTINGS);
  }

  @AfterEach
  void close() {
    home.close();
    clients.close();
  }

  private SelfClusterSecret selfCluster(
      Mode mode, boolean fullFile, List<SelfClusterSource> sources) {
    return new SelfClusterSecret(
        new SelfClusterSettings(
            new SecretRef(namespace.name(), "self"),
            LABEL,
            MANAGED_BY,
            "example",
            "kubeconfig",
            mode,
            fullFile),
        sources,
        clients,
        SETTINGS,
        home.client(),
        () -> leads,
        () -> {});
  }

  private List<SelfClusterSource> sources(String kubeconfig) {
    return SelfClusterSource.inOrder(
        Map.of("KUBECONFIG", kubeconfig + ":/nowhere"),
        directory.resolve("user"),
        new HomeConnection(
            home.client(),
            LocalKubeconfig.of(inUse),
            settings -> clients.connect("home", inUse, settings),
            mayWrite -> home.client()));
  }

  private SelfClusterResult ensure(Mode mode) throws Exception {
    return selfCluster(mode, false, sources("")).ensure();
  }

  private Secret stored() {
    return home.client().secrets().inNamespace(namespace.name()).withName("self").get();
  }

  private String storedKubeconfig() {
    return new String(
        Base64.getDecoder().decode(stored().getData().get("kubeconfig")), StandardCharsets.UTF_8);
  }

  private String file(String text) throws Exception {
    return Files.writeString(directory.resolve("config"), text).toString();
  }

  @Test
  void auto_writes_once_and_always_restores() throws Exception {
    assertThat(ensure(Mode.NEVER)).isInstanceOf(SelfClusterResult.Kept.class);
    assertThat(stored()).isNull();

    assertThat(ensure(Mode.AUTO))
        .isEqualTo(new SelfClusterResult.Written("the credentials in use for home"));
    assertThat(stored().getMetadata().getLabels())
        .containsEntry(LABEL, "true")
        .containsEntry(MANAGED_BY, "example");
    assertThat(ensure(Mode.AUTO)).isInstanceOf(SelfClusterResult.Kept.class);

    home.client()
        .resource(
            new SecretBuilder(stored())
                .editMetadata()
                .removeFromLabels(LABEL)
                .endMetadata()
                .build())
        .update();
    assertThat(ensure(Mode.AUTO)).isInstanceOf(SelfClusterResult.Kept.class);
    assertThat(stored().getMetadata().getLabels()).doesNotContainKey(LABEL);
    assertThat(ensure(Mode.ALWAYS)).isInstanceOf(SelfClusterResult.Written.class);
    assertThat(stored().getMetadata().getLabels()).containsEntry(LABEL, "true");
  }

  @Test
  void a_secret_of_others_is_never_changed() throws Exception {
    home.client()
        .resource(
            new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace.name())
                .withName("self")
                .endMetadata()
                .withData(Map.of("kubeconfig", "QUJD"))
                .build())
        .create();

    assertThat(ensure(Mode.ALWAYS)).isInstanceOf(SelfClusterResult.Kept.class);

    assertThat(stored().getData()).containsEntry("kubeconfig", "QUJD");
  }

  @Test
  void only_credentials_that_work_and_lead_home_are_stored() throws Exception {
    for (var useless :
        List.of(
            west.adminKubeconfig(), // another cluster
            east.kubeconfigFor("nobody"), // may not even see who home is
            "clusters: [")) {
      assertThat(selfCluster(Mode.ALWAYS, false, sources(file(useless))).ensure())
          .isEqualTo(new SelfClusterResult.Written("the credentials in use for home"));
    }
  }

  @Test
  void without_any_good_source_nothing_is_written_and_each_reason_is_told() throws Exception {
    var sources = List.of(SelfClusterSource.ofFile(Path.of(file(west.adminKubeconfig()))));
    assertThat(selfCluster(Mode.AUTO, false, sources).ensure())
        .isInstanceOfSatisfying(
            SelfClusterResult.NotWritten.class,
            not -> assertThat(not.why()).singleElement().asString().contains("another cluster"));
    assertThat(stored()).isNull();

    assertThat(selfCluster(Mode.AUTO, true, sources).ensure())
        .isInstanceOf(SelfClusterResult.WrittenFullFile.class);
    assertThat(storedKubeconfig()).isEqualTo(Files.readString(directory.resolve("config")));
  }

  @Test
  void a_source_that_becomes_good_later_is_taken_without_a_restart() throws Exception {
    var self =
        selfCluster(
            Mode.AUTO,
            false,
            List.of(SelfClusterSource.ofFile(Path.of(file(west.adminKubeconfig())))));
    assertThat(self.ensure()).isInstanceOf(SelfClusterResult.NotWritten.class);

    file(east.adminKubeconfig());

    assertThat(self.ensure()).isInstanceOf(SelfClusterResult.Written.class);
  }

  @Test
  void a_full_file_replaces_no_secret_that_works() throws Exception {
    var bad = List.of(SelfClusterSource.ofFile(Path.of(file(west.adminKubeconfig()))));
    ensure(Mode.AUTO);
    var good = storedKubeconfig();

    for (var mode : List.of(Mode.AUTO, Mode.ALWAYS)) {
      assertThat(selfCluster(mode, true, bad).ensure())
          .isInstanceOf(SelfClusterResult.NotWritten.class);
      assertThat(storedKubeconfig()).isEqualTo(good);
    }

    store("clusters: [");
    assertThat(selfCluster(Mode.AUTO, true, bad).ensure())
        .isInstanceOf(SelfClusterResult.NotWritten.class);
    assertThat(selfCluster(Mode.ALWAYS, true, bad).ensure())
        .isInstanceOf(SelfClusterResult.WrittenFullFile.class);
    assertThat(storedKubeconfig()).isEqualTo(Files.readString(directory.resolve("config")));
  }

  private void store(String kubeconfig) {
    var encoded = Base64.getEncoder().encodeToString(kubeconfig.getBytes(StandardCharsets.UTF_8));
    home.client()
        .resource(new SecretBuilder(stored()).addToData("kubeconfig", encoded).build())
        .update();
  }

  @Test
  void a_secret_that_cannot_be_written_leaves_no_thread_behind() throws Exception {
    var source = serviceAccount();
    var self =
        new SelfClusterSecret(
            new SelfClusterSettings(
                new SecretRef("there-is-no-such-namespace", "self"),
                LABEL,
                MANAGED_BY,
                "example",
                "kubeconfig",
                Mode.AUTO,
                false),
            List.of(source),
            clients,
            SETTINGS,
            home.client(),
            () -> true,
            () -> {});
    var before = ThreadCensus.take().size();

    for (int tries = 0; tries < 20; tries++) {
      assertThatThrownBy(self::ensure).isInstanceOf(KubernetesClientException.class);
    }

    await().atMost(Duration.ofSeconds(30)).until(() -> ThreadCensus.take().size() < before + 10);
  }

  private SelfClusterSource serviceAccount() throws Exception {
    ServiceAccounts.makeAdmin(namespace, "default");
    var token = directory.resolve("token");
    var authority = directory.resolve("ca.crt");
    Files.writeString(token, ServiceAccounts.token(namespace, "default"));
    Files.writeString(authority, east.caPem());
    return new SelfClusterSource(
        "service account",
        () -> LocalKubeconfig.ofServiceAccount(east.url(), authority, token),
        null);
  }

  private void renewToken() throws Exception {
    Files.writeString(
        directory.resolve("token"), ServiceAccounts.token(namespace, "default") + "\n");
  }

  private String tokenInFile() throws Exception {
    return Files.readString(directory.resolve("token")).strip();
  }

  @Test
  void a_token_file_is_inlined_followed_and_live() throws Exception {
    var source = serviceAccount();
    var self = selfCluster(Mode.AUTO, false, List.of(source));
    assertThat(self.ensure()).isEqualTo(new SelfClusterResult.Written("service account"));
    assertThat(storedKubeconfig()).contains(tokenInFile()).doesNotContain("tokenFile");

    renewToken();
    self.refresh();
    assertThat(storedKubeconfig()).contains(tokenInFile());
    renewToken();
    assertThat(selfCluster(Mode.AUTO, false, List.of(source)).ensure())
        .isInstanceOf(SelfClusterResult.Kept.class);
    assertThat(storedKubeconfig()).contains(tokenInFile());

    home.client().secrets().inNamespace(namespace.name()).withName("self").delete();
    self.refresh();
    assertThat(stored()).isNull();
  }

  @Test
  void the_live_token_is_for_our_secret_and_for_home_only() throws Exception {
    var self = selfCluster(Mode.AUTO, false, List.of(serviceAccount()));
    self.ensure();
    var secret = new SecretRef(namespace.name(), "self");
    var endpoint = inUse.endpoint();

    assertThat(self.of(secret, endpoint)).isPresent();
    assertThat(self.of(new SecretRef(namespace.name(), "other"), endpoint)).isEmpty();
    var elsewhere =
        new ApiEndpoint(west.url(), endpoint.authorities(), false, null, endpoint.proxy());
    assertThat(self.of(secret, elsewhere)).isEmpty();

    home.client()
        .resource(
            new SecretBuilder(stored())
                .editMetadata()
                .removeFromLabels(MANAGED_BY)
                .endMetadata()
                .build())
        .update();
    self.refresh();
    assertThat(self.of(secret, endpoint)).isEmpty();
  }

  @Test
  void of_two_replicas_only_the_leader_stores_its_token() throws Exception {
    var source = serviceAccount();
    var leader = selfCluster(Mode.AUTO, false, List.of(source));
    leader.ensure();
    var stored = stored();

    leads = false;
    renewToken();
    var other = selfCluster(Mode.AUTO, false, List.of(source));
    assertThat(other.ensure()).isInstanceOf(SelfClusterResult.Kept.class);
    other.refresh();

    assertThat(stored()).isEqualTo(stored);
    var ownToken = tokenInFile();
    assertThat(other.of(new SecretRef(namespace.name(), "self"), inUse.endpoint()))
        .hasValueSatisfying(token -> assertThat(token.current()).isEqualTo(ownToken));
  }
}
