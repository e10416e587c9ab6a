// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.operator.release.ReleaseInspector.InspectionResult;
import io.krypton.operator.release.ReleaseInspector.Scope;
import io.krypton.operator.release.UncheckedObject;
import io.krypton.operator.release.UncheckedObject.Cause;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What an inspection says about the objects of a release on a real API server. */
@ExtendWith(ControlPlaneExtension.class)
class ClusterInventoryIT {
  private static final Duration AT_MOST = Duration.ofSeconds(30);

  private InspectedRelease release;

  @BeforeEach
  void open(@Cluster("helm") TestNamespace namespace, @TempDir Path directory) {
    release = new InspectedRelease(namespace, directory);
  }

  @AfterEach
  void close() {
    release.close();
  }

  private InspectionResult eventually(Scope scope, Predicate<InspectionResult> expected) {
    return await()
        .atMost(AT_MOST)
        .until(() -> release.inspect(scope), it -> it.complete() && expected.test(it));
  }

  private static String job(String name, String more) {
    return """
    ---
    apiVersion: batch/v1
    kind: Job
    metadata: {name: %s}
    spec:%s
      template:
        spec:
          restartPolicy: Never
          containers: [{name: c, image: x}]
    """
        .formatted(name, more);
  }

  private String jobPath(String name) {
    return release.in("/apis/batch/v1", "jobs/" + name);
  }

  /** The Job controller may write its status at the same time, and its start only once. */
  private void end(String job, String how) {
    await().atMost(AT_MOST).ignoreExceptions().until(() -> tryToEnd(job, how));
  }

  private boolean tryToEnd(String job, String how) {
    var now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    var start = release.get(jobPath(job)).at("/status/startTime").asText(now.toString());
    var condition =
        "{\"type\":\"%%s\",\"status\":\"True\",\"reason\":\"Tired\",\"lastTransitionTime\":\"%s\"}"
            .formatted(now);
    var complete = how.equals("Complete");
    var counts =
        complete ? "\"succeeded\":1,\"completionTime\":\"%s\"".formatted(now) : "\"failed\":1";
    release.edit(
        "kube-controller-manager",
        jobPath(job) + "/status",
        "merge-patch",
        """
        {"status":{"startTime":"%s","active":0,"ready":0,"terminating":0,%s,"conditions":[%s,%s]}}
        """
            .formatted(
                start,
                counts,
                condition.formatted(complete ? "SuccessCriteriaMet" : "FailureTarget"),
                condition.formatted(how)));
    return true;
  }

  @Test
  void a_job_that_has_done_its_work_may_be_gone() {
    release.install(
        release.chart(
            "1.0.0",
            job("ttl", "\n  ttlSecondsAfterFinished: 60") + job("done", "") + job("undone", "")));
    eventually(Scope.DRIFT, it -> it.pending().size() == 3);
    end("done", "Complete");
    eventually(Scope.DRIFT, it -> it.pending().size() == 2);

    for (var name : new String[] {"ttl", "done", "undone"}) {
      release.delete(jobPath(name) + "?propagationPolicy=Background");
    }
    var undone = "Job/%s/undone".formatted(release.namespace());

    assertThat(eventually(Scope.DRIFT, it -> it.pending().isEmpty()).missing())
        .containsExactly(undone);
    release.restart();
    assertThat(release.inspectSynced(Scope.DRIFT).missing())
        .as("what another process has seen")
        .containsExactly(undone);
  }

  @Test
  void a_job_that_failed_is_not_forgiven_because_its_time_to_live_is_over() {
    release.install(release.chart("1.0.0", job("ttl", "\n  ttlSecondsAfterFinished: 60")));
    eventually(Scope.DRIFT, it -> it.pending().size() == 1);
    end("ttl", "Failed");
    eventually(Scope.DRIFT, it -> !it.failed().isEmpty());
    release.delete(jobPath("ttl") + "?propagationPolicy=Background");

    await().atMost(AT_MOST).until(() -> !release.exists(jobPath("ttl")));
    release.restart();
    var inspectionResult = release.inspectSynced(Scope.DRIFT);
    assertThat(inspectionResult.missing()).isEmpty();
    assertThat(inspectionResult.failed()).containsExactly("Job/ttl (failed)");
  }

  private static final String CONFIG_MAP =
      """
      ---
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: settings}
      data: {a: "1"}
      """;

  private String configMap() {
    return release.in("/api/v1", "configmaps/settings");
  }

  @Test
  void without_drift_detection_nothing_is_compared() {
    release.install(release.chart("1.0.0", CONFIG_MAP + job("j", "")));
    release.edit("kubectl-edit", configMap(), "merge-patch", "{\"data\":{\"a\":\"2\"}}");
    release.edit("kubectl-edit", jobPath("j"), "merge-patch", "{\"spec\":{\"suspend\":true}}");

    var inspectionResult = release.inspectSynced(Scope.READINESS);

    assertThat(inspectionResult.hasDrift()).isFalse();
    assertThat(release.dryRuns()).isZero();
    assertThat(eventually(Scope.DRIFT, InspectionResult::hasDrift).changed())
        .as("with it")
        .hasSize(1);
    assertThat(release.dryRuns()).isPositive();
  }

  @Test
  void what_others_add_between_the_read_and_the_dry_run_is_no_drift() {
    release.install(release.chart("1.0.0", CONFIG_MAP));
    release.edit("kubectl-label", configMap(), "merge-patch", label("first"));
    release.beforeTheNextDryRun(
        () -> release.edit("kubectl-label", configMap(), "merge-patch", label("second")));

    var inspectionResult = eventually(Scope.DRIFT, it -> release.dryRuns() > 0);

    assertThat(inspectionResult.changed()).isEmpty();
    assertThat(release.dryRuns()).as("asked again").isGreaterThan(1);
  }

  private static String label(String value) {
    return "{\"metadata\":{\"labels\":{\"touched\":\"%s\"}}}".formatted(value);
  }

  @Test
  void an_annotation_that_is_changed_after_a_harmless_touch_is_drift() {
    release.install(
        release.chart(
            "1.0.0",
            """
            apiVersion: networking.k8s.io/v1
            kind: Ingress
            metadata: {name: web, annotations: {example.com/limit: "5"}}
            spec: {defaultBackend: {service: {name: web, port: {number: 80}}}}
            """));
    var ingress = release.in("/apis/networking.k8s.io/v1", "ingresses/web");
    release.edit("kubectl-label", ingress, "merge-patch", label("harmless"));
    assertThat(eventually(Scope.DRIFT, it -> release.dryRuns() == 1).hasDrift()).isFalse();

    release.edit(
        "kubectl-annotate",
        ingress,
        "merge-patch",
        "{\"metadata\":{\"annotations\":{\"example.com/limit\":\"500\"}}}");

    assertThat(eventually(Scope.DRIFT, InspectionResult::hasDrift).changed())
        .containsExactly("Ingress/%s/web".formatted(release.namespace()));
  }

  @Test
  void of_workloads_only_what_readiness_needs_is_kept() {
    var variables =
        IntStream.range(0, 500)
            .mapToObj("            - {name: VARIABLE_%d, value: some-value}"::formatted)
            .collect(Collectors.joining("\n"));
    release.install(
        release.chart(
            "1.0.0",
            """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web}
            spec:
              replicas: 3
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec:
                  containers:
                  - name: web
                    image: example.com/web:1
                    env:
            """
                + variables));
    var deployment = release.in("/apis/apps/v1", "deployments/web");
    assertThat(eventually(Scope.DRIFT, it -> !it.pending().isEmpty()).pending())
        .containsExactly("Deployment/web (0/3 available)");

    release.edit("kubectl-scale", deployment, "merge-patch", "{\"spec\":{\"replicas\":0}}");
    eventually(Scope.DRIFT, it -> it.pending().stream().noneMatch(shown -> shown.contains("/3")));

    var whole = release.get(deployment).toString().length();
    var kept = release.kept(new ObjectRef.Kind("apps/v1", "Deployment"), "deployments", "web");
    assertThat(whole).isGreaterThan(40_000);
    assertThat(kept).as("characters of the cached object, of %d", whole).isLessThan(2_000);
  }

  @Test
  void an_api_version_that_the_cluster_dropped_is_told_and_not_taken_for_a_missing_object() {
    var group = release.namespace() + ".example.com";
    var crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    release.send("POST", crds, "application/json", crd(group, true)).orThrow();
    try {
      await()
          .atMost(AT_MOST)
          .until(() -> release.exists("/apis/%s/v1alpha1/things".formatted(group)));
      release.install(
          release.chart(
              "1.0.0",
              CONFIG_MAP
                  + """
                  ---
                  apiVersion: %s/v1alpha1
                  kind: Thing
                  metadata: {name: t}
                  """
                      .formatted(group)));
      assertThat(release.inspectSynced(Scope.DRIFT).unchecked()).isEmpty();

      release
          .send(
              "PATCH",
              crds + "/things." + group,
              "application/json-patch+json",
              "[{\"op\":\"replace\",\"path\":\"/spec/versions/0/served\",\"value\":false}]")
          .orThrow();
      await()
          .atMost(AT_MOST)
          .until(() -> !release.exists("/apis/%s/v1alpha1/things".formatted(group)));

      for (var process = 1; process <= 2; process++) {
        var inspectionResult = eventually(Scope.DRIFT, it -> !it.unchecked().isEmpty());
        assertThat(inspectionResult.hasDrift()).isFalse();
        assertThat(inspectionResult.unchecked())
            .singleElement()
            .returns(Cause.API_VERSION_NOT_SERVED, UncheckedObject::cause)
            .returns("Thing/%s/t".formatted(release.namespace()), UncheckedObject::object)
            .satisfies(
                it ->
                    assertThat(it.message())
                        .contains(group + "/v1alpha1", "only " + group + "/v1"));
        release.restart();
      }
    } finally {
      release.delete(crds + "/things." + group);
    }
  }

  private static String crd(String group, boolean oldServed) {
    var version =
        """
        {"name":"%s","served":%s,"storage":%s,"schema":{"openAPIV3Schema":{"type":"object"}}}
        """;
    return """
    {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
     "metadata":{"name":"things.%s"},
     "spec":{"group":"%s","scope":"Namespaced",
      "names":{"plural":"things","singular":"thing","kind":"Thing","listKind":"ThingList"},
      "versions":[%s,%s]}}
    """
        .formatted(
            group,
            group,
            version.formatted("v1alpha1", oldServed, false),
            version.formatted("v1", true, true));
  }
}
