// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.access.KubeApi;
import io.krypton.sandbox.access.KubeApi.ApiResponse;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A reporter on OpenShift, by its certificate, with the rights of the example and the chart's
 * admission policy: the operators that it reports to keep everything that is theirs.
 */
@ExtendWith(ControlPlaneExtension.class)
class OpenShiftConfinementIT {
  private static final Path CRDS = Shell.ROOT.resolve("e2e/src/test/resources/openshift");
  private static final String GROUP = "operator.openshift.io/v1";
  private static final String MANAGER = "kms-health-reporter-master-0";

  private static ControlPlane plane;

  private static KubeApi reporter;

  /** Where a status has its typed reports, and a field beside them that is not a reporter's. */
  enum Target {
    KubeAPIServer("%s", "\"latestAvailableRevision\":%d"),
    OpenShiftAPIServer("%s", "\"latestAvailableRevision\":%d"),
    Authentication(
        "\"oauthAPIServer\":{%s}", "\"oauthAPIServer\":{\"latestAvailableRevision\":%d}");

    private final String outer;
    private final String revision;

    Target(String outer, String revision) {
      this.outer = outer;
      this.revision = revision;
    }

    KmsObject object() {
      return new KmsObject(plane, GROUP, name(), plural(), "cluster");
    }

    private String plural() {
      return name().toLowerCase(Locale.ROOT) + "s";
    }

    String revision(int number) {
      return "{%s}".formatted(revision.formatted(number));
    }

    String reports(String node) {
      return "{%s}"
          .formatted(
              outer.formatted("\"encryptionStatus\":{\"healthReports\":[" + entry(node) + "]}"));
    }

    String encryption(String field) {
      return "{%s}".formatted(outer.formatted("\"encryptionStatus\":{" + field + "}"));
    }
  }

  @BeforeAll
  static void prepare(@Cluster("confined") ControlPlane shared) throws IOException {
    plane = shared;
    for (var file :
        new String[] {
          "examples/kms-reporter/rbac-openshift.yaml",
          "charts/krypton-operator/files/reporter/admission-policy.yaml"
        }) {
      for (var document : Files.readString(Shell.ROOT.resolve(file)).split("(?m)^---\n")) {
        apply(document);
      }
    }
    reporter =
        new KubeApi(plane.access("system:krypton:kms-reporter:master-0", "krypton:kms-reporters"));
    for (var target : Target.values()) {
      var object = target.object();
      KmsObject.define(plane, CRDS.resolve(object.plural() + ".yaml"));
      eventually("served", object::create);
      object
          .applyStatus(
              "platform",
              "{\"conditions\":[%s,%s]}"
                  .formatted(
                      condition("NodeInstallerDegraded"), condition("KMSHealthReporter_master-1")))
          .orThrow();
      object.applyStatus("reporter-1", target.reports("master-1")).orThrow();
      object.applyStatus("revisions", target.revision(3)).orThrow();
      // Rights and policies reach the API server's caches a moment later.
      eventually(
          "the policy is known",
          () -> {
            // Another type and manager each time: what got through before changes nothing later.
            var probe = "Probe" + System.nanoTime();
            var body = body(target, ",\"status\":" + conditions(probe));
            assertThat(reporter.apply(object.path() + "/status", probe, body).status())
                .isEqualTo(422);
          });
    }
  }

  @AfterAll
  static void close() {
    reporter.close();
  }

  @ParameterizedTest
  @EnumSource
  void its_own_condition_and_entries_come_and_go(Target target) {
    var before = target.object().read().path("status");

    assertThat(
            status(
                    target,
                    "{\"conditions\":[%s]}".formatted(condition("KMSHealthReporter_master-0")))
                .status())
        .isEqualTo(200);
    assertThat(status(target, target.reports("master-0")).status()).isEqualTo(200);
    assertThat(target.object().read().path("status").toString()).contains("master-0");
    assertThat(apply(target, "").status()).isEqualTo(200);

    assertThat(target.object().read().path("status")).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void nothing_of_others_can_be_changed(Target target) {
    var before = target.object().read().path("status");

    refused(status(target, conditions("NodeInstallerDegraded")), "KMSHealthReporter_master-0");
    refused(status(target, conditions("KMSHealthReporter_master-1")), "KMSHealthReporter_master-0");
    refused(status(target, conditions("AnythingDegraded")), "KMSHealthReporter_master-0");
    var foreign = target.reports("master-1").replace("Healthy", "Error");
    refused(status(target, foreign), "health reports of node master-0");
    refused(status(target, target.reports("master-2")), "health reports of node master-0");
    refused(status(target, target.revision(9)), "latestAvailableRevision");

    assertThat(target.object().read().path("status")).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource({"platform", "reporter-1", "revisions"})
  void nothing_of_others_can_be_dropped_in_their_name(String manager) {
    for (var target : Target.values()) {
      var answer = reporter.apply(target.object().path() + "/status", manager, body(target, ""));
      assertThat(answer.status()).as(answer.body().toString()).isEqualTo(422);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"something\":{\"new\":1}}|something",
        "{\"managementState\":\"x\"}|managementState"
      })
  void nor_can_fields_that_nobody_knows_yet(String status, String field) {
    refused(status(Target.OpenShiftAPIServer, status), "status." + field);
  }

  @ParameterizedTest
  @EnumSource(names = {"OpenShiftAPIServer", "Authentication"})
  void nor_what_stands_beside_the_reports(Target target) {
    refused(
        status(target, target.encryption("\"preflight\":{\"a\":1}")),
        "preflight of encryptionStatus");
  }

  private static void refused(ApiResponse answer, String why) {
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(422);
    assertThat(answer.body().path("message").asText()).contains(why);
  }

  private static ApiResponse status(Target target, String status) {
    return apply(target, ",\"status\":" + status);
  }

  private static ApiResponse apply(Target target, String status) {
    return reporter.apply(target.object().path() + "/status", MANAGER, body(target, status));
  }

  private static String body(Target target, String status) {
    return "{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"metadata\":{\"name\":\"cluster\"}%s}"
        .formatted(GROUP, target.name(), status);
  }

  private static String conditions(String type) {
    return "{\"conditions\":[%s]}".formatted(condition(type).replace("False", "True"));
  }

  private static String condition(String type) {
    return """
    {"type":"%s","status":"False","reason":"Test","message":"","lastTransitionTime":"2026-05-08T12:00:00Z"}
    """
        .formatted(type);
  }

  private static String entry(String node) {
    return """
    {"nodeName":"%s","keyID":"1","status":"Healthy","remoteKeyID":"r","lastCheckedTime":"2026-05-08T12:00:00Z"}
    """
        .formatted(node);
  }

  private static void apply(String document) {
    var kind = field(document, "(?m)^kind: (\\S+)");
    var group =
        kind.startsWith("Validating")
            ? "admissionregistration.k8s.io"
            : "rbac.authorization.k8s.io";
    var plural =
        switch (kind) {
          case "ClusterRole" -> "clusterroles";
          case "ClusterRoleBinding" -> "clusterrolebindings";
          case "ValidatingAdmissionPolicy" -> "validatingadmissionpolicies";
          case "ValidatingAdmissionPolicyBinding" -> "validatingadmissionpolicybindings";
          default -> throw new IllegalArgumentException("a file with a " + kind);
        };
    plane
        .admin()
        .apply(
            "/apis/%s/v1/%s/%s".formatted(group, plural, field(document, "(?m)^  name: (\\S+)")),
            "e2e",
            document)
        .orThrow();
  }

  private static String field(String document, String pattern) {
    var matcher = Pattern.compile(pattern).matcher(document);
    assertThat(matcher.find()).as(document).isTrue();
    return matcher.group(1);
  }
}
