// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.chart.ChartResult.Loaded;
import io.krypton.operator.release.chart.ChartResult.NotLoaded;
import io.krypton.operator.release.helm.HelmEngine;
import io.krypton.operator.release.helm.HelmEngine.WorkerListener;
import io.krypton.operator.release.helm.RealHelm;
import io.krypton.operator.release.helm.RealHelm.Engine;
import io.krypton.operator.release.helm.TestCharts;
import io.krypton.operator.release.helm.choice.ChosenEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Charts from directories, packed by the real Helm. */
@ParameterizedClass(name = "{0}")
@EnumSource(Engine.class)
class LocalChartFetcherIT {
  private final Engine which;
  private Path directory;
  private HelmEngine helm;
  private RepoChartLoader sources;

  LocalChartFetcherIT(Engine which) {
    this.which = which;
  }

  @BeforeEach
  void start(@TempDir Path temporary) {
    directory = temporary;
    helm = new ChosenEngine(RealHelm.settings(temporary, which), WorkerListener.NONE);
    sources = new RepoChartLoader(temporary.resolve("data"), helm.charts(), Duration.ofSeconds(10));
  }

  @AfterEach
  void stop() {
    sources.close();
    helm.close();
  }

  @Test
  void a_chart_is_packed_to_the_same_bytes_each_time() {
    var first = (Loaded) load(TestCharts.directory("configmap"));
    assertThat(first.version()).isEqualTo("1.0.0");
    assertThat(first.valueKeys()).containsExactlyInAnyOrder("text", "installCRDs");
    assertThat(load(TestCharts.directory("configmap"))).isEqualTo(first);
  }

  @Test
  void a_chart_may_lie_in_the_directory_under_its_name() {
    assertThat(load(TestCharts.directory("."))).isInstanceOf(Loaded.class);
  }

  @Test
  void what_is_wrong_with_a_chart_is_told() throws IOException {
    var chart = Files.createDirectory(directory.resolve("bad"));
    Files.writeString(chart.resolve("Chart.yaml"), "apiVersion: v2\nname: bad\nversion: many\n");
    assertThat(load(chart))
        .isInstanceOfSatisfying(
            NotLoaded.class, it -> assertThat(it.message()).contains("bad", "version"));
  }

  private ChartResult load(Path path) {
    return sources.load(ChartRef.of(path.toString(), "configmap", ""));
  }
}
