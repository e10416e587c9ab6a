// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.Json;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.rollout.Release;
import io.krypton.api.rollout.RolloutPhase;
import io.krypton.api.rollout.ValuesReference;
import io.krypton.api.tenant.TenantSpec.ClusterRef;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TenantJsonTest {
  private static final String FULL =
      """
      apiVersion: mesh.openkcm.io/v1alpha1
      kind: Tenant
      metadata: {name: acme, namespace: team}
      spec:
        workspace: acme-workspace
        clusterRef: {secretName: edge01, secretNamespace: krypton}
        suspend: true
        values: {replicaCount: 2, image: {tag: v1}, args: [a, "1"], gone: null}
        valuesFrom:
          - {kind: ConfigMap, name: base, key: values.yaml, optional: false}
          - {kind: Secret, name: extra, key: more.yaml, optional: true}
        className: gold
        pin: 1.3.2
      status:
        observedGeneration: 3
        phase: Ready
        lastMessage: release installed
        lastAppliedChart: https://charts.example.com/echo:0.5.0
        workspace: acme-workspace
        releases:
          - {cluster: edge01, name: tenant-acme-edge01, namespace: acme-workspace, revision: 1, fingerprint: ab,
             chartVersion: 1.3.2, rollout: gold-8, wave: rest, state: Pinned}
        lastHandledReconcileAt: "1"
        lastHandledForceAt: "2"
        conditions:
          - type: ClusterReady/edge01
            status: "True"
            reason: Installed
            message: release installed
            lastTransitionTime: "2026-05-08T12:34:56Z"
            observedGeneration: 3
      """;

  @Test
  void everything_survives_reading_and_writing() {
    assertThat(Json.tree(Json.read(FULL, Tenant.class))).isEqualTo(Json.tree(FULL));
  }

  @Test
  void the_parts_are_typed() {
    var tenant = Json.read(FULL, Tenant.class);

    assertThat(tenant.getSpec().valuesFrom())
        .extracting(ValuesReference::kind)
        .containsExactly(ValuesReference.Kind.CONFIG_MAP, ValuesReference.Kind.SECRET);
    assertThat(tenant.getSpec().values())
        .containsEntry("gone", null)
        .containsEntry("replicaCount", 2);
    assertThat(tenant.getStatus().phase()).isEqualTo(RolloutPhase.READY);
    assertThat(tenant.getStatus().releases()).extracting(Release::revision).containsExactly(1);
    assertThat(tenant.getStatus().conditions().getFirst().status()).isEqualTo(ConditionStatus.TRUE);
  }

  @Test
  void fields_of_other_versions_are_ignored_at_every_level() {
    var tenant =
        Json.read(
            """
            apiVersion: mesh.openkcm.io/v1alpha1
            kind: Tenant
            metadata: {name: old}
            spec:
              chart: {repo: https://charts.example.com, name: echo}
              clusterRef: {secretName: edge01, newer: 1}
              valuesFrom: [{kind: Vault, name: base, newer: 1}]
            status:
              newer: {deep: [1]}
              phase: Exploded
              releases: [{cluster: edge01, newer: 1}]
              conditions: [{type: Ready, status: Perhaps, newer: 1}]
            """,
            Tenant.class);

    assertThat(tenant.getSpec().clusterRef()).isEqualTo(new ClusterRef("edge01", null));
    assertThat(tenant.getSpec().valuesFrom())
        .containsExactly(new ValuesReference(null, "base", "values.yaml", false));
    assertThat(tenant.getStatus().phase()).isNull();
    assertThat(tenant.getStatus().conditions().getFirst().status())
        .isEqualTo(ConditionStatus.UNKNOWN);
  }

  @Test
  void a_tenant_without_spec_and_status_has_empty_ones_and_writes_no_null() {
    var tenant = Json.read("metadata: {name: bare}", Tenant.class);

    assertThat(tenant.getSpec()).isEqualTo(TenantSpec.EMPTY);
    assertThat(tenant.getStatus()).isEqualTo(TenantStatus.EMPTY);
    assertThat(Json.tree(tenant))
        .isEqualTo(
            Json.tree(
                """
                apiVersion: mesh.openkcm.io/v1alpha1
                kind: Tenant
                metadata: {name: bare}
                spec: {}
                status: {}
                """));
  }

  @Test
  void the_name_is_the_workspace_unless_the_spec_says_otherwise() {
    assertThat(TenantSpec.EMPTY.workspaceOf("acme")).isEqualTo("acme");
    assertThat(withWorkspace("").workspaceOf("acme")).isEqualTo("acme");
    assertThat(withWorkspace("ws").workspaceOf("acme")).isEqualTo("ws");
  }

  private static TenantSpec withWorkspace(String workspace) {
    return Json.read("workspace: '" + workspace + "'", TenantSpec.class);
  }

  @Test
  void values_cannot_be_changed_behind_the_back_of_the_record() {
    var values = Json.read(FULL, Tenant.class).getSpec().values();

    assertThat(values).isUnmodifiable();
    assertThat(values.get("image")).isEqualTo(Map.of("tag", "v1"));
  }
}
