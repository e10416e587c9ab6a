// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.krypton.api.tenant.Tenant;
import io.krypton.cli.view.ObjectName.ObjectKind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What views take from JSON is what the client library would have made of it. */
class ObjectTreeTest {
  private static final KubernetesSerialization LIBRARY = new KubernetesSerialization();

  private static final String TENANT =
      """
      {"apiVersion":"mesh.openkcm.io/v1alpha1","kind":"Tenant",
       "metadata":{"name":"acme","namespace":"shops","uid":"u-1","generation":3,"resourceVersion":"7",
         "creationTimestamp":"2026-01-02T03:04:05Z","deletionTimestamp":"2026-01-02T04:04:05Z",
         "annotations":{"mesh.openkcm.io/requestedAt":"now"},"managedFields":[{"manager":"kubectl"}]},
       "spec":{"suspend":true},
       "status":{"observedGeneration":2,"phase":"Error","lastMessage":"it broke",
         "lastAppliedChart":"repo/echo:1.0.0","workspace":"acme-ws",
         "lastHandledReconcileAt":"now","lastHandledForceAt":"then",
         "releases":[{"cluster":"edge","name":"r","namespace":"n","revision":4,"fingerprint":"f"},
           {"cluster":"other"}],
         "conditions":[
           {"type":"Ready","status":"False","reason":"InstallFailed","message":"it broke",
            "lastTransitionTime":"2026-01-02T03:04:05Z","observedGeneration":2},
           {"type":"Odd","status":"Maybe"}]}}
      """;

  private static JsonNode tree(String json) {
    try {
      return new ObjectMapper().readTree(json);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_tenant_is_read_as_the_library_reads_it() {
    var typed = LIBRARY.unmarshal(TENANT, Tenant.class);
    var status = typed.getStatus();

    var object = RolloutObject.of(ObjectKind.TENANT, tree(TENANT));

    assertThat(object.suspended()).isEqualTo(typed.getSpec().suspend());
    assertThat(object.phase()).isEqualTo(status.phase());
    assertThat(object.message()).isEqualTo(status.lastMessage());
    assertThat(object.chart()).isEqualTo(status.lastAppliedChart());
    assertThat(object.workspace()).isEqualTo(status.workspace());
    assertThat(object.releases()).isEqualTo(status.releases());
    assertThat(object.observedGeneration()).isEqualTo(status.observedGeneration());
    assertThat(object.handledRequest()).isEqualTo(status.lastHandledReconcileAt());
    assertThat(object.handledForce()).isEqualTo(status.lastHandledForceAt());
    assertThat(object.conditions()).isEqualTo(status.conditions());
    assertThat(object.isDeleted()).isTrue();
    var metadata = typed.getMetadata();
    metadata.setManagedFields(List.of());
    assertThat(object.metadata()).usingRecursiveComparison().isEqualTo(metadata);
  }

  @Test
  void an_object_that_nobody_has_looked_at_yet_is_pending() {
    var bare = tree("{\"metadata\":{\"name\":\"acme\"},\"spec\":{}}");

    var object = RolloutObject.of(ObjectKind.TENANT, bare);

    assertThat(object.phase()).isNull();
    assertThat(object.phaseName()).isEqualTo("Pending");
    assertThat(object.observedGeneration()).isNull();
    assertThat(object.conditions()).isEmpty();
    assertThat(object.releases()).isEmpty();
  }

  @Test
  void a_phase_of_a_newer_version_is_none() {
    var newer = tree("{\"metadata\":{\"name\":\"acme\"},\"status\":{\"phase\":\"Soaking\"}}");

    assertThat(RolloutObject.of(ObjectKind.TENANT, newer).phase()).isNull();
  }

  @Test
  void events_of_both_writers_have_the_time_that_the_library_reads() {
    for (var json :
        new String[] {
          """
          {"metadata":{"name":"e","namespace":"n"},"type":"Warning","reason":"R","message":"m","count":3,
           "firstTimestamp":"2026-01-02T03:04:05Z","lastTimestamp":"2026-01-02T03:05:05Z",
           "involvedObject":{"kind":"Secret","namespace":"n","name":"edge","uid":"u"}}
          """,
          """
          {"metadata":{"name":"e","namespace":"n"},"reason":"R","eventTime":"2026-01-02T03:04:05.123456Z",
           "series":{"count":2,"lastObservedTime":"2026-01-02T03:06:05.123456Z"},
           "involvedObject":{"kind":"Secret","namespace":"n","name":"edge"}}
          """
        }) {
      var typed = LIBRARY.unmarshal(json, Event.class);
      var event = ObjectTree.event(tree(json));

      assertThat(Age.EventTime.of(event)).isEqualTo(Age.EventTime.of(typed));
      assertThat(event.getCount()).isEqualTo(typed.getCount());
      assertThat(event.getReason()).isEqualTo(typed.getReason());
      assertThat(event.getMessage()).isEqualTo(typed.getMessage());
      assertThat(event.getInvolvedObject()).isEqualTo(typed.getInvolvedObject());
    }
  }

  @Test
  void a_secret_has_its_data() {
    var json =
        "{\"metadata\":{\"name\":\"edge\",\"namespace\":\"n\"},\"data\":{\"kubeconfig\":\"eA==\"}}";

    assertThat(ObjectTree.secret(tree(json)).getData())
        .isEqualTo(LIBRARY.unmarshal(json, Secret.class).getData());
  }

  @Test
  void documents_leave_out_managed_fields_and_nothing_else() {
    var shown = ObjectTree.withoutManagedFields(tree(TENANT));

    assertThat(shown.path("metadata").has("managedFields")).isFalse();
    assertThat(shown.path("metadata").path("uid").asText()).isEqualTo("u-1");
    assertThat(shown.path("status")).isEqualTo(tree(TENANT).path("status"));
  }
}
