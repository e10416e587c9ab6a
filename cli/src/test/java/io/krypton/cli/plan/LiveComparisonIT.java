package io.krypton.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.krypton.cli.plan.LiveComparison.Answer;
import io.krypton.operator.manifest.Manifest;
import io.krypton.operator.release.ReleaseName;
import io.krypton.operator.values.BaseValue;
import io.krypton.operator.values.Values;
import io.krypton.sandbox.junit.Cluster;
import io.krypton.sandbox.junit.ControlPlanes;
import io.krypton.sandbox.junit.TestNamespace;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a real server says about live objects and such that are to come. */
@ExtendWith(ControlPlanes.class)
class LiveComparisonIT {
  private TestNamespace namespace;
  private KubernetesClient client;

  @BeforeEach
  void open(@Cluster("views") TestNamespace own) {
    namespace = own;
    client = client(own.controlPlane().adminKubeconfig());
  }

  @AfterEach
  void close() {
    client.rbac().clusterRoles().withName(shared()).delete();
    client.close();
  }

  private static KubernetesClient client(String kubeconfig) {
    return new KubernetesClientBuilder().withConfig(Config.fromKubeconfig(kubeconfig)).build();
  }

  @Test
  void what_somebody_changed_lives_differently_and_what_they_deleted_is_gone() throws Exception {
    apply(configMap("edited", "hello") + configMap("same", "hello"));
    client
        .configMaps()
        .inNamespace(namespace.name())
        .withName("edited")
        .edit(
            map -> {
              map.getData().put("message", "by hand");
              return map;
            });
    var release =
        configMap("edited", "hello") + configMap("same", "hello") + configMap("gone", "hello");

    var remarks = remarks(release, release);

    assertThat(remarks)
        .extracting(it -> it.object() + " " + it.kind().words())
        .containsExactlyInAnyOrder(
            "ConfigMap %s/edited lives differently".formatted(namespace.name()),
            "ConfigMap %s/gone is gone".formatted(namespace.name()));
    assertThat(remarks)
        .filteredOn(it -> it.kind() == ServerRemark.Kind.DIFFERS)
        .singleElement()
        .satisfies(
            it -> assertThat(it.lines()).contains("-  message: by hand", "+  message: hello"));
    assertThat(message("edited")).as("only asked, not changed").isEqualTo("by hand");
  }

  @Test
  void what_the_server_would_refuse_is_told_in_its_words() throws Exception {
    apply(configMap("fixed", "hello") + "immutable: true\n");

    var remarks =
        remarks(
            configMap("fixed", "hello") + "immutable: true\n",
            configMap("fixed", "hunter22") + "immutable: true\n");

    assertThat(remarks)
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.kind()).isEqualTo(ServerRemark.Kind.REFUSED);
              assertThat(it.text()).contains("field is immutable").doesNotContain("hunter22");
            });
    assertThat(message("fixed")).isEqualTo("hello");
  }

  @Test
  void an_object_of_another_release_is_named_with_it() throws Exception {
    client
        .resource(
            new ClusterRoleBuilder()
                .withNewMetadata()
                .withName(shared())
                .addToAnnotations("meta.helm.sh/release-name", "tenant-globex-edge")
                .addToAnnotations("meta.helm.sh/release-namespace", "globex")
                .endMetadata()
                .build())
        .create();
    var role =
        """
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: %s}
        """
            .formatted(shared());

    assertThat(remarks("", role))
        .containsExactly(
            new ServerRemark(
                "ClusterRole " + shared(),
                ServerRemark.Kind.REFUSED,
                "by Helm: it belongs to release tenant-globex-edge in namespace globex",
                List.of()));
  }

  @Test
  void who_may_not_ask_is_told_so_and_nothing_is_called_wrong() throws Exception {
    var capabilities = Capabilities.of(client);
    try (var weak = client(namespace.controlPlane().kubeconfigFor("reader-" + namespace.name()))) {
      var release = manifest(configMap("a", "hello"));

      assertThat(comparison(weak, capabilities).of(release, release))
          .isEqualTo(new Answer.NotAsked("you may not read or dry-run all of its objects"));
    }
  }

  private String shared() {
    return "shared-" + namespace.name();
  }

  private String message(String name) {
    return Objects.requireNonNull(
        client
            .configMaps()
            .inNamespace(namespace.name())
            .withName(name)
            .get()
            .getData()
            .get("message"));
  }

  private void apply(String yaml) {
    for (var object : manifest(yaml).objects()) {
      client
          .resource(object.content().toString())
          .inNamespace(namespace.name())
          .fieldManager("helm")
          .serverSideApply();
    }
  }

  private List<ServerRemark> remarks(String before, String after) throws Exception {
    return switch (comparison(client, Capabilities.of(client))
        .of(manifest(before), manifest(after))) {
      case Answer.Remarks(var remarks) -> remarks;
      case Answer.NotAsked(var why) -> throw new AssertionError(why);
    };
  }

  private LiveComparison comparison(KubernetesClient asking, Capabilities capabilities) {
    var release =
        new WantedRelease(
            "edge",
            "tenant default/acme",
            new ReleaseName("tenant-acme-edge"),
            namespace.name(),
            Values.of(Map.of()),
            BaseValue.oneReplica(),
            null);
    return new LiveComparison(
        asking,
        capabilities,
        release,
        new ManifestDiff(namespace.name(), capabilities::isClusterScoped, Set.of("hunter22")));
  }

  private static Manifest manifest(String yaml) {
    return switch (Manifest.parse(yaml)) {
      case Manifest.Parsed.Intact(var manifest) -> manifest;
      case Manifest.Parsed.Unreadable(var reason) -> throw new AssertionError(reason);
    };
  }

  private static String configMap(String name, String message) {
    return """
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: %s}
    data: {message: %s}
    """
        .formatted(name, message);
  }
}
