// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.krypton.cli.plan.LiveComparison.Result;
import io.krypton.cli.plan.PlannedRelease.WantedRelease;
import io.krypton.cli.plan.ReleasePlan.ServerFinding;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.inventory.Manifest;
import io.krypton.operator.release.values.ChartValues;
import io.krypton.operator.release.values.ChartValues.DefaultValue;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
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
@ExtendWith(ControlPlaneExtension.class)
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
        .extracting(it -> it.object() + " " + it.kind().label())
        .containsExactlyInAnyOrder(
            "ConfigMap %s/edited lives differently".formatted(namespace.name()),
            "ConfigMap %s/gone is gone".formatted(namespace.name()));
    assertThat(remarks)
        .filteredOn(it -> it.kind() == ServerFinding.Kind.DIFFERS)
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
              assertThat(it.kind()).isEqualTo(ServerFinding.Kind.REFUSED);
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
            new ServerFinding(
                "ClusterRole " + shared(),
                ServerFinding.Kind.REFUSED,
                "by Helm: it belongs to release tenant-globex-edge in namespace globex",
                List.of()));
  }

  @Test
  void who_may_not_ask_is_told_so_and_nothing_is_called_wrong() throws Exception {
    var capabilities = Capabilities.of(client);
    try (var weak = client(namespace.controlPlane().kubeconfigFor("reader-" + namespace.name()))) {
      var release = manifest(configMap("a", "hello"));

      assertThat(comparison(weak, capabilities).compareAll(release, release))
          .isEqualTo(new Result.NotCompared("you may not read or dry-run all of its objects"));
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

  private List<ServerFinding> remarks(String before, String after) throws Exception {
    return switch (comparison(client, Capabilities.of(client))
        .compareAll(manifest(before), manifest(after))) {
      case Result.Findings(var remarks) -> remarks;
      case Result.NotCompared(var why) -> throw new AssertionError(why);
    };
  }

  private LiveComparison comparison(KubernetesClient asking, Capabilities capabilities) {
    var release =
        new WantedRelease(
            "edge",
            "tenant default/acme",
            new ReleaseName("tenant-acme-edge"),
            namespace.name(),
            ChartValues.of(Map.of()),
            DefaultValue.oneReplica(),
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
