// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBuilder;
import io.krypton.operator.release.inventory.Drift.Autoscaling;
import io.krypton.operator.release.inventory.Manifest.ManifestObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DriftTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "equal; {\"spec\":{\"a\":1}}; {\"spec\":{\"a\":1}}; false; false",
        "a field was changed; {\"spec\":{\"a\":2}}; {\"spec\":{\"a\":1}}; false; true",
        "a field was taken away; {\"spec\":{}}; {\"spec\":{\"a\":1}}; false; true",
        "a label was changed; {\"metadata\":{\"labels\":{\"x\":\"2\"}}}; {\"metadata\":{\"labels\":{\"x\":\"1\"}}}; false; true",
        "only the server's fields differ; {\"metadata\":{\"resourceVersion\":\"1\",\"generation\":1,\"managedFields\":[]},\"status\":{}}; {\"metadata\":{\"resourceVersion\":\"2\"}}; false; false",
        "replicas were changed; {\"spec\":{\"replicas\":5}}; {\"spec\":{\"replicas\":1}}; false; true",
        "replicas were changed by an autoscaler; {\"spec\":{\"replicas\":5}}; {\"spec\":{\"replicas\":1}}; true; false",
        "more than replicas with an autoscaler; {\"spec\":{\"replicas\":5,\"a\":2}}; {\"spec\":{\"replicas\":1,\"a\":1}}; true; true",
      })
  void only_what_the_manifest_says_counts(
      String rule, String live, String dryRun, boolean autoscaled, boolean differs)
      throws JsonProcessingException {
    assertThat(Drift.differs(json(live), json(dryRun), autoscaled)).isEqualTo(differs);
  }

  @Test
  void comparing_changes_neither_object() throws JsonProcessingException {
    var live =
        json("{\"metadata\":{\"generation\":1},\"status\":{\"a\":1},\"spec\":{\"replicas\":1}}");
    var before = live.deepCopy();
    Drift.differs(live, live, true);
    assertThat(live).isEqualTo(before);
  }

  @Test
  void an_object_can_opt_out() throws JsonProcessingException {
    assertThat(
            Drift.isIgnored(
                json(
                    "{\"metadata\":{\"annotations\":{\"mesh.openkcm.io/drift-detection\":\"disabled\"}}}")))
        .isTrue();
    assertThat(Drift.isIgnored(json("{\"metadata\":{}}"))).isFalse();
  }

  @Test
  void an_autoscaler_counts_for_its_target_only() {
    var autoscalers = List.of(autoscaler("apps/v1", "Deployment", "web"));
    assertThat(Autoscaling.targets(autoscalers, object("apps/v1", "Deployment", "web"))).isTrue();
    assertThat(Autoscaling.targets(autoscalers, object("apps/v1", "Deployment", "db"))).isFalse();
    assertThat(Autoscaling.targets(autoscalers, object("apps/v1", "StatefulSet", "web"))).isFalse();
    assertThat(Autoscaling.targets(autoscalers, object("other/v1", "Deployment", "web"))).isFalse();
  }

  private static HorizontalPodAutoscaler autoscaler(String apiVersion, String kind, String name) {
    return new HorizontalPodAutoscalerBuilder()
        .withNewSpec()
        .withNewScaleTargetRef(apiVersion, kind, name)
        .endSpec()
        .build();
  }

  private static ManifestObject object(String apiVersion, String kind, String name) {
    return new ManifestObject(apiVersion, kind, null, name, new JsonMapper().createObjectNode());
  }

  private static JsonNode json(String text) throws JsonProcessingException {
    return new JsonMapper().readTree(text);
  }
}
