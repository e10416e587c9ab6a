// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.process.ReservedPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the accounts of the installed chart may do and what not, by real tokens: the operator's own,
 * and those that kubelets get for reporters.
 */
@ExtendWith(ControlPlaneExtension.class)
class ChartRightsIT {
  private static final String NAMESPACE = "fleet";
  private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/%s/leases";
  private static final String STATUS = "/apis/mesh.openkcm.io/v1alpha1/kmshealths/cluster/status";
  private static final String MANAGER = "kms-health-reporter-rights-0";
  private static final int PERIODS_OF_STALENESS = 2;
  private static final int RENEWALS_PER_PERIOD = 4;

  private static ControlPlane plane;

  private static OperatorChart chart;
  private static String reporterToken = "";

  @TempDir Path directory;

  @BeforeAll
  static void install(@Cluster("charted") ControlPlane shared, @TempDir Path files)
      throws Exception {
    plane = shared;
    chart =
        OperatorChart.install(
            files,
            plane,
            NAMESPACE,
            "discovery.namespace=" + NAMESPACE,
            "reporter.enabled=true",
            "operator.controllers=kmshealth",
            "operator.selfCluster=never",
            "operator.logFormat=text");
    var kms = KmsObject.kmsHealth(plane);
    eventually("the type is served", kms::create);
    kms.applyStatus(
            "others",
            "{\"conditions\":[%s],\"nodesHealthy\":\"3/3\"}"
                .formatted(condition("KMSHealthReporter_rights-1").replace("True", "False")))
        .orThrow();
    reporterToken = chart.reporterToken("rights-0");
    // Rights and policies reach the API server's caches a moment later.
    try (var reporter = new BearerApi(plane, reporterToken)) {
      eventually(
          "rights and policies are known",
          () -> {
            // Another type and manager each time: what got through before changes nothing later.
            var probe = "Probe" + System.nanoTime();
            assertThat(status(reporter, probe, "{\"conditions\":[%s]}".formatted(condition(probe))))
                .returns(422, BearerApi.Reply::status);
            refused(
                lease(reporter, "krypton-system", "kms-kmshealth-probe", "{}"), "its own Lease");
          });
    }
  }

  @Test
  void a_reporter_with_default_flags_is_seen_by_the_operator_of_the_chart() throws Exception {
    var arguments = new ArrayList<>(chart.arguments());
    arguments.add("--data-dir=" + directory.resolve("data"));
    var token = chart.reporterToken("seen-0");
    var kubeconfig = Files.writeString(directory.resolve("reporter"), kubeconfig(token));
    Fleet.register(plane, NAMESPACE, "charted", kubeconfig(chart.operatorToken()));
    var kms = KmsObject.kmsHealth(plane);
    kms.merge("{\"spec\":{\"expectedNodes\":{\"names\":[\"seen-0\"]}}}");
    try (var port = ReservedPort.any();
        var reporter = ReporterNode.start(directory, "seen-0", kubeconfig, port.number());
        var operator =
            Operator.start(
                directory, kubeconfig(chart.operatorToken()), arguments.toArray(String[]::new))) {
      var renewals = new HashSet<String>();
      eventually(
          "several periods of staleness pass",
          () -> {
            var lease =
                plane.admin().get(LEASES.formatted("krypton-system") + "/kms-kmshealth-seen-0");
            renewals.add(lease.orThrow().at("/spec/renewTime").asText());
            assertThat(renewals)
                .as(reporter.log())
                .hasSizeGreaterThan(PERIODS_OF_STALENESS * RENEWALS_PER_PERIOD);
          });

      // The report itself was last written long ago: only its Lease can be what is so young.
      eventually(
          "well, by what the Lease says",
          () -> {
            assertThat(kms.read().at("/status/nodesHealthy").asText())
                .as(operator.log())
                .isEqualTo("1/1");
            assertThat(operator.metrics("/metrics").body())
                .containsPattern("krypton_kms_evidence_age_seconds\\{[^}]*node=\"seen-0\"");
            assertThat(operator.metric("krypton_kms_evidence_age_seconds", "node=\"seen-0\""))
                .isLessThan(RENEWALS_PER_PERIOD);
          });
      assertThat(plane.admin().get(LEASES.formatted(NAMESPACE)).orThrow().path("items"))
          .as("the leader's Lease is alone in the operator's namespace")
          .hasSize(1);
    }
  }

  @Test
  void a_reporter_writes_the_lease_of_its_node_and_no_other() throws Exception {
    plane
        .admin()
        .apply(
            LEASES.formatted("krypton-system") + "/krypton-operator",
            "leader",
            leaseBody("krypton-operator", "{\"mesh.openkcm.io/kms-target\":\"kmshealth\"}", "a_1"))
        .orThrow();
    try (var reporter = new BearerApi(plane, reporterToken);
        var loose = new BearerApi(plane, chart.looseReporterToken())) {
      var ours = "kms-kmshealth-rights-0";
      assertThat(lease(reporter, "krypton-system", ours, "{}").status()).isEqualTo(201);
      assertThat(lease(reporter, "krypton-system", ours, "{}").status()).isEqualTo(200);

      refused(
          lease(reporter, "krypton-system", "krypton-operator", "{}"),
          "its own Lease kms-kmshealth-rights-0");
      refused(lease(reporter, "krypton-system", "kms-kmshealth-rights-1", "{}"), "its own Lease");
      refused(lease(reporter, NAMESPACE, "krypton-operator", "{}"), "cannot patch");
      refused(lease(reporter, "kube-system", "kube-scheduler", "{}"), "cannot patch");
      refused(
          lease(reporter, "krypton-system", ours, "{\"finalizers\":[\"a.example/b\"]}"),
          "finalizers");
      refused(
          reporter.apply(
              LEASES.formatted("krypton-system") + "/" + ours,
              MANAGER,
              leaseBody(ours, "{}", "rights-0_1")),
          "mesh.openkcm.io/kms-target");
      refused(
          reporter.apply(
              LEASES.formatted("krypton-system") + "/" + ours,
              MANAGER,
              leaseBody(ours, "{\"mesh.openkcm.io/kms-target\":\"kmshealth\"}", "rights-1_1")),
          "holderIdentity");
      refused(
          reporter.post(
              LEASES.formatted("krypton-system"),
              leaseBody(
                  "kms-kmshealth-rights-2",
                  "{\"mesh.openkcm.io/kms-target\":\"kmshealth\"}",
                  "rights-0_1")),
          "its own Lease");
      refused(lease(loose, "krypton-system", ours, "{}"), "unknown");
      assertThat(status(loose, own()).status()).isEqualTo(422);
    }
  }

  @Test
  void a_node_whose_name_is_too_long_for_a_lease_is_told_so() throws Exception {
    try (var reporter = new BearerApi(plane, chart.reporterToken("n".repeat(243)))) {
      refused(
          lease(reporter, "krypton-system", "kms-kmshealth-" + "0".repeat(64), "{}"),
          "too long to be part of a Lease's name");
    }
  }

  @Test
  void a_reporter_changes_its_own_entries_and_nothing_else() throws Exception {
    try (var reporter = new BearerApi(plane, reporterToken)) {
      assertThat(status(reporter, own()).status()).isEqualTo(200);
      for (var foreign :
          List.of(
              "{\"conditions\":[%s]}".formatted(condition("KMSHealthReporter_rights-1")),
              "{\"conditions\":[%s]}".formatted(condition("KMSPluginsDegraded")),
              "{\"nodesHealthy\":\"0/0\"}",
              "{\"writeKeyID\":\"9\"}")) {
        assertThat(status(reporter, foreign).status()).as(foreign).isEqualTo(422);
      }
    }
  }

  /** One for each line: verb, group, resource, name, namespace. */
  @ParameterizedTest
  @CsvSource({
    "get,coordination.k8s.io,leases,krypton-operator,fleet",
    "update,coordination.k8s.io,leases,krypton-operator,fleet",
    "create,coordination.k8s.io,leases,'',fleet",
    "list,coordination.k8s.io,leases,'',krypton-system",
    "watch,coordination.k8s.io,leases,'',krypton-system",
    "delete,coordination.k8s.io,leases,kms-kmshealth-x,krypton-system",
    "get,apiextensions.k8s.io,customresourcedefinitions,tenants.mesh.openkcm.io,''",
    "update,apiextensions.k8s.io,customresourcedefinitions,kmshealths.mesh.openkcm.io,''",
    "create,apiextensions.k8s.io,customresourcedefinitions,'',''",
    "watch,config.openshift.io,clusteroperators,kube-apiserver,''",
    "delete,config.openshift.io,clusteroperators,authentication,''",
    "patch,config.openshift.io,clusteroperators/status,openshift-apiserver,''",
    "patch,operator.openshift.io,kubeapiservers/status,cluster,''",
    "watch,operator.openshift.io,authentications,cluster,''",
    "watch,mesh.openkcm.io,kmshealths,cluster,''",
    "patch,mesh.openkcm.io,kmshealths/status,cluster,''",
    "watch,mesh.openkcm.io,tenants,'',''",
    "list,'',secrets,'',''",
    "watch,'',nodes,'',''",
    "create,'',events,'',default",
  })
  void the_operator_may(String verb, String group, String resource, String name, String namespace)
      throws Exception {
    eventually(
        "allowed", () -> assertThat(mayOperator(verb, group, resource, name, namespace)).isTrue());
  }

  @ParameterizedTest
  @CsvSource({
    "list,coordination.k8s.io,leases,'',''",
    "watch,coordination.k8s.io,leases,'',''",
    "list,coordination.k8s.io,leases,'',fleet",
    "delete,coordination.k8s.io,leases,krypton-operator,fleet",
    "update,coordination.k8s.io,leases,another,fleet",
    "update,coordination.k8s.io,leases,kube-scheduler,kube-system",
    "get,coordination.k8s.io,leases,node-1,kube-node-lease",
    "create,coordination.k8s.io,leases,'',krypton-system",
    "patch,coordination.k8s.io,leases,kms-kmshealth-x,krypton-system",
    "list,apiextensions.k8s.io,customresourcedefinitions,'',''",
    "get,apiextensions.k8s.io,customresourcedefinitions,others.example.com,''",
    "update,apiextensions.k8s.io,customresourcedefinitions,others.example.com,''",
    "delete,apiextensions.k8s.io,customresourcedefinitions,tenants.mesh.openkcm.io,''",
    "list,config.openshift.io,clusteroperators,'',''",
    "get,config.openshift.io,clusteroperators,etcd,''",
    "delete,config.openshift.io,clusteroperators,etcd,''",
    "patch,config.openshift.io,clusteroperators/status,etcd,''",
    "patch,operator.openshift.io,kubeapiservers,cluster,''",
    "patch,operator.openshift.io,kubeapiservers/status,other,''",
    "patch,mesh.openkcm.io,kmshealths,cluster,''",
    "delete,mesh.openkcm.io,kmshealths,cluster,''",
    "create,'',pods,'',default",
    "create,'',serviceaccounts/token,'',fleet",
    "impersonate,'',users,admin,''",
    "create,rbac.authorization.k8s.io,clusterrolebindings,'',''",
    "escalate,rbac.authorization.k8s.io,clusterroles,'',''",
    "update,admissionregistration.k8s.io,validatingadmissionpolicies,'',''",
    "patch,apps,deployments,coredns,kube-system",
  })
  void the_operator_may_not(
      String verb, String group, String resource, String name, String namespace) throws Exception {
    assertThat(mayOperator(verb, group, resource, name, namespace)).isFalse();
  }

  private static boolean mayOperator(
      String verb, String group, String resource, String name, String namespace)
      throws IOException, InterruptedException {
    var parts = resource.split("/", -1);
    try (var operator = new BearerApi(plane, chart.operatorToken())) {
      var review =
          operator.post(
              "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
              """
              {"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview",
               "spec":{"resourceAttributes":{"verb":"%s","group":"%s","resource":"%s",
                "subresource":"%s","name":"%s","namespace":"%s"}}}
              """
                  .formatted(
                      verb, group, parts[0], parts.length > 1 ? parts[1] : "", name, namespace));
      assertThat(review.status()).as(review.message()).isEqualTo(201);
      return review.body().at("/status/allowed").asBoolean();
    }
  }

  private static void refused(BearerApi.Reply reply, String why) {
    assertThat(reply.status()).as(reply.message()).isEqualTo(403);
    assertThat(reply.message()).contains(why);
  }

  private static BearerApi.Reply status(BearerApi reporter, String status)
      throws IOException, InterruptedException {
    return status(reporter, MANAGER, status);
  }

  private static BearerApi.Reply status(BearerApi reporter, String manager, String status)
      throws IOException, InterruptedException {
    return reporter.apply(
        STATUS,
        manager,
        """
        {"apiVersion":"mesh.openkcm.io/v1alpha1","kind":"KmsHealth","metadata":{"name":"cluster"},
         "status":%s}
        """
            .formatted(status));
  }

  private static BearerApi.Reply lease(
      BearerApi reporter, String namespace, String name, String metadata)
      throws IOException, InterruptedException {
    var body = leaseBody(name, "{\"mesh.openkcm.io/kms-target\":\"kmshealth\"}", "rights-0_1");
    var more = metadata.equals("{}") ? "" : "," + metadata.substring(1, metadata.length() - 1);
    return reporter.apply(
        LEASES.formatted(namespace) + "/" + name,
        MANAGER,
        body.replace("\"name\":\"%s\"".formatted(name), "\"name\":\"%s\"%s".formatted(name, more)));
  }

  private static String leaseBody(String name, String labels, String holder) {
    return """
    {"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"%s","labels":%s},
     "spec":{"holderIdentity":"%s","leaseDurationSeconds":120}}
    """
        .formatted(name, labels, holder);
  }

  private static String own() {
    return "{\"conditions\":[%s]}".formatted(condition("KMSHealthReporter_rights-0"));
  }

  private static String condition(String type) {
    return """
    {"type":"%s","status":"True","reason":"Test","message":"","lastTransitionTime":"2026-05-08T12:00:00Z"}
    """
        .formatted(type);
  }

  private static String kubeconfig(String token) {
    return Fleet.kubeconfig(plane, token) + "current-context: x\n";
  }
}
