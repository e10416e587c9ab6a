// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.decide.ReleaseSecret.StoredRelease;
import io.krypton.operator.release.helm.HelmClient.HelmResult;
import io.krypton.operator.release.helm.RealHelm;
import io.krypton.operator.release.helm.TestCharts;
import io.krypton.operator.release.helm.TestOperations;
import io.krypton.operator.release.inventory.Manifest;
import io.krypton.operator.release.inventory.Manifest.ManifestObject;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Our reading of Helm's Secrets against Helm's own. */
@ExtendWith(ControlPlaneExtension.class)
class StoredReleaseIT {

  @Test
  void we_read_of_a_release_what_helm_tells_about_it(
      @Cluster("helm") TestNamespace namespace, @TempDir Path directory) throws IOException {
    try (var helm = RealHelm.in(namespace, directory)) {
      var install = helm.release("web").install(TestCharts.WORKLOAD, Map.of("image", "a:1"));
      assertThat(helm.client().run(install)).isInstanceOf(HelmResult.Done.class);

      var secret = helm.secrets("web").get(0);
      assertThat(secret.path("type").asText()).isEqualTo(ReleaseSecret.TYPE);
      assertThat(secret.at("/metadata/name").asText())
          .isEqualTo(ReleaseSecret.name(new ReleaseName("web"), 1));
      var payload = secret.path("data").path(ReleaseSecret.PAYLOAD_KEY).asText();
      var release = ((StoredRelease.Decoded.Intact) StoredRelease.decode(payload)).release();
      assertThat(release.version()).isEqualTo(1);
      assertThat(release.chartName()).isEqualTo("workload");
      assertThat(release.chartVersion()).isEqualTo("1.0.0");
      assertThat(release.manifest().strip()).isEqualTo(helm.ask("get", "manifest", "web").strip());
      var manifest = ((Manifest.Parsed.Intact) Manifest.parse(release.manifest())).manifest();
      assertThat(manifest.objects())
          .map(ManifestObject::toString)
          .containsExactlyInAnyOrder("Service/web", "Deployment/web");
    }
  }

  @Test
  void helm_lists_our_release_and_shows_our_labels(
      @Cluster("helm") TestNamespace namespace, @TempDir Path directory) throws IOException {
    try (var helm = RealHelm.in(namespace, directory)) {
      helm.client().run(helm.release("r").install(TestCharts.CONFIGMAP));
      assertThat(helm.ask("list", "--output", "json"))
          .contains("\"name\":\"r\"", "\"revision\":\"1\"", "\"status\":\"deployed\"");
      assertThat(helm.ask("get", "metadata", "r"))
          .contains(
              "mesh.openkcm.io/owner-uid=" + TestOperations.OWNER_UID,
              "mesh.openkcm.io/instance=" + TestOperations.INSTANCE,
              "mesh.openkcm.io/fingerprint=");
    }
  }
}
