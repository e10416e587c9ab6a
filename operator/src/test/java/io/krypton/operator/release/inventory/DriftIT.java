// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.krypton.operator.release.decide.ReleaseSecret;
import io.krypton.operator.release.decide.ReleaseSecret.StoredRelease;
import io.krypton.operator.release.helm.RealHelm;
import io.krypton.operator.release.helm.TestCharts;
import io.krypton.operator.release.inventory.Manifest.ManifestObject;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Edits on a real API server, and what a dry run of the manifest tells about them. */
@ExtendWith(ControlPlaneExtension.class)
class DriftIT {
  private RealHelm helm;
  private String path;
  private ManifestObject deployment;

  @BeforeEach
  void deploy(@Cluster("helm") TestNamespace namespace, @TempDir Path directory) {
    helm = RealHelm.in(namespace, directory);
    helm.client().run(helm.release("web").install(TestCharts.WORKLOAD, Map.of()));
    path = "/apis/apps/v1/namespaces/" + namespace.name() + "/deployments/web";
    var payload = helm.secrets("web").get(0).path("data").path(ReleaseSecret.PAYLOAD_KEY).asText();
    var release = ((StoredRelease.Decoded.Intact) StoredRelease.decode(payload)).release();
    var manifest = ((Manifest.Parsed.Intact) Manifest.parse(release.manifest())).manifest();
    deployment =
        manifest.objects().stream()
            .filter(object -> object.kind().equals("Deployment"))
            .findFirst()
            .orElseThrow();
  }

  @AfterEach
  void stop() {
    helm.close();
  }

  @Test
  void an_untouched_object_has_not_drifted() {
    assertThat(hasDrifted(false)).isFalse();
  }

  @Test
  void an_image_set_by_hand_is_drift() {
    edit(
        "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"web\",\"image\":\"x:2\"}]}}}}");
    assertThat(hasDrifted(false)).isTrue();
  }

  @Test
  void what_others_add_is_no_drift() {
    edit("{\"metadata\":{\"labels\":{\"team\":\"a\"}},\"spec\":{\"paused\":true}}");
    assertThat(hasDrifted(false)).isFalse();
  }

  @Test
  void scaling_is_drift_unless_an_autoscaler_does_it() {
    edit("{\"spec\":{\"replicas\":3}}");
    assertThat(hasDrifted(false)).isTrue();
    assertThat(hasDrifted(true)).isFalse();
  }

  private boolean hasDrifted(boolean autoscaled) {
    return Drift.differs(helm.get(path), dryRun(), autoscaled);
  }

  private JsonNode dryRun() {
    return patch(
        "?dryRun=All&force=true&fieldManager=" + Drift.FIELD_MANAGER,
        "application/apply-patch+yaml",
        deployment.content().toString());
  }

  private void edit(String change) {
    patch("?fieldManager=somebody", "application/strategic-merge-patch+json", change);
  }

  private JsonNode patch(String query, String type, String body) {
    var admin = helm.namespace().controlPlane().admin();
    return admin
        .send(
            admin
                .request(path + query)
                .header("Content-Type", type)
                .method("PATCH", BodyPublishers.ofString(body)))
        .orThrow();
  }
}
