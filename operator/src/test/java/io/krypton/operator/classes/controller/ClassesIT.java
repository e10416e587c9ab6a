// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.Annotations;
import io.krypton.api.Crds;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.rollout.Release;
import io.krypton.api.rollout.RolloutConditionTypes;
import io.krypton.api.rollout.TargetSelector;
import io.krypton.api.rollout.ValuesReference;
import io.krypton.api.tenant.Tenant;
import io.krypton.api.tenant.TenantSpec;
import io.krypton.api.tenantclass.TenantClass;
import io.krypton.api.tenantclass.TenantClassSpec;
import io.krypton.api.tenantclass.TenantClassSpec.Allowed;
import io.krypton.api.tenantclass.TenantClassSpec.ChartSpec;
import io.krypton.api.tenantclass.TenantClassSpec.ClusterValues;
import io.krypton.api.tenantclass.TenantClassStatus.ClassReasons;
import io.krypton.api.tenantclass.TenantClassStatus.Counts;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.RequestObserver;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.operator.classes.controller.ClassLife.Edge;
import io.krypton.operator.release.chart.ChartRef;
import io.krypton.operator.release.chart.ChartResult;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Classes on home change what Tenants on the clusters get, and no operator is restarted for it. */
@ExtendWith(ControlPlaneExtension.class)
class ClassesIT {
  private final ClientFactory clients = new ClientFactory(RequestObserver.none());
  private final Map<String, String> digests = new ConcurrentHashMap<>();
  @TempDir private Path directory;
  private ParsedKubeconfig.Accepted homeAccess;
  private KubernetesClient home;
  private KubernetesClient east;
  private String namespace;
  private RecordingHelm helm;
  private Map<String, Edge> edges;
  private @Nullable ClassLife life;

  @BeforeEach
  void open(
      @Cluster("home") ControlPlane homePlane,
      @Cluster("edge") ControlPlane edgePlane,
      @Cluster("home") TestNamespace own) {
    namespace = own.name();
    homeAccess = access(homePlane);
    var edgeAccess = access(edgePlane);
    home = clients.connect("home", homeAccess, fast()).client();
    east = clients.connect("east", edgeAccess, fast()).client();
    for (var crd : Crds.all()) {
      home.resource(crd).forceConflicts().serverSideApply();
    }
    east.resource(Crds.tenant()).forceConflicts().serverSideApply();
    await()
        .ignoreExceptions()
        .until(() -> home.resources(TenantClass.class).inNamespace(namespace).list() != null);
    await()
        .ignoreExceptions()
        .until(() -> east.resources(Tenant.class).inNamespace(namespace).list() != null);
    east.resource(
            new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
        .create();
    helm = new RecordingHelm(Map.of("west", home, "east", east));
    edges =
        Map.of(
            "west", new Edge(homeAccess, Map.of("ring", "0")),
            "east", new Edge(edgeAccess, Map.of("ring", "1")));
    life = newLife();
  }

  private static ParsedKubeconfig.Accepted access(ControlPlane plane) {
    return (ParsedKubeconfig.Accepted)
        ParsedKubeconfig.parse(plane.adminKubeconfig().getBytes(StandardCharsets.UTF_8));
  }

  private static ClientSettings fast() {
    return ClientSettings.remote("test").withoutRetries().withRate(5000, 5000);
  }

  @AfterEach
  void close() {
    if (life != null) {
      life.close();
    }
    for (var client : List.of(home, east)) {
      for (var tenant : client.resources(Tenant.class).inNamespace(namespace).list().getItems()) {
        tenant.getMetadata().setFinalizers(List.of());
        client.resource(tenant).update();
      }
    }
    for (var it : home.resources(TenantClass.class).inNamespace(namespace).list().getItems()) {
      it.getMetadata().setFinalizers(List.of());
      home.resource(it).update();
    }
    clients.close();
  }

  private ClassLife newLife() {
    return new ClassLife(homeAccess, namespace, edges, helm, this::load);
  }

  /** Each version is a chart of its own, until somebody publishes it again. */
  private ChartResult load(ChartRef chart) {
    if (chart.version().startsWith("9.")) {
      return new ChartResult.VersionNotFound("no such version");
    }
    try {
      var archive = directory.resolve(chart.version() + ".tgz");
      Files.writeString(archive, chart.toString());
      var digest = digests.getOrDefault(chart.version(), "digest-of-" + chart.version());
      return new ChartResult.Loaded(
          archive, "sha-of-" + chart.version(), chart.version(), Set.of(), digest);
    } catch (java.io.IOException e) {
      return new ChartResult.NotLoaded(e.toString());
    }
  }

  @Test
  void a_change_of_a_class_reaches_its_tenants_without_a_restart() {
    tenant(home, "a", "gold");
    tenant(east, "b", "gold");
    tenant(east, "plain", null);
    awaitStalled(home, "a", "ClassNotFound");

    apply(tenantClass("gold", "1.1.0", Map.of("replicas", 1)));
    awaitVersion(home, "west", "a", "1.1.0");
    awaitVersion(east, "east", "b", "1.1.0");

    apply(tenantClass("gold", "1.2.0", Map.of("replicas", 1)));
    awaitVersion(home, "west", "a", "1.2.0");
    awaitVersion(east, "east", "b", "1.2.0");
    var status = tenantClass("gold").getStatus();
    assertThat(status.stable()).isEqualTo(status.target());
    await()
        .untilAsserted(
            () ->
                assertThat(tenantClass("gold").getStatus().counts())
                    .isEqualTo(new Counts(2, 2, 2, 0, 0, 0, 0)));
    assertThat(helm.chartsOf("east", namespace + "-b")).containsExactly("1.1.0.tgz", "1.2.0.tgz");
    assertThat(helm.chartsOf("east", namespace + "-plain")).containsExactly("1.0.0.tgz");
  }

  @Test
  void values_come_from_references_clusters_and_the_class_and_a_change_is_seen() {
    configMap("values", "{from: map, layer: map, inline: map}");
    tenant(home, "a", "gold");
    tenant(east, "b", "gold");
    var ofRingZero =
        new ClusterValues(
            new TargetSelector(Map.of("ring", "0"), List.of()),
            Map.of("layer", "ring 0", "inline", "ring 0"));
    var tenantClass = tenantClass("gold", "1.1.0", Map.of("inline", "class"));
    var spec = tenantClass.getSpec();
    tenantClass.setSpec(
        new TenantClassSpec(
            spec.chart(),
            spec.values(),
            List.of(
                new ValuesReference(
                    ValuesReference.Kind.CONFIG_MAP, "values", "values.yaml", false)),
            List.of(ofRingZero),
            null,
            null,
            null));
    apply(tenantClass);

    awaitVersion(home, "west", "a", "1.1.0");
    awaitVersion(east, "east", "b", "1.1.0");
    assertThat(helm.valuesOf("west", namespace + "-a"))
        .last()
        .isEqualTo("{\"from\":\"map\",\"layer\":\"ring 0\",\"inline\":\"class\"}");
    assertThat(helm.valuesOf("east", namespace + "-b"))
        .last()
        .isEqualTo("{\"from\":\"map\",\"layer\":\"map\",\"inline\":\"class\"}");

    configMap("values", "{from: changed}");
    await()
        .untilAsserted(
            () ->
                assertThat(helm.valuesOf("east", namespace + "-b"))
                    .last()
                    .isEqualTo("{\"from\":\"changed\",\"inline\":\"class\"}"));
  }

  @Test
  void a_restarted_operator_keeps_what_the_class_has_rolled_out_and_runs_no_helm() {
    tenant(home, "a", "gold");
    apply(tenantClass("gold", "1.1.0", Map.of()));
    awaitVersion(home, "west", "a", "1.1.0");
    var operations = helm.operations();
    close(life);

    life = newLife();
    // A chart that cannot be had changes nothing: the revision that is stable is stored.
    apply(tenantClass("gold", "9.0.0", Map.of()));
    await().until(() -> reason("gold", RolloutConditionTypes.READY).equals("ChartUnavailable"));
    tenant(east, "late", "gold");
    awaitVersion(east, "east", "late", "1.1.0");

    assertThat(helm.operations()).isEqualTo(operations + 1);
    assertThat(helm.chartsOf("west", namespace + "-a")).containsExactly("1.1.0.tgz");
  }

  @Test
  void a_version_that_was_published_again_is_refused() {
    tenant(home, "a", "gold");
    apply(tenantClass("gold", "1.1.0", Map.of()));
    awaitVersion(home, "west", "a", "1.1.0");
    close(life);
    digests.put("1.1.0", "another");

    life = newLife();

    await()
        .until(
            () ->
                reason("gold", RolloutConditionTypes.READY).equals(ClassReasons.VERSION_REPUSHED));
    assertThat(message("gold", RolloutConditionTypes.READY))
        .contains("another")
        .contains("digest-of-1.1.0");
    assertThat(helm.chartsOf("west", namespace + "-a")).hasSize(1);

    apply(tenantClass("gold", "1.1.1", Map.of()));
    awaitVersion(home, "west", "a", "1.1.1");
    assertThat(reason("gold", RolloutConditionTypes.READY)).isEqualTo(ClassReasons.ACCEPTED);
  }

  @Test
  void an_object_named_default_wins_over_flags_and_says_so_once() {
    tenant(home, "a", null);
    await().until(() -> helm.chartsOf("west", namespace + "-a").equals(List.of("1.0.0.tgz")));

    apply(tenantClass("default", "1.1.0", Map.of()));

    awaitVersion(home, "west", "a", "1.1.0");
    await().until(() -> events().stream().anyMatch("ClassOverridesFlags"::equals));
    assertThat(events().stream().filter("ClassOverridesFlags"::equals)).hasSize(1);
  }

  @Test
  void a_class_of_what_flags_say_runs_no_helm() {
    tenant(home, "a", null);
    await().until(() -> helm.chartsOf("west", namespace + "-a").equals(List.of("1.0.0.tgz")));

    apply(tenantClass("default", "1.0.0", Map.of()));

    awaitVersion(home, "west", "a", "1.0.0");
    assertThat(helm.chartsOf("west", namespace + "-a")).hasSize(1);
    await().until(() -> tenantClass("default").getStatus().counts().onStable() == 1);
  }

  @Test
  void a_class_in_use_stays_until_nobody_uses_it_or_its_releases_are_orphaned() {
    tenant(home, "a", "gold");
    apply(tenantClass("gold", "1.1.0", Map.of()));
    awaitVersion(home, "west", "a", "1.1.0");

    home.resource(tenantClass("gold")).delete();

    await()
        .until(
            () ->
                reason("gold", RolloutConditionTypes.RECONCILING)
                    .equals(ClassReasons.CLASS_IN_USE));
    assertThat(message("gold", RolloutConditionTypes.RECONCILING))
        .contains("Tenant/" + namespace + "/" + namespace + "-a on west");

    home.resource(tenantClass("gold"))
        .edit(
            it -> {
              it.getMetadata()
                  .setAnnotations(Map.of(Annotations.DELETION_POLICY, Annotations.ORPHAN));
              return it;
            });
    await()
        .until(
            () ->
                home.resources(TenantClass.class).inNamespace(namespace).withName("gold").get()
                    == null);
    awaitStalled(home, "a", "ClassNotFound");
    assertThat(helm.chartsOf("west", namespace + "-a")).hasSize(1);
  }

  @Test
  void an_older_version_is_refused_unless_the_class_allows_it() {
    apply(tenantClass("gold", "1.2.0", Map.of()));
    await().until(() -> reason("gold", RolloutConditionTypes.READY).equals(ClassReasons.ACCEPTED));

    apply(tenantClass("gold", "1.1.0", Map.of()));
    await().until(() -> reason("gold", RolloutConditionTypes.READY).equals("DowngradeRefused"));

    var allowing = tenantClass("gold", "1.1.0", Map.of());
    var spec = allowing.getSpec();
    allowing.setSpec(
        new TenantClassSpec(
            spec.chart(),
            spec.values(),
            List.of(),
            List.of(),
            new Allowed(null, false, true),
            null,
            null));
    apply(allowing);
    await().until(() -> reason("gold", RolloutConditionTypes.READY).equals(ClassReasons.ACCEPTED));
  }

  @Test
  void a_fleet_without_classes_costs_three_watches_more_and_nothing_else() {
    tenant(home, "a", null);
    awaitRelease(home, "west", "a", release -> true);

    var release = tenantOf(home, "a").getStatus().releases().getFirst();
    assertThat(release.chartVersion()).isNull();
    assertThat(release.rollout()).isNull();
    assertThat(helm.labelsOf("west", namespace + "-a").getLast())
        .doesNotContainKey("mesh.openkcm.io/class-revision");

    close(life);
    var second = newLife();
    life = second;
    await().until(() -> second.count("home", "WATCH") == 3);
    await().until(second::isAtRest);
    // Three lists, and whether the kinds are served.
    assertThat(second.count("home", "GET")).as("%s", second.requests).isEqualTo(4);
    assertThat(second.requests.keySet().stream().filter(it -> it.startsWith("home")))
        .containsExactlyInAnyOrder("home GET", "home WATCH");
    assertThat(helm.operations()).isEqualTo(1);
  }

  private static void close(@Nullable ClassLife ended) {
    if (ended != null) {
      ended.close();
    }
  }

  private void tenant(KubernetesClient client, String name, @Nullable String className) {
    var tenant = new Tenant();
    tenant.getMetadata().setNamespace(namespace);
    tenant.getMetadata().setName(namespace + "-" + name);
    tenant.setSpec(new TenantSpec(null, null, false, Map.of(), List.of(), className, null));
    client.resource(tenant).create();
  }

  private Tenant tenantOf(KubernetesClient client, String name) {
    return client
        .resources(Tenant.class)
        .inNamespace(namespace)
        .withName(namespace + "-" + name)
        .require();
  }

  private TenantClass tenantClass(String name, String version, Map<String, Object> values) {
    var tenantClass = new TenantClass();
    tenantClass.getMetadata().setNamespace(namespace);
    tenantClass.getMetadata().setName(name);
    tenantClass.setSpec(
        new TenantClassSpec(
            new ChartSpec("/charts", "web", version, null, null),
            Map.copyOf(values),
            List.of(),
            List.of(),
            null,
            null,
            null));
    return tenantClass;
  }

  private TenantClass tenantClass(String name) {
    return home.resources(TenantClass.class).inNamespace(namespace).withName(name).require();
  }

  private void apply(TenantClass tenantClass) {
    tenantClass.setStatus(null);
    var existing =
        home.resources(TenantClass.class)
            .inNamespace(namespace)
            .withName(tenantClass.getMetadata().getName())
            .get();
    if (existing == null) {
      home.resource(tenantClass).create();
    } else {
      home.resource(existing)
          .edit(
              it -> {
                it.setSpec(tenantClass.getSpec());
                return it;
              });
    }
  }

  private void configMap(String name, String values) {
    home.resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .addToData("values.yaml", values)
                .build())
        .createOr(existing -> existing.update());
  }

  private String reason(String name, String type) {
    return ConditionList.find(tenantClass(name).getStatus().conditions(), type)
        .map(it -> it.reason())
        .orElse("");
  }

  private String message(String name, String type) {
    return ConditionList.find(tenantClass(name).getStatus().conditions(), type)
        .map(it -> it.message())
        .orElse("");
  }

  private List<String> events() {
    return home.v1().events().inNamespace(namespace).list().getItems().stream()
        .map(it -> it.getReason())
        .toList();
  }

  private void awaitVersion(KubernetesClient client, String cluster, String name, String version) {
    awaitRelease(client, cluster, name, release -> version.equals(release.chartVersion()));
  }

  private void awaitRelease(
      KubernetesClient client, String cluster, String name, Predicate<Release> condition) {
    await()
        .until(
            () ->
                tenantOf(client, name).getStatus().releases().stream()
                    .anyMatch(it -> it.cluster().equals(cluster) && condition.test(it)));
  }

  private void awaitStalled(KubernetesClient client, String name, String reason) {
    await()
        .until(
            () ->
                ConditionList.find(
                        tenantOf(client, name).getStatus().conditions(),
                        RolloutConditionTypes.STALLED)
                    .filter(it -> it.reason().equals(reason))
                    .isPresent());
  }
}
