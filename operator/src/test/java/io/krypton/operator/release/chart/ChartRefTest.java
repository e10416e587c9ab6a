// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.operator.release.chart.ChartRef.ChartSource;
import io.krypton.operator.release.chart.ChartRef.ChartSource.IndexRepo;
import io.krypton.operator.release.chart.ChartRef.ChartSource.LocalPath;
import io.krypton.operator.release.chart.ChartRef.ChartSource.OciRepo;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChartRefTest {

  @Test
  void the_flag_tells_the_kind_of_source() {
    assertThat(ChartSource.parse("https://charts.jetstack.io"))
        .isEqualTo(new IndexRepo(URI.create("https://charts.jetstack.io")));
    assertThat(ChartSource.parse("oci://registry.test/charts/"))
        .isEqualTo(new OciRepo("oci://registry.test/charts"));
    assertThat(ChartSource.parse("./charts")).isEqualTo(new LocalPath(Path.of("./charts")));
    assertThat(ChartSource.parse("/x/web-1.0.0.tgz"))
        .isEqualTo(new LocalPath(Path.of("/x/web-1.0.0.tgz")));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = ';',
      value = {
        "ftp://x; --chart-repo 'ftp://x': give https://, http:// or oci://, a directory or a .tgz file",
        "' '; --chart-repo ' ': give https://",
        "https://a b; --chart-repo 'https://a b': it is not a URL",
        "https:///x; --chart-repo 'https:///x': it needs a host",
        "https://h/?q; --chart-repo 'https://h/?q': it needs a host and neither '?' nor '#'",
        "https://me:hunter2@h; --chart-repo '…@h': leave credentials out of it",
      })
  void a_bad_flag_is_refused_with_a_remedy(String repo, String message) {
    assertThatThrownBy(() -> ChartSource.parse(repo))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message)
        .hasMessageNotContaining("hunter2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "../etc", "a/b", ".hidden"})
  void a_name_that_is_a_path_is_refused(String name) {
    assertThatThrownBy(() -> ChartRef.of("/charts", name, "1.0.0"))
        .hasMessageStartingWith("--chart-name '" + name + "'");
  }

  @ParameterizedTest(name = "{0} and {1}: {2}")
  @CsvSource({
    "1.2.3, 1.2.3, true",
    "v1.2.3, 1.2.3, true",
    "1.2.3, v1.2.3, true",
    "1.2.3, 1.2.4, false",
    "1.2.3-rc.1, 1.2.3, false",
    "1.2, 1.2.0, false",
    "^1.2.3, 1.2.3, false",
  })
  void versions_are_the_same_up_to_a_v(String one, String other, boolean same) {
    assertThat(ChartVersion.isSame(one, other)).isEqualTo(same);
  }

  @Test
  void the_newest_stable_version_is_neither_the_last_nor_a_candidate() {
    assertThat(
            ChartVersion.newestStable(
                java.util.List.of("1.9.0", "v1.10.0", "2.0.0-rc.1", "latest", "1.2.0")))
        .contains("v1.10.0");
  }
}
