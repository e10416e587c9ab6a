// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.base.kmsreport.ReportTarget;
import io.krypton.base.kmsreport.TypedEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AppliesTest {
  private static final Instant START = Instant.parse("2026-05-08T12:00:00.000001234Z");

  @ParameterizedTest
  @CsvSource({
    "KMSHEALTH, /apis/mesh.openkcm.io/v1alpha1/kmshealths/cluster/status",
    "KUBEAPISERVER, /apis/operator.openshift.io/v1/kubeapiservers/cluster/status",
    "OPENSHIFTAPISERVER, /apis/operator.openshift.io/v1/openshiftapiservers/cluster/status",
    "AUTHENTICATION, /apis/operator.openshift.io/v1/authentications/cluster/status",
  })
  void each_target_has_its_path(ReportTarget reportTarget, String path) {
    assertThat(reportTarget.statusPath()).isEqualTo(path);
  }

  @Test
  void a_condition_is_applied_alone() {
    var condition = Map.of("type", "T");

    var call = new StatusApply(ReportTarget.KUBEAPISERVER, "n1").condition(condition);

    assertThat(call.method()).isEqualTo("PATCH");
    assertThat(call.pathAndQuery())
        .endsWith("/cluster/status?fieldManager=kms-health-reporter-n1&force=true");
    assertThat(call.body())
        .hasToString(
            """
            {"apiVersion":"operator.openshift.io/v1","kind":"KubeAPIServer",\
            "metadata":{"name":"cluster"},"status":{"conditions":[{"type":"T"}]}}""");
  }

  @Test
  void typed_reports_sit_below_the_oauth_server_on_authentication() {
    var entry =
        new TypedEntry("n1", "1", null, null, null, null, null, 30, null, null, List.of("h"));

    var call = new StatusApply(ReportTarget.AUTHENTICATION, "n1").healthReports(List.of(entry));

    assertThat(call.body())
        .hasToString(
            """
            {"apiVersion":"operator.openshift.io/v1","kind":"Authentication",\
            "metadata":{"name":"cluster"},"status":{"oauthAPIServer":{"encryptionStatus":\
            {"healthReports":[{"nodeName":"n1","keyID":"1","intervalSeconds":30,\
            "unreadableOldKeys":["h"]}]}}}}""");
  }

  @Test
  void dropping_all_typed_reports_sends_no_status_at_all() {
    var call = new StatusApply(ReportTarget.KMSHEALTH, "n1").healthReports(List.of());

    assertThat(call.body())
        .hasToString(
            """
            {"apiVersion":"mesh.openkcm.io/v1alpha1","kind":"KmsHealth",\
            "metadata":{"name":"cluster"}}""");
  }

  @Test
  void a_renewal_publishes_holder_duration_and_times_in_microseconds() {
    var call = lease(Duration.ofMillis(1200)).renewal(START.plusMillis(30_500));

    assertThat(call.pathAndQuery())
        .isEqualTo(
            "/apis/coordination.k8s.io/v1/namespaces/krypton-system/leases/kms-kmshealth-n1"
                + "?fieldManager=kms-health-reporter-n1&force=true");
    assertThat(call.body())
        .hasToString(
            """
            {"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":\
            {"name":"kms-kmshealth-n1","namespace":"krypton-system","labels":\
            {"mesh.openkcm.io/kms-target":"kmshealth"}},"spec":{"holderIdentity":"n1_0a1b2c3d",\
            "leaseDurationSeconds":2,"acquireTime":"2026-05-08T12:00:00.000001Z",\
            "renewTime":"2026-05-08T12:00:30.500001Z"}}""");
  }

  @Test
  void a_release_empties_the_holder_and_sends_everything_else_again() {
    var lease = lease(Duration.ofMinutes(2));

    var release = String.valueOf(lease.release(START).body());

    assertThat(release)
        .isEqualTo(String.valueOf(lease.renewal(START).body()).replace("n1_0a1b2c3d", ""));
  }

  private static LeaseApply lease(Duration duration) {
    return new LeaseApply(
        ReportTarget.KMSHEALTH, "n1", "krypton-system", "n1_0a1b2c3d", START, duration);
  }
}
