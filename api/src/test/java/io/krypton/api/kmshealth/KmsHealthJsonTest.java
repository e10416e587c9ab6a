// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.kmshealth;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.Json;
import io.krypton.api.kmshealth.HealthReport.PluginStatus;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class KmsHealthJsonTest {
  private static final String FULL =
      """
      apiVersion: mesh.openkcm.io/v1alpha1
      kind: KmsHealth
      metadata: {name: cluster}
      spec:
        enabled: false
        expectedNodes: {names: [master-0, master-1]}
        keyIDs: ["1", "2"]
        writeKeyID: "2"
        degradedInertia: 1m30s
        convergedFor: 10m
      status:
        conditions:
          - type: KMSHealthReporter_master-0
            status: Unknown
            reason: Unreachable
            message: keyID=2 status=unreachable
            lastTransitionTime: "2026-05-08T12:34:56Z"
        encryptionStatus:
          healthReports:
            - nodeName: master-0
              keyID: "2"
              status: Unhealthy
              lastCheckedTime: "2026-05-08T12:34:56Z"
              remoteKeyID: kek-9f2c
              detail: credential lacks decrypt permission
              cause: NotOk
              intervalSeconds: 30
        nodes: [{nodeName: master-0, state: Unhealthy, source: Spec, expectedSince: "2026-05-08T12:00:00Z"}]
        nodesHealthy: 1/2
        writeKeyID: "2"
        observedGeneration: 4
        convergence:
          writeKeyID: "2"
          remoteKeyID: kek-9f2c
          remoteKeyHash: sha256:00
          convergedAt: "2026-05-08T12:34:56Z"
          previousRemoteKeyIDs: [kek-0001]
      """;

  @Test
  void everything_survives_reading_and_writing() {
    assertThat(Json.tree(Json.read(FULL, KmsHealth.class))).isEqualTo(Json.tree(FULL));
  }

  @Test
  void a_spec_without_fields_has_the_defaults_of_the_schema() {
    var spec = Json.read("spec: {}", KmsHealth.class).getSpec();

    assertThat(spec).isEqualTo(KmsHealthSpec.DEFAULT);
    assertThat(spec.enabled()).isTrue();
    assertThat(spec.degradedInertia().value()).isEqualTo(Duration.ofMinutes(2));
    assertThat(spec.convergedFor().value()).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void one_odd_entry_does_not_hide_its_siblings() {
    var status =
        Json.read(
            """
            encryptionStatus:
              newer: 1
              healthReports:
                - {nodeName: a, keyID: "1", status: Splendid, lastCheckedTime: "2026-06-30T23:59:60Z"}
                - {nodeName: b, keyID: "1", status: Healthy, lastCheckedTime: "2026-05-08T12:34:56Z"}
            nodes: [{nodeName: a, state: Puzzled, source: Dream}]
            convergence: {convergedAt: soon}
            """,
            KmsHealthStatus.class);

    assertThat(status.healthReports())
        .extracting(HealthReport::status)
        .containsExactly(null, PluginStatus.HEALTHY);
    assertThat(status.healthReports().getFirst().lastCheckedTime()).isNull();
    assertThat(status.nodes()).containsExactly(new NodeHealth("a", null, null, null));
    assertThat(KmsHealthStatus.EMPTY.healthReports()).isEmpty();
  }
}
