// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.RequestObserver;
import io.krypton.multicluster.event.EventRecorder.EventSource;
import io.krypton.operator.platform.Platform;
import io.krypton.operator.platform.Platform.PlatformState;
import io.krypton.operator.tls.distribution.TlsProfileSettings.Publish;
import io.krypton.operator.tls.profile.JvmTls;
import io.krypton.operator.tls.profile.OpenShiftTlsProfile.Adherence;
import io.krypton.operator.tls.profile.PredefinedProfiles;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.audit.ApiAudit;
import io.krypton.sandbox.audit.AuditTrail.AuditRecord;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class TlsProfileControllerIT {
  private static final String MODERN = "{\"tlsSecurityProfile\":{\"type\":\"Modern\"}}";
  private static final String INTERMEDIATE = "{\"tlsSecurityProfile\":{\"type\":\"Intermediate\"}}";
  private static final String CONSUMER = "{\"mesh.openkcm.io/tls-profile\":\"consume\"}";
  private static final String OPERATOR =
      "{\"mesh.openkcm.io/tls-profile\":\"consume\",\"app.kubernetes.io/component\":\"operator\"}";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final ClientFactory CLIENTS = new ClientFactory(RequestObserver.none());
  private static ControlPlane plane;
  private static KubernetesClient client;
  private static OpenShiftCluster cluster;

  private final AtomicReference<PlatformState> platform =
      new AtomicReference<>(new PlatformState.Detected(Platform.OPENSHIFT));
  private final AtomicLong passes = new AtomicLong();

  @BeforeAll
  static void install(@Cluster("openshift") ControlPlane openshift) {
    plane = openshift;
    client = OpenShiftCluster.connect(CLIENTS, plane.adminKubeconfig());
    cluster = new OpenShiftCluster(plane);
    cluster.install(client);
  }

  @AfterAll
  static void close() {
    client.close();
    CLIENTS.close();
  }

  @Test
  void a_new_profile_is_published_read_back_and_only_then_rolled_out(
      @Cluster("openshift") TestNamespace namespace, @Cluster("openshift") TestNamespace elsewhere)
      throws Exception {
    var ns = namespace.name();
    cluster.profile(INTERMEDIATE);
    cluster.deployment(ns, "a-operator", OPERATOR);
    cluster.deployment(ns, "web", CONSUMER);
    cluster.deployment(ns, "plain", "{}");
    cluster.deployment(elsewhere.name(), "web", CONSUMER);
    try (var controller = start(ns, Publish.AUTO)) {
      assertThat(controller.isAlive()).isTrue();
      awaitHash(ns, PredefinedProfiles.INTERMEDIATE.hash());
      var web = cluster.deployment(ns, "web");
      assertThat(web.at("/spec/template/spec/containers/0/env").toString())
          .contains("{\"name\":\"IS_OPENSHIFT\",\"value\":\"true\"}")
          .contains("{\"name\":\"KRYPTON_PLATFORM\",\"value\":\"openshift\"}")
          .contains("{\"name\":\"KRYPTON_TLS_PROFILE_SOURCE\",\"value\":\"file\"}")
          .contains("{\"name\":\"KRYPTON_METRICS_AUTH\",\"value\":\"delegated\"}")
          .contains("{\"name\":\"OWN\",\"value\":\"x\"}");
      assertThat(web.at("/spec/template/spec/containers/1/env").isMissingNode()).isTrue();
      assertThat(web.at("/spec/template/spec/volumes").size()).isEqualTo(2);
      assertThat(web.at("/metadata/generation").asInt()).isEqualTo(2);

      var mark = plane.audit().mark();
      cluster.profile(MODERN);
      awaitHash(ns, PredefinedProfiles.MODERN.hash());

      assertThat(cluster.configMap(ns).at("/data/profile.json").asText())
          .isEqualTo(PredefinedProfiles.MODERN.canonicalJson());
      var steps =
          plane.audit().since(mark).records().stream()
              .filter(it -> it.userAgent().startsWith("krypton-test"))
              .filter(it -> Set.of("configmaps", "deployments").contains(it.resource()))
              .filter(it -> !it.name().isEmpty() && !it.verb().equals("watch"))
              .map(it -> "%s %s".formatted(it.verb(), it.name()))
              .toList();
      assertThat(steps)
          .containsSubsequence(
              "patch krypton-tls-profile",
              "get krypton-tls-profile",
              "patch web",
              "patch a-operator");
      assertThat(steps.stream().filter("patch web"::equals)).hasSize(1);
      assertThat(steps).doesNotContain("patch plain");
      assertThat(cluster.deployment(ns, "plain").at("/metadata/generation").asInt()).isEqualTo(1);
      assertThat(cluster.deployment(elsewhere.name(), "web").at("/metadata/generation").asInt())
          .isEqualTo(1);
      for (var condition :
          List.of(
              "PlatformDetected=True/OpenShift",
              "TLSProfilePublished=True/AsExpected",
              "TLSProfileNarrowed=False/AsExpected",
              "TLSProfileDegraded=False/AsExpected")) {
        awaitCondition(condition);
      }

      whatChangesNothingCostsNothing(ns);
      aProfileThatMakesNoSenseLeavesThePublishedOne(ns);
      whoLosesTheLabelIsGivenBack(ns);
    }
  }

  /** An unrelated field, then other words for the same profile. */
  private void whatChangesNothingCostsNothing(String ns) {
    awaitRest();
    var mark = plane.audit().mark();
    for (var same :
        List.of(
            "{\"tlsSecurityProfile\":{\"type\":\"Modern\"},\"audit\":{\"profile\":\"None\"}}",
            "{\"tlsSecurityProfile\":{\"type\":\"Custom\",\"custom\":%s}}"
                .formatted(PredefinedProfiles.MODERN.canonicalJson()))) {
      var before = passes.get();
      cluster.profile(same);
      await().atMost(PATIENCE).until(() -> passes.get() > before);
    }
    awaitRest();
    assertThat(since(mark, "get").stream().filter(it -> it.resource().equals("apiservers")))
        .as("both were looked at")
        .hasSizeGreaterThanOrEqualTo(2);
    assertThat(since(mark, "patch", "create", "update", "delete", "deletecollection"))
        .as("nothing is written, in no namespace and to no object of the cluster")
        .isEmpty();
    assertThat(cluster.deployment(ns, "web").at("/metadata/generation").asInt()).isEqualTo(3);
  }

  /** Until no pass has ended for a while: writes of our own bring events, and so passes. */
  private void awaitRest() {
    var last = new AtomicLong(-1);
    await()
        .during(Duration.ofSeconds(3))
        .atMost(PATIENCE)
        .until(
            () -> {
              var now = passes.get();
              return last.getAndSet(now) == now;
            });
  }

  private void aProfileThatMakesNoSenseLeavesThePublishedOne(String ns) {
    for (var bad :
        List.of(
            "{\"tlsSecurityProfile\":{\"type\":\"Newest\"}}",
            "{\"tlsSecurityProfile\":{\"type\":\"Custom\"}}",
            "{\"tlsSecurityProfile\":{\"type\":\"Custom\",\"custom\":{\"ciphers\":[\"RC4-SHA\"]}}}",
            "{\"tlsSecurityProfile\":{\"type\":\"Custom\",\"custom\":{\"groups\":[\"X25519MLKEM768\"]}}}",
            "{\"tlsSecurityProfile\":{\"type\":\"Custom\",\"custom\":{\"minTLSVersion\":\"VersionTLS99\"}}}")) {
      cluster.profile(bad);
      awaitCondition("TLSProfileDegraded=True/TLSProfileInvalid");
      assertThat(cluster.conditions()).contains("TLSProfilePublished=True/AsExpected");
      assertThat(cluster.configMap(ns).at("/data/profile.json").asText())
          .isEqualTo(PredefinedProfiles.MODERN.canonicalJson());
      cluster.profile(MODERN);
      awaitCondition("TLSProfileDegraded=False/AsExpected");
    }
    assertThat(cluster.deployment(ns, "web").at("/metadata/generation").asInt()).isEqualTo(3);
    cluster.profile("{\"tlsSecurityProfile\":{\"type\":\"Old\"}}");
    awaitCondition("TLSProfileNarrowed=True/JVMLimits");
    assertThat(cluster.conditions()).contains("TLSProfileDegraded=False/AsExpected");
    cluster.profile(
        "{\"tlsSecurityProfile\":{\"type\":\"Custom\",\"custom\":{\"minTLSVersion\":\"VersionTLS12\",\"ciphers\":[\"ECDHE-RSA-AES128-GCM-SHA256\",\"ECDHE-ECDSA-AES128-GCM-SHA256\",\"AES128-SHA\"]}}}");
    awaitCondition("TLSProfileDegraded=True/TLSProfileNotFullyHonored");
  }

  private void whoLosesTheLabelIsGivenBack(String ns) {
    client
        .apps()
        .deployments()
        .inNamespace(ns)
        .withName("web")
        // The controller may be writing it, too.
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"metadata\":{\"labels\":{\"mesh.openkcm.io/tls-profile\":null}}}");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              var web = cluster.deployment(ns, "web");
              assertThat(OpenShiftCluster.hashOf(web)).isEmpty();
              assertThat(web.at("/spec/template/spec/volumes").isMissingNode()).isTrue();
              assertThat(web.at("/spec/template/spec/containers/0/env").size()).isEqualTo(1);
            });
  }

  @Test
  void what_an_earlier_leader_left_half_done_is_finished_with_one_roll(
      @Cluster("openshift") TestNamespace namespace) throws Exception {
    var ns = namespace.name();
    cluster.profile(MODERN);
    cluster.deployment(ns, "web", CONSUMER);
    // As if it had ended between the ConfigMap and the Deployments.
    new TlsProfileClient(client, ns)
        .apply(TlsProfileConfigMap.of(ns, PredefinedProfiles.MODERN, Platform.OPENSHIFT));
    try (var controller = start(ns, Publish.AUTO)) {
      assertThat(controller.isAlive()).isTrue();
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  OpenShiftCluster.hashOf(cluster.deployment(ns, "web"))
                      .equals(PredefinedProfiles.MODERN.hash()));
    }
    try (var next = start(ns, Publish.AUTO)) {
      assertThat(next.isAlive()).isTrue();
      assertThat(cluster.deployment(ns, "web").at("/metadata/generation").asInt()).isEqualTo(2);
      // An edit by hand is reverted, and costs no roll.
      plane
          .admin()
          .apply(
              "/api/v1/namespaces/%s/configmaps/krypton-tls-profile".formatted(ns),
              "somebody",
              "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"krypton-tls-profile\"},\"data\":{\"profile.json\":\"{}\"}}")
          .orThrow();
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  cluster
                      .configMap(ns)
                      .at("/data/profile.json")
                      .asText()
                      .equals(PredefinedProfiles.MODERN.canonicalJson()));
      assertThat(cluster.deployment(ns, "web").at("/metadata/generation").asInt()).isEqualTo(2);
      p5ADetectionThatFlipsChangesNothing(ns, next);
    }
  }

  private void p5ADetectionThatFlipsChangesNothing(String ns, TlsProfileController controller) {
    platform.set(new PlatformState.Unknown("no answer in time"));
    controller.onPlatformChange();
    awaitCondition("PlatformDetected=Unknown/DetectionFailed");
    platform.set(new PlatformState.Detected(Platform.KUBERNETES));
    controller.onPlatformChange();
    awaitCondition("PlatformDetected=False/PlatformFlip");
    assertThat(cluster.deployment(ns, "web").at("/metadata/generation").asInt()).isEqualTo(2);
    platform.set(new PlatformState.Configured(Platform.KUBERNETES));
    controller.onPlatformChange();
    awaitCondition("PlatformDetected=True/Kubernetes");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(cluster.deployment(ns, "web").toString())
                    .contains("{\"name\":\"KRYPTON_TLS_PROFILE_SOURCE\",\"value\":\"none\"}"));
    awaitCondition("TLSProfilePublished=False/NotRequested");
  }

  @Test
  void a_config_map_that_cannot_be_written_rolls_nobody(
      @Cluster("openshift") TestNamespace namespace) throws Exception {
    var ns = namespace.name();
    cluster.profile(MODERN);
    plane
        .admin()
        .post(
            "/api/v1/namespaces/%s/configmaps".formatted(ns),
            "{\"metadata\":{\"name\":\"krypton-tls-profile\"},\"immutable\":true,\"data\":{\"profile.json\":\"{}\"}}")
        .orThrow();
    cluster.deployment(ns, "web", CONSUMER);
    try (var controller = start(ns, Publish.AUTO)) {
      assertThat(controller.isAlive()).isTrue();
      awaitCondition("TLSProfilePublished=False/WriteFailed");
      assertThat(cluster.deployment(ns, "web").at("/metadata/generation").asInt()).isEqualTo(1);
    }
  }

  @Test
  void a_config_map_that_arrives_altered_rolls_nobody_until_it_is_what_was_written(
      @Cluster("openshift") TestNamespace namespace) throws Exception {
    var ns = namespace.name();
    cluster.profile(MODERN);
    cluster.deployment(ns, "web", CONSUMER);
    cluster.alterConfigMaps(ns);
    var mark = plane.audit().mark();
    try (var controller = start(ns, Publish.AUTO)) {
      assertThat(controller.isAlive()).isTrue();
      awaitCondition("TLSProfilePublished=False/ReadBackMismatch");
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(passes.get()).as("tried again").isGreaterThan(1));
      assertThat(since(mark, "patch")).anyMatch(it -> it.name().equals("krypton-tls-profile"));
      assertThat(since(mark, "patch")).noneMatch(it -> it.resource().equals("deployments"));
      assertThat(cluster.deployment(ns, "web").at("/metadata/generation").asInt()).isEqualTo(1);
      cluster.leaveConfigMapsAlone(ns);
      await()
          .atMost(PATIENCE.multipliedBy(3))
          .until(
              () ->
                  OpenShiftCluster.hashOf(cluster.deployment(ns, "web"))
                      .equals(PredefinedProfiles.MODERN.hash()));
      awaitCondition("TLSProfilePublished=True/AsExpected");
    } finally {
      cluster.leaveConfigMapsAlone(ns);
    }
  }

  private TlsProfileController start(String namespace, Publish publish)
      throws InterruptedException {
    var controller =
        new TlsProfileController(
            new TlsProfileSettings(
                namespace,
                publish,
                Adherence.ALWAYS,
                Optional.empty(),
                "delegated",
                Duration.ofMinutes(10)),
            new EventSource("krypton-tls-profile", "mesh.openkcm.io/krypton-tls-profile", "test"),
            platform::get,
            JvmTls.current(),
            (key, reconcileResult, waited, took) -> passes.incrementAndGet());
    controller.attach(client);
    controller.resume(() -> true);
    return controller;
  }

  private void awaitHash(String namespace, String hash) {
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                OpenShiftCluster.hashOf(cluster.deployment(namespace, "a-operator")).equals(hash));
    assertThat(OpenShiftCluster.hashOf(cluster.deployment(namespace, "web"))).isEqualTo(hash);
  }

  private static void awaitCondition(String condition) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(cluster.conditions()).contains(condition));
  }

  private static List<AuditRecord> since(ApiAudit.Mark mark, String... verbs) {
    return plane
        .audit()
        .since(mark)
        .only(it -> Set.of(verbs).contains(it.verb()))
        .only(it -> it.userAgent().startsWith("krypton-test"))
        .records();
  }
}
