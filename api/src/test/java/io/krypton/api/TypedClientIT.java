// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.rollout.Release;
import io.krypton.api.rollout.RolloutPhase;
import io.krypton.api.rollout.ValuesReference;
import io.krypton.api.tenant.Tenant;
import io.krypton.api.tenant.TenantConditionTypes;
import io.krypton.api.tenant.TenantConditionTypes.TenantReasons;
import io.krypton.api.tenant.TenantSpec;
import io.krypton.api.tenant.TenantStatus;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class TypedClientIT {
  private static final PatchContext APPLY =
      new PatchContext.Builder()
          .withPatchType(PatchType.SERVER_SIDE_APPLY)
          .withFieldManager("krypton-edge01")
          .withForce(true)
          .build();

  private final KubernetesClient client;

  TypedClientIT(@Cluster("api") ControlPlane plane) {
    Server.withCrds(plane);
    client =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(plane.adminKubeconfig()))
            .build();
  }

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  void records_come_back_from_the_server_as_they_were_sent(
      @Cluster("api") TestNamespace namespace) {
    var spec =
        new TenantSpec(
            "ws",
            null,
            false,
            values(),
            List.of(
                new ValuesReference(ValuesReference.Kind.SECRET, "extra", "values.yaml", true)));
    var tenant = tenant(namespace);
    tenant.setSpec(spec);
    client.resource(tenant).create();
    var status = status();
    var patch = tenant(namespace);
    patch.setStatus(status);
    client.resource(patch).subresource("status").patch(APPLY);

    var stored = client.resource(tenant(namespace)).get();

    assertThat(stored.getSpec()).isEqualTo(spec);
    assertThat(stored.getStatus()).isEqualTo(status);
    assertThat(stored.getMetadata().getGeneration()).isEqualTo(1);
  }

  private static Tenant tenant(TestNamespace namespace) {
    var tenant = new Tenant();
    tenant.setMetadata(
        new ObjectMetaBuilder().withName("typed").withNamespace(namespace.name()).build());
    return tenant;
  }

  private static Map<String, @Nullable Object> values() {
    var values = new LinkedHashMap<String, @Nullable Object>();
    values.put("removed", null);
    values.put("replicas", 2);
    values.put("ratio", 1.5);
    values.put("args", Arrays.asList("a", 1, true));
    values.put("image", Map.of("tag", "v1"));
    return values;
  }

  private static TenantStatus status() {
    var ready =
        Condition.of(
                TenantConditionTypes.clusterReady("edge01"),
                ConditionStatus.TRUE,
                TenantReasons.INSTALLED,
                "release installed")
            .observedAt(1)
            .since(Instant.now());
    return new TenantStatus(
        1L,
        RolloutPhase.READY,
        "release installed",
        "repo/echo:0.5.0",
        "ws",
        List.of(new Release("edge01", "tenant-typed-edge01", "ws", 1, "ab")),
        null,
        null,
        List.of(ready));
  }
}
