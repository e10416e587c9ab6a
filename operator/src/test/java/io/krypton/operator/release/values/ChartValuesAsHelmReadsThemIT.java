// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.values;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.krypton.operator.release.helm.RealHelm;
import io.krypton.operator.release.helm.TestCharts;
import io.krypton.operator.release.values.ChartValues.ParseResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Gives the same YAML to Helm and to us. */
class ChartValuesAsHelmReadsThemIT {

  @Test
  void every_word_means_the_same_to_helm_and_to_us(@TempDir Path directory) throws IOException {
    var yaml = new StringBuilder();
    YamlScalarTest.words()
        .map(row -> (String) row.get()[0])
        // To Helm numbers are doubles; we hand on all digits and leave the rounding to it.
        .filter(word -> !word.matches("[0-9]{17,}"))
        .forEach(
            word -> yaml.append("\"").append(word).append("\": [ ").append(word).append(" ]\n"));
    assertSameAsHelm(directory, yaml.toString());
  }

  @Test
  void structure_means_the_same_to_helm_and_to_us(@TempDir Path directory) throws IOException {
    assertSameAsHelm(
        directory,
        """
        base: &base {p: 1, q: [2, 3]}
        use: {<<: *base, p: 4}
        1: number
        yes: flag
        folded: >
          one
          two
        literal: |-
          one
          two
        quoted: ["no", '1', "1e3"]
        empty: {map: {}, list: [], text: ''}
        """);
  }

  private static void assertSameAsHelm(Path directory, String yaml) throws IOException {
    var file = Files.writeString(directory.resolve("values.yaml"), yaml);
    var chartValues = ((ParseResult.Parsed) ChartValues.parse("test", yaml)).values();
    var ours =
        ChartValues.merge(
            List.of(ChartValues.of(Map.of("text", "hello", "installCRDs", false)), chartValues));
    var process =
        new ProcessBuilder(
                RealHelm.program().toString(),
                "template",
                "r",
                TestCharts.CONFIGMAP.toString(),
                "--values",
                file.toString())
            .redirectErrorStream(true)
            .start();
    var rendered = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    var line =
        rendered.lines().filter(it -> it.startsWith("  values: ")).findFirst().orElse(rendered);
    var json = new ObjectMapper().readValue(line.substring("  values: ".length()), String.class);
    assertThat(ChartValues.of(new ObjectMapper().readerForMapOf(Object.class).readValue(json)))
        .extracting(ChartValues::canonicalLeaves)
        .isEqualTo(ours.canonicalLeaves());
  }
}
