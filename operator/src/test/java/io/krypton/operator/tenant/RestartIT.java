// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.Crds;
import io.krypton.api.rollout.RolloutPhase;
import io.krypton.api.tenant.Tenant;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.RequestObserver;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A process that starts where all Tenants are ready has nothing to do but to look. */
@ExtendWith(ControlPlaneExtension.class)
class RestartIT {
  private static final Logger log = LoggerFactory.getLogger(RestartIT.class);

  /** For a measurement: {@code -Drestart.tenants=20000}. */
  private static final int TENANTS = Integer.getInteger("restart.tenants", 200);

  private static final Duration LIMIT = Duration.ofMinutes(2).plusMillis(20L * TENANTS);

  private final ClientFactory clients = new ClientFactory(RequestObserver.none());
  @TempDir private Path directory;
  private Path archive;
  private KubernetesClient admin;
  private ParsedKubeconfig.Accepted access;
  private String namespace;

  @BeforeEach
  void open(@Cluster("home") ControlPlane plane, @Cluster("home") TestNamespace own)
      throws IOException {
    namespace = own.name();
    archive = Files.writeString(directory.resolve("web.tgz"), "chart");
    access =
        (ParsedKubeconfig.Accepted)
            ParsedKubeconfig.parse(plane.adminKubeconfig().getBytes(StandardCharsets.UTF_8));
    admin = clients.connect("admin", access, TenantLife.fast()).client();
    admin.resource(Crds.tenant()).forceConflicts().serverSideApply();
    await()
        .atMost(LIMIT)
        .ignoreExceptions()
        .until(() -> admin.resources(Tenant.class).inNamespace(namespace).list() != null);
  }

  @AfterEach
  void close() throws Exception {
    ReadyTenants.release(
        admin, admin.resources(Tenant.class).inNamespace(namespace).list().getItems());
    admin.close();
    clients.close();
  }

  @Test
  void ready_tenants_cost_a_new_process_neither_a_helm_run_nor_a_write() throws Exception {
    var template = new Tenant();
    template.getMetadata().setNamespace(namespace);
    template.getMetadata().setName(namespace + "-t");
    try (var first = newLife()) {
      admin.resource(template).create();
      // Not as it is while the watches have just begun, but with all said that is to be said.
      await().atMost(LIMIT).until(() -> first.inspector.seen.size() == 1);
      await().atMost(LIMIT).until(() -> ready() == 1 && first.isAtRest());
      assertThat(first.helm.operations()).isEqualTo(1);
    }
    new ReadyTenants(admin, TenantLife.CLUSTER, admin.resource(template).require())
        .write(TENANTS - 1);

    var begun = System.nanoTime();
    try (var second = newLife()) {
      await().atMost(LIMIT).until(() -> second.inspector.seen.size() == TENANTS);
      await().atMost(LIMIT).until(second::isAtRest);
      log.atInfo()
          .addKeyValue("tenants", TENANTS)
          .addKeyValue("seconds", (System.nanoTime() - begun) / 1_000_000_000)
          .addKeyValue("heapMiB", usedHeap() >> 20)
          .addKeyValue("reconciles", second.runs)
          .addKeyValue("requests", second.requests)
          .log("restarted");

      assertThat(ready()).isEqualTo(TENANTS);
      assertThat(second.helm.operations()).isZero();
      assertThat(second.writes()).as("dry runs too; events: %s", events()).isZero();
      // What a release holds is read once; lists, watches and probes do not grow with Tenants.
      assertThat(second.count("GET")).isLessThan(TENANTS + 50 + TENANTS / 100);
    }
  }

  private TenantLife newLife() {
    return new TenantLife(admin, access, archive, Set.of(namespace));
  }

  private long ready() {
    return admin.resources(Tenant.class).inNamespace(namespace).list().getItems().stream()
        .filter(tenant -> tenant.getStatus().phase() == RolloutPhase.READY)
        .count();
  }

  private Set<String> events() {
    return admin.v1().events().inNamespace(namespace).list().getItems().stream()
        .map(event -> event.getReason() + ": " + event.getMessage())
        .limit(50)
        .collect(Collectors.toSet());
  }

  private static long usedHeap() {
    System.gc();
    var memory = Runtime.getRuntime();
    return memory.totalMemory() - memory.freeMemory();
  }
}
