// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.change;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.tenant.Tenant;
import io.krypton.api.tenant.TenantSpec;
import io.krypton.api.tenant.TenantStatus;
import io.krypton.cli.view.ObjectName.ObjectKind;
import io.krypton.cli.view.RolloutObject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChangeTest {
  private static RolloutObject tenant(
      boolean suspend,
      long observed,
      String reconciling,
      long conditionObserved,
      @Nullable String handled,
      @Nullable String forced) {
    var tenant = new Tenant();
    tenant.setMetadata(new ObjectMetaBuilder().withName("acme").withGeneration(3L).build());
    tenant.setSpec(new TenantSpec(null, null, suspend, Map.of(), List.of()));
    tenant.setStatus(
        new TenantStatus(
            observed,
            null,
            null,
            null,
            null,
            List.of(),
            handled,
            forced,
            List.of(
                Condition.of("Reconciling", ConditionStatus.FALSE, reconciling, "")
                    .observedAt(conditionObserved))));
    return RolloutObject.of(
        ObjectKind.TENANT, new KubernetesSerialization().convertValue(tenant, JsonNode.class));
  }

  @ParameterizedTest(name = "{0}: observed {1}, {2} at {3}, handled {4}, forced {5} -> {6}")
  @CsvSource({
    "suspend, 2, Suspended, 3, , , true",
    "suspend, 2, Suspended, 2, , , false",
    "suspend, 3, Idle, 3, , , false",
    "resume, 3, Idle, 3, , , true",
    "resume, 2, Progressing, 3, , , false",
    "resume, 3, Suspended, 2, , , false",
    "reconcile, 3, Idle, 3, now, , true",
    "reconcile, 3, Idle, 3, before, , false",
    "reconcile, 3, Idle, 3, , , false",
    "force, 3, Idle, 3, now, now, true",
    "force, 3, Idle, 3, now, before, false"
  })
  void the_status_tells_whether_the_operator_has_acted(
      String word,
      long observed,
      String reconciling,
      long conditionObserved,
      @Nullable String handled,
      @Nullable String forced,
      boolean expected) {
    var change =
        switch (word) {
          case "suspend" -> new Change.Suspend();
          case "resume" -> new Change.Resume();
          default -> new Change.Reconcile("now", word.equals("force"));
        };

    assertThat(
            change.isHandledFor(
                tenant(false, observed, reconciling, conditionObserved, handled, forced)))
        .isEqualTo(expected);
  }

  @Test
  void patches_touch_nothing_but_what_they_are_for() {
    assertThat(new Change.Suspend().patch()).isEqualTo("{\"spec\":{\"suspend\":true}}");
    assertThat(new Change.Resume().patch()).isEqualTo("{\"spec\":{\"suspend\":false}}");
    assertThat(new Change.Reconcile("t", false).patch())
        .isEqualTo("{\"metadata\":{\"annotations\":{\"mesh.openkcm.io/requestedAt\":\"t\"}}}");
    assertThat(new Change.Reconcile("t", true).patch())
        .isEqualTo(
            "{\"metadata\":{\"annotations\":{\"mesh.openkcm.io/requestedAt\":\"t\","
                + "\"mesh.openkcm.io/forceAt\":\"t\"}}}");
  }

  @Test
  void what_is_so_already_is_left_alone() {
    assertThat(new Change.Suspend().isAppliedTo(tenant(true, 3, "Idle", 3, null, null))).isTrue();
    assertThat(new Change.Resume().isAppliedTo(tenant(true, 3, "Idle", 3, null, null))).isFalse();
    assertThat(new Change.Reconcile("t", false).isAppliedTo(tenant(true, 3, "Idle", 3, null, null)))
        .isFalse();
  }
}
