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
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Edits that the server does not let an apply undo, and what it takes to undo them all the same.
 */
@ExtendWith(ControlPlaneExtension.class)
class ManagedFieldsIT {
  private static final Duration AT_MOST = Duration.ofSeconds(30);
  private static final String SERVICE =
      """
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      spec:
        selector: {app: web}
        ports:
        - {name: http, port: %d}
      """;
  private static final String DEPLOYMENT =
      """
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        replicas: 0
        strategy: {type: Recreate}
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec:
            containers:
            - name: web
              image: example.com/web:1
              env:
              - {name: LEVEL, value: "1"}
      """;

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

  private String service() {
    return release.in("/api/v1", "services/web");
  }

  private String deployment() {
    return release.in("/apis/apps/v1", "deployments/web");
  }

  /** The managers of kubectl's subcommands, of old kubectl, and of any other program. */
  @ParameterizedTest
  @ValueSource(strings = {"kubectl-edit", "kubectl", "some-script"})
  void a_port_that_was_edited_is_put_back_and_the_next_version_can_be_installed(String manager) {
    var chart = release.chart("1.0.0", SERVICE.formatted(80));
    release.install(chart);
    release.edit(
        manager,
        service(),
        "json-patch",
        "[{\"op\":\"replace\",\"path\":\"/spec/ports/0/port\",\"value\":8080}]");

    var inspectionResult = eventually(Scope.DRIFT_REPAIR, InspectionResult::hasDrift);

    assertThat(inspectionResult.changed())
        .containsExactly("Service/%s/web".formatted(release.namespace()));
    assertThat(inspectionResult.unchecked()).isEmpty();
    release.upgrade(chart);
    assertThat(ports()).isEqualTo("80");
    assertThat(release.inspectSynced(Scope.DRIFT_REPAIR).hasDrift()).isFalse();
    release.upgrade(release.chart("2.0.0", SERVICE.formatted(81)));
    assertThat(ports()).isEqualTo("81");
  }

  private String ports() {
    return String.join(",", release.get(service()).at("/spec/ports").findValuesAsText("port"));
  }

  @Test
  void a_process_that_dies_before_the_helm_run_leaves_what_the_next_one_finds() {
    var chart = release.chart("1.0.0", SERVICE.formatted(80));
    release.install(chart);
    release.edit(
        "kubectl-edit",
        service(),
        "json-patch",
        "[{\"op\":\"replace\",\"path\":\"/spec/ports/0/port\",\"value\":8080}]");
    eventually(Scope.DRIFT_REPAIR, InspectionResult::hasDrift);

    release.restart();

    assertThat(release.inspectSynced(Scope.DRIFT_REPAIR).changed()).hasSize(1);
    release.upgrade(chart);
    assertThat(ports()).isEqualTo("80");
  }

  @Test
  void items_and_exclusive_fields_that_people_left_in_a_drifted_object_go_and_labels_stay() {
    var chart = release.chart("1.0.0", DEPLOYMENT);
    release.install(chart);
    release.edit(
        "kubectl-rollout",
        deployment(),
        "strategic-merge-patch",
        """
        {"metadata":{"labels":{"team":"a"}},
         "spec":{"template":{"metadata":{"annotations":{"restartedAt":"now"}}}}}
        """);
    // Renamed, so that it is another variable for the server.
    release.edit(
        "kubectl-edit",
        deployment(),
        "json-patch",
        """
        [{"op":"replace","path":"/spec/template/spec/containers/0/env/0/name","value":"LEVELS"},
         {"op":"replace","path":"/spec/template/spec/containers/0/image","value":"evil"}]
        """);

    eventually(Scope.DRIFT_REPAIR, InspectionResult::hasDrift);
    release.upgrade(chart);

    var repaired = release.get(deployment());
    var container = repaired.at("/spec/template/spec/containers/0");
    assertThat(container.at("/image").asText()).isEqualTo("example.com/web:1");
    assertThat(container.at("/env").findValuesAsText("name")).containsExactly("LEVEL");
    assertThat(repaired.at("/metadata/labels/team").asText()).isEqualTo("a");
    assertThat(repaired.at("/spec/template/metadata/annotations/restartedAt").asText())
        .isEqualTo("now");

    release.edit(
        "kubectl-patch",
        deployment(),
        "strategic-merge-patch",
        """
        {"spec":{"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":5}}}}
        """);
    eventually(Scope.DRIFT_REPAIR, InspectionResult::hasDrift);
    release.upgrade(chart);
    assertThat(release.get(deployment()).at("/spec/strategy"))
        .as("a rollingUpdate is invalid beside Recreate")
        .hasToString("{\"type\":\"Recreate\"}");
    assertThat(eventually(Scope.DRIFT_REPAIR, it -> true).hasDrift()).isFalse();
  }

  @Test
  void what_cannot_be_changed_is_told_with_its_object_and_asked_about_ever_more_seldom() {
    release.install(release.chart("1.0.0", DEPLOYMENT));
    release.delete(deployment());
    var helms =
        """
        {"metadata":{"name":"web","labels":{"app.kubernetes.io/managed-by":"Helm"},
          "annotations":{"meta.helm.sh/release-name":"web","meta.helm.sh/release-namespace":"%s"}},
         "spec":{"replicas":0,"selector":{"matchLabels":{"app":"other"}},
          "template":{"metadata":{"labels":{"app":"other"}},
           "spec":{"containers":[{"name":"web","image":"secret-value"}]}}}}
        """
            .formatted(release.namespace());
    var deployments = release.in("/apis/apps/v1", "deployments");
    release.send("POST", deployments, "application/json", helms).orThrow();

    var inspectionResult = eventually(Scope.DRIFT_REPAIR, it -> !it.unchecked().isEmpty());

    assertThat(inspectionResult.hasDrift()).as("no repair can work").isFalse();
    assertThat(inspectionResult.unchecked())
        .singleElement()
        .returns(Cause.DRY_RUN_REFUSED, UncheckedObject::cause)
        .returns("Deployment/%s/web".formatted(release.namespace()), UncheckedObject::object)
        .satisfies(
            it ->
                assertThat(it.message())
                    .contains("HTTP 422", "spec.selector: field is immutable", "delete the object")
                    .doesNotContain("secret-value"));

    var asked = release.dryRuns();
    assertThat(release.inspect(Scope.DRIFT_REPAIR).unchecked()).hasSize(1);
    assertThat(release.dryRuns()).as("still in the pause").isEqualTo(asked);
    release.timePasses(Duration.ofSeconds(31));
    assertThat(release.inspect(Scope.DRIFT_REPAIR).unchecked()).hasSize(1);
    assertThat(release.dryRuns()).as("after it").isEqualTo(asked + 1);
    release.timePasses(Duration.ofSeconds(31));
    release.inspect(Scope.DRIFT_REPAIR);
    assertThat(release.dryRuns()).as("the next pause is longer").isEqualTo(asked + 1);
  }

  @Test
  void a_policy_that_denies_is_told_in_its_words() {
    release.install(release.chart("1.0.0", SERVICE.formatted(80)));
    var policies = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
    var bindings = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings";
    var name = release.namespace() + "-frozen";
    release.send("POST", policies, "application/json", policy(name, release.namespace())).orThrow();
    release
        .send(
            "POST",
            bindings,
            "application/json",
            """
            {"metadata":{"name":"%s"},"spec":{"policyName":"%s","validationActions":["Deny"]}}
            """
                .formatted(name, name))
        .orThrow();
    try {
      release.edit(
          "kubectl-label", service(), "merge-patch", "{\"metadata\":{\"labels\":{\"a\":\"1\"}}}");
      var round = new java.util.concurrent.atomic.AtomicInteger();
      var inspectionResult =
          await()
              .atMost(AT_MOST)
              .ignoreExceptions()
              .until(
                  () -> {
                    release.edit(
                        "kubectl-label",
                        service(),
                        "merge-patch",
                        "{\"metadata\":{\"labels\":{\"a\":\"%d\"}}}"
                            .formatted(round.incrementAndGet()));
                    return release.inspect(Scope.DRIFT_REPAIR);
                  },
                  it -> !it.unchecked().isEmpty());
      assertThat(inspectionResult.hasDrift()).isFalse();
      assertThat(inspectionResult.unchecked())
          .singleElement()
          .satisfies(
              it -> assertThat(it.toString()).contains("/web: HTTP 4", "frozen until Monday"));
    } finally {
      release.delete(bindings + "/" + name);
      release.delete(policies + "/" + name);
    }
  }

  /** Denies what our field manager writes, and nobody else. */
  private static String policy(String name, String namespace) {
    return """
    {"metadata":{"name":"%s"},
     "spec":{"matchConstraints":{
        "namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"%s"}},
        "resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["UPDATE"],
         "resources":["services"]}]},
      "validations":[{"expression":"!has(request.options.fieldManager) || request.options.fieldManager != 'krypton-drift'",
        "message":"frozen until Monday"}]}}
    """
        .formatted(name, namespace);
  }
}
