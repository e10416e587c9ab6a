// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.reference;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The chart tells about itself what is true: its values, and its custom resources. */
class ChartReadmeTest {
  private static final Path CHART = Path.of("../charts/krypton-operator");
  private static final Path README = CHART.resolve("README.md");

  /** From here on the page is made; what stands above is written by people. */
  private static final String MADE =
      "<!-- What follows is written by ChartReadmeTest, from the comments in values.yaml. -->\n";

  @Test
  void the_readme_lists_every_value() throws IOException {
    var written = Files.readString(README);
    assertThat(written).contains(MADE);

    var byPeople = written.substring(0, written.indexOf(MADE) + MADE.length());
    new ReferencePage("../../" + Path.of("..").relativize(README))
        .mustBe(byPeople + tables(ChartValues.of(CHART)), getClass());
  }

  @Test
  void every_value_has_a_comment_of_whole_sentences() throws IOException {
    assertThat(ChartValues.of(CHART).all())
        .filteredOn(value -> !(value.isGroup() && value.comment().isEmpty()))
        .allSatisfy(
            value ->
                assertThat(value.comment())
                    .as("the comment right above %s in values.yaml", value.path())
                    .matches("[A-Z0-9`].{8,}\\."));
  }

  @Test
  void file_and_schema_know_the_same_values() throws IOException {
    assertThat(ChartValues.of(CHART).all())
        .filteredOn(value -> !value.isGroup())
        .extracting(ChartValues.Value::path)
        .containsExactlyInAnyOrderElementsOf(ChartValues.named(CHART));
  }

  @Test
  void the_metadata_name_the_custom_resources_that_the_chart_installs() throws IOException {
    var yaml = new YAMLMapper();
    var annotation =
        yaml.readTree(CHART.resolve("Chart.yaml").toFile())
            .path("annotations")
            .path("artifacthub.io/crds")
            .asText();
    var installed = new ArrayList<String>();
    try (var files = Files.newDirectoryStream(CHART.resolve("files/crds"), "*.yaml")) {
      for (var file : files) {
        var crd = yaml.readTree(file.toFile());
        installed.add(
            "%s %s %s"
                .formatted(
                    crd.at("/metadata/name").asText(),
                    crd.at("/spec/versions/0/name").asText(),
                    crd.at("/spec/names/kind").asText()));
      }
    }

    assertThat(yaml.readTree(annotation).valueStream().map(ChartReadmeTest::named))
        .containsExactlyInAnyOrderElementsOf(installed);
  }

  private static String named(JsonNode crd) {
    return "%s %s %s"
        .formatted(
            crd.path("name").asText(), crd.path("version").asText(), crd.path("kind").asText());
  }

  private static String tables(ChartValues values) {
    return values.sections().stream()
        .map(ChartReadmeTest::table)
        .collect(Collectors.joining("\n", "\n", ""));
  }

  private static String table(ChartValues.Section section) {
    return section.values().stream()
        .filter(value -> !value.comment().isEmpty())
        .map(ChartReadmeTest::row)
        .collect(
            Collectors.joining(
                "",
                "### %s\n\n| Value | Meaning | Default |\n|---|---|---|\n"
                    .formatted(section.title()),
                ""));
  }

  private static String row(ChartValues.Value value) {
    return "| `%s` | %s | %s |\n"
        .formatted(
            value.path(),
            value.comment().replace("|", "\\|"),
            value.isGroup() ? "" : "`" + value.defaultValue() + "`");
  }
}
