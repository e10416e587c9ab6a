// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.cleanup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.Crds;
import io.krypton.api.kmshealth.KmsHealth;
import io.krypton.api.kmshealth.KmsHealthStatus;
import io.krypton.base.kmsreport.ReportNames;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.RequestObserver;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.operator.kmshealth.cleanup.OrphanRemover.Removal;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a real API server makes of our removals. */
@ExtendWith(ControlPlaneExtension.class)
class OrphanRemoverIT {
  private static final String OBJECTS = "/apis/mesh.openkcm.io/v1alpha1/kmshealths";
  private static final String OBJECT = OBJECTS + "/cluster";
  private static final String TIME = "\"lastTransitionTime\":\"2026-01-01T00:00:00Z\"";

  private static final ClientFactory CLIENTS = new ClientFactory(RequestObserver.none());
  private static ControlPlane plane;
  private static KubernetesClient client;

  @BeforeAll
  static void connect(@Cluster("helm") ControlPlane helm) {
    plane = helm;
    client =
        CLIENTS
            .connect(
                "edge",
                (ParsedKubeconfig.Accepted)
                    ParsedKubeconfig.parse(helm.adminKubeconfig().getBytes(StandardCharsets.UTF_8)),
                ClientSettings.remote("krypton-test").withoutRetries())
            .client();
    client.resource(Crds.kmsHealth()).forceConflicts().serverSideApply();
    await().until(() -> plane.admin().get(OBJECTS).ok());
  }

  @AfterAll
  static void close() {
    plane.admin().delete(OBJECT);
    client.close();
    CLIENTS.close();
  }

  @BeforeEach
  void create() {
    plane.admin().delete(OBJECT);
    plane
        .admin()
        .post(
            OBJECTS,
            """
            {"apiVersion":"mesh.openkcm.io/v1alpha1","kind":"KmsHealth","metadata":{"name":"cluster"},"spec":{}}
            """)
        .orThrow();
  }

  private static Removal remove(String node, @Nullable Lease lease) {
    return new OrphanRemover<>(client, KmsHealth.class, OrphanRemoverIT::blank)
        .remove("cluster", node, lease);
  }

  private static KmsHealth blank() {
    var blank = new KmsHealth();
    blank.setSpec(null);
    blank.setStatus(null);
    return blank;
  }

  @Test
  void the_last_entry_of_all_goes_with_its_lease(@Cluster("helm") TestNamespace namespace) {
    reports("a");
    reports("b");
    var first = lease(namespace, "a");
    var second = lease(namespace, "b");
    assertThat(remove("a", first)).isEqualTo(new Removal.Done());
    assertThat(status().toString()).contains("KMSHealthReporter_b").doesNotContain("Reporter_a");
    assertThat(remove("b", second)).isEqualTo(new Removal.Done());
    assertThat(status().path("conditions")).isEmpty();
    assertThat(plane.admin().get(leases(namespace)).orThrow().path("items")).isEmpty();
  }

  @Test
  void whoever_is_the_last_to_own_anything_can_give_it_up() {
    applyStatus(
        ReportNames.AGGREGATOR,
        """
        {"conditions":[{"type":"KMSPluginsDegraded","status":"False",%s}],"nodesHealthy":"1/1",
         "nodes":[{"nodeName":"a","state":"Healthy","source":"Spec","expectedSince":"2026-01-01T00:00:00Z"}],
         "convergence":{"writeKeyID":"1"}}
        """
            .formatted(TIME));
    var live = client.resources(KmsHealth.class).withName("cluster").get();
    assertThat(OwnedStatus.has(live, ReportNames.AGGREGATOR)).isTrue();
    var after = OwnedStatus.drop(client, live, blank(), ReportNames.AGGREGATOR);
    assertThat(after.getStatus()).isEqualTo(KmsHealthStatus.EMPTY);
    assertThat(OwnedStatus.has(after, ReportNames.AGGREGATOR)).isFalse();
    assertThat(status()).isEmpty();
  }

  @Test
  void typed_entries_go_to_the_last_one_too() {
    reportsTyped("a");
    reportsTyped("b");
    assertThat(remove("a", null)).isEqualTo(new Removal.Done());
    assertThat(status().at("/encryptionStatus/healthReports")).hasSize(1);
    assertThat(remove("b", null)).isEqualTo(new Removal.Done());
    assertThat(status().at("/encryptionStatus/healthReports")).isEmpty();
  }

  @Test
  void entries_that_others_wrote_in_the_name_of_the_node_go_and_their_own_stay() {
    applyStatus(
        "somebody",
        """
        {"conditions":[{"type":"TheirsDegraded","status":"False",%s},
         {"type":"KMSHealthReporter_a","status":"True",%s}]}
        """
            .formatted(TIME, TIME));
    assertThat(remove("a", null)).isEqualTo(new Removal.Done());
    assertThat(status().path("conditions")).hasSize(1);
    assertThat(status().at("/conditions/0/type").asText()).isEqualTo("TheirsDegraded");
  }

  @Test
  void a_reporter_that_came_back_keeps_its_lease(@Cluster("helm") TestNamespace namespace) {
    var seen = lease(namespace, "a");
    renew(namespace, "a", "a_2");
    assertThat(remove("a", seen)).isEqualTo(new Removal.Unfinished("HTTP 409"));
    assertThat(plane.admin().get(leases(namespace)).orThrow().path("items")).hasSize(1);
  }

  private static void reports(String node) {
    applyStatus(
        ReportNames.fieldManager(node),
        "{\"conditions\":[{\"type\":\"KMSHealthReporter_%s\",\"status\":\"True\",%s}]}"
            .formatted(node, TIME));
  }

  private static void reportsTyped(String node) {
    applyStatus(
        ReportNames.fieldManager(node),
        """
        {"encryptionStatus":{"healthReports":[{"nodeName":"%s","keyID":"1","status":"Healthy",
         "lastCheckedTime":"2026-01-01T00:00:00Z","remoteKeyID":"kek"}]}}
        """
            .formatted(node));
  }

  private static void applyStatus(String manager, String status) {
    plane
        .admin()
        .apply(
            OBJECT + "/status",
            manager,
            """
            {"apiVersion":"mesh.openkcm.io/v1alpha1","kind":"KmsHealth","metadata":{"name":"cluster"},"status":%s}
            """
                .formatted(status))
        .orThrow();
  }

  private static JsonNode status() {
    return plane.admin().get(OBJECT).orThrow().path("status");
  }

  private static String leases(TestNamespace namespace) {
    return "/apis/coordination.k8s.io/v1/namespaces/%s/leases".formatted(namespace.name());
  }

  private static Lease lease(TestNamespace namespace, String node) {
    renew(namespace, node, node + "_1");
    return client
        .leases()
        .inNamespace(namespace.name())
        .withName(ReportNames.lease("kmshealth", node))
        .get();
  }

  private static void renew(TestNamespace namespace, String node, String holder) {
    var name = ReportNames.lease("kmshealth", node);
    plane
        .admin()
        .apply(
            leases(namespace) + "/" + name,
            ReportNames.fieldManager(node),
            """
            {"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"%s"},
             "spec":{"holderIdentity":"%s"}}
            """
                .formatted(name, holder))
        .orThrow();
  }
}
