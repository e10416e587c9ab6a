// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.chart.ChartResult.Loaded;
import io.krypton.operator.release.chart.ChartResult.NotLoaded;
import io.krypton.operator.release.chart.ChartResult.VersionNotFound;
import io.krypton.operator.release.helm.HelmEngine;
import io.krypton.operator.release.helm.HelmEngine.WorkerListener;
import io.krypton.operator.release.helm.RealHelm;
import io.krypton.operator.release.helm.RealHelm.Engine;
import io.krypton.operator.release.helm.choice.ChosenEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code helm pull} from the smallest registry that Helm accepts. */
@ParameterizedClass(name = "{0}")
@EnumSource(Engine.class)
class OciChartsIT {
  private final Engine which;
  private static final byte[] WEB = PackedChart.of("web", "1.2.3", "replicaCount: 1\n");

  private ChartServer registry;
  private HelmEngine helm;
  private RepoChartLoader sources;

  OciChartsIT(Engine which) {
    this.which = which;
  }

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    registry = new ChartServer();
    helm = new ChosenEngine(RealHelm.settings(directory, which), WorkerListener.NONE);
    sources = new RepoChartLoader(directory.resolve("data"), helm.charts(), Duration.ofSeconds(10));
    PackedChart.publish(registry, "1.2.3", WEB);
  }

  @AfterEach
  void stop() {
    sources.close();
    helm.close();
    registry.close();
  }

  @Test
  void a_tag_is_pulled() {
    var loaded = (Loaded) load("web", "1.2.3");
    assertThat(loaded.archive()).hasBinaryContent(WEB);
    assertThat(loaded.version()).isEqualTo("1.2.3");
    assertThat(loaded.valueKeys()).containsExactly("replicaCount");
  }

  @Test
  void without_a_version_the_newest_stable_tag_is_pulled() {
    assertThat(((Loaded) load("web", "")).version()).isEqualTo("1.2.3");
  }

  @Test
  void a_missing_tag_or_chart_is_told_apart_from_a_registry_that_is_down() {
    assertThat(load("web", "9.9.9"))
        .isEqualTo(
            new VersionNotFound("oci://" + registry.address() + "/charts/web has no tag 9.9.9"));
    assertThat(load("other", "1.2.3")).isInstanceOf(VersionNotFound.class);
    registry.fail("/v2/charts/web/manifests/1.2.3", 503);
    assertThat(load("web", "1.2.3")).isInstanceOf(NotLoaded.class);
    registry.close();
    assertThat(load("web", "1.2.3")).isInstanceOf(NotLoaded.class);
  }

  private ChartResult load(String name, String version) {
    return sources.load(ChartRef.of("oci://" + registry.address() + "/charts", name, version));
  }
}
