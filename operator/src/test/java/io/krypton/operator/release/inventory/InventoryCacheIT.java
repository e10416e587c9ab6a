// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.TestTarget;
import io.krypton.operator.release.decide.DeployedRelease;
import io.krypton.operator.release.decide.Fingerprint;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.helm.HelmClient.HelmResult;
import io.krypton.operator.release.helm.RealHelm;
import io.krypton.operator.release.helm.TestCharts;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(ControlPlaneExtension.class)
class InventoryCacheIT {

  @Test
  void a_release_that_was_installed_anew_holds_what_it_holds_now_although_its_number_is_the_same(
      @Cluster("helm") TestNamespace namespace, @TempDir Path directory) throws IOException {
    try (var helm = RealHelm.in(namespace, directory);
        var edge = TestTarget.of(namespace.controlPlane())) {
      var inventoryCache =
          new InventoryCache(new KindDiscovery(edge.client(), InstantSource.system()));
      var release = helm.release("r");
      assertThat(helm.client().run(release.install(TestCharts.CONFIGMAP)))
          .isInstanceOf(HelmResult.Done.class);
      assertThat(kinds(inventoryCache, edge, helm)).containsExactly("ConfigMap");

      assertThat(helm.client().run(release.uninstall())).isInstanceOf(HelmResult.Done.class);
      assertThat(helm.client().run(release.install(TestCharts.WORKLOAD)))
          .isInstanceOf(HelmResult.Done.class);

      assertThat(helm.history("r").latest().orElseThrow().version()).isEqualTo(1);
      assertThat(kinds(inventoryCache, edge, helm))
          .containsExactlyInAnyOrder("Deployment", "Service");
    }
  }

  private static Iterable<String> kinds(
      InventoryCache inventoryCache, TestTarget edge, RealHelm helm) throws IOException {
    var latest = helm.history("r").latest().orElseThrow();
    var release =
        new DeployedRelease(
            new ReleaseName("r"),
            helm.namespace().name(),
            latest.version(),
            latest.uid(),
            new Fingerprint("0".repeat(64)),
            "test");
    return inventoryCache.of(edge.target(), release).objects().stream()
        .map(it -> it.kind().name())
        .toList();
  }
}
