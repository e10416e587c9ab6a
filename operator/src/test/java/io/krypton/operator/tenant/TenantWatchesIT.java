// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.Crds;
import io.krypton.api.rollout.RolloutPhase;
import io.krypton.api.rollout.ValuesReference;
import io.krypton.api.tenant.Tenant;
import io.krypton.api.tenant.TenantSpec;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.RequestObserver;
import io.krypton.multicluster.cluster.ClusterEvent;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What one cluster with many namespaces, or with long lists, asks of the connections to it. */
@ExtendWith(ControlPlaneExtension.class)
class TenantWatchesIT {
  private static final int NAMESPACES = Integer.getInteger("watches.namespaces", 200);

  /** What an API server allows on a connection. */
  private static final int ALLOWED_STREAMS = 100;

  private static final Duration LIMIT = Duration.ofMinutes(4);
  private static final TenantSpec REFERRING =
      new TenantSpec(
          null,
          null,
          false,
          Map.of(),
          List.of(
              new ValuesReference(
                  ValuesReference.Kind.CONFIG_MAP, "plain", ValuesReference.DEFAULT_KEY, false),
              new ValuesReference(
                  ValuesReference.Kind.SECRET, "hidden", ValuesReference.DEFAULT_KEY, false)));

  private final ClientFactory clients = new ClientFactory(RequestObserver.none());
  private final Set<String> places = new TreeSet<>();
  @TempDir private Path directory;
  private Path archive;
  private ControlPlane plane;
  private KubernetesClient admin;
  private String namespace;

  @BeforeEach
  void open(@Cluster("home") ControlPlane home, @Cluster("home") TestNamespace own)
      throws Exception {
    plane = home;
    namespace = own.name();
    archive = Files.writeString(directory.resolve("web.tgz"), "chart");
    admin = clients.connect("admin", access(plane.adminKubeconfig()), TenantLife.fast()).client();
    admin.resource(Crds.tenant()).forceConflicts().serverSideApply();
    await()
        .atMost(LIMIT)
        .ignoreExceptions()
        .until(() -> admin.resources(Tenant.class).inNamespace(namespace).list() != null);
  }

  @AfterEach
  void close() throws Exception {
    ReadyTenants.release(admin, tenants());
    admin.close();
    clients.close();
  }

  private static ParsedKubeconfig.Accepted access(String kubeconfig) {
    return (ParsedKubeconfig.Accepted)
        ParsedKubeconfig.parse(kubeconfig.getBytes(StandardCharsets.UTF_8));
  }

  private List<Tenant> tenants() {
    return admin.resources(Tenant.class).inAnyNamespace().list().getItems().stream()
        .filter(tenant -> places.contains(tenant.getMetadata().getNamespace()))
        .toList();
  }

  /**
   * A Tenant that takes its values from a ConfigMap and a Secret beside it, where it also lives.
   */
  private void create(String place) {
    put(new NamespaceBuilder().withNewMetadata().withName(place).endMetadata().build());
    put(
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace(place)
            .withName("plain")
            .endMetadata()
            .addToData("values.yaml", "a: 1")
            .build());
    put(
        new SecretBuilder()
            .withNewMetadata()
            .withNamespace(place)
            .withName("hidden")
            .endMetadata()
            .addToStringData("values.yaml", "b: 2")
            .build());
    var tenant = new Tenant();
    tenant.getMetadata().setNamespace(place);
    tenant.getMetadata().setName(place);
    tenant.setSpec(REFERRING);
    put(tenant);
  }

  private void put(HasMetadata object) {
    admin.resource(object).create();
  }

  @Test
  void namespaces_with_references_are_all_ready_with_few_streams_on_each_connection()
      throws Exception {
    for (int i = 0; i < NAMESPACES; i++) {
      places.add(namespace + "-" + i);
    }
    var tasks = new ArrayList<Callable<Void>>();
    places.forEach(place -> tasks.add(ReadyTenants.task(() -> create(place))));
    ReadyTenants.inParallel(tasks);
    try (var proxy = plane.streamProxy("streams", "system:masters");
        var life =
            new TenantLife(
                admin,
                access(plane.access("streams", "system:masters").via(proxy.url()).yaml()),
                archive,
                places)) {
      await()
          .atMost(LIMIT)
          .until(
              () ->
                  tenants().stream()
                          .filter(tenant -> tenant.getStatus().phase() == RolloutPhase.READY)
                          .count()
                      == NAMESPACES);
      System.out.printf(
          "%d namespaces: at most %d streams on each of %d connections, %s%n",
          NAMESPACES, proxy.peakStreams(), proxy.connections(), life.requests);

      assertThat(proxy.peakStreams()).isPositive().isLessThan(ALLOWED_STREAMS);
      assertThat(life.events).noneMatch(ClusterEvent.Unreachable.class::isInstance);
      // Tenants, namespaces, releases, objects of releases, ConfigMaps and Secrets with values.
      assertThat(life.count("WATCH")).isLessThanOrEqualTo(6);
      assertThat(life.helm.operations()).isEqualTo(NAMESPACES);
    }
  }

  /** The first try has no time at all, so that it ends before the first list. */
  @Test
  void a_cluster_that_is_not_listed_in_time_is_listed_once_and_engaged_in_the_end()
      throws Exception {
    places.add(namespace);
    var mark = plane.audit().mark();
    try (var life =
        new TenantLife(
            admin,
            access(plane.kubeconfigFor("slow-lister", "system:masters")),
            archive,
            places,
            Duration.ZERO)) {
      await()
          .atMost(LIMIT)
          .until(() -> life.events.stream().anyMatch(ClusterEvent.Engaged.class::isInstance));

      assertThat(life.events)
          .filteredOn(ClusterEvent.StepNotice.class::isInstance)
          .singleElement()
          .asString()
          .contains("ClusterNotSynced", "listing goes on");
      assertThat(
              plane.audit().since(mark).by("slow-lister").on("tenants").withVerb("list").records())
          .as("first pages")
          .filteredOn(request -> !request.uri().contains("continue="))
          .hasSize(1);
    }
  }
}
