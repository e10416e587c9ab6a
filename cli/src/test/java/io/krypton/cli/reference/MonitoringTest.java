// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.reference;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.krypton.operator.observe.OperatorMetric;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The dashboard and the alerts of the chart speak of metrics that exist. */
class MonitoringTest {
  private static final Path FILES = Path.of("../charts/krypton-operator/files/monitoring");
  private static final int COLUMNS = 24;

  private static Set<String> series() {
    var series = new HashSet<String>();
    for (var metric : OperatorMetric.values()) {
      series.addAll(series(metric.exposed(), metric.kind().type()));
    }
    Stream.concat(NodeMetrics.REPORTER.stream(), NodeMetrics.GATE.stream())
        .forEach(family -> series.addAll(series(family.name(), family.type())));
    return series;
  }

  private static List<String> series(String name, String type) {
    return switch (type) {
      case "histogram" -> List.of(name + "_bucket", name + "_sum", name + "_count");
      case "summary" -> List.of(name + "_sum", name + "_count");
      default -> List.of(name);
    };
  }

  @Test
  void every_alert_is_complete_and_asks_for_metrics_that_exist() throws IOException {
    var names = new ArrayList<String>();
    for (var group :
        new YAMLMapper().readTree(FILES.resolve("alerts.yaml").toFile()).path("groups")) {
      assertThat(group.path("name").asText()).isNotEmpty();
      for (var rule : group.path("rules")) {
        var name = rule.path("alert").asText();
        names.add(name);
        assertThat(PromQl.metrics(rule.path("expr").asText()))
            .as(name)
            .isNotEmpty()
            .isSubsetOf(series());
        assertThat(rule.at("/labels/severity").asText()).as(name).isIn("warning", "critical");
        assertThat(rule.at("/annotations/summary").asText()).as(name).isNotEmpty();
        assertThat(rule.at("/annotations/description").asText()).as(name).isNotEmpty();
      }
    }
    assertThat(names).isNotEmpty().doesNotHaveDuplicates();
  }

  @Test
  void every_panel_asks_for_metrics_that_exist_and_has_a_place_of_its_own() throws IOException {
    var dashboard = new JsonMapper().readTree(FILES.resolve("dashboard.json").toFile());
    assertThat(dashboard.path("uid").asText()).isEqualTo("krypton");
    assertThat(dashboard.path("schemaVersion").asInt()).isPositive();
    var ids = new ArrayList<Integer>();
    var places = new HashSet<String>();
    for (var panel : dashboard.path("panels")) {
      ids.add(panel.path("id").asInt());
      occupy(panel.path("gridPos"), places);
      for (var target : panel.path("targets")) {
        assertThat(PromQl.metrics(target.path("expr").asText()))
            .as(panel.path("title").asText())
            .isNotEmpty()
            .isSubsetOf(series());
        assertThat(target.at("/datasource/uid").asText()).isEqualTo("${datasource}");
      }
    }
    assertThat(ids).isNotEmpty().doesNotHaveDuplicates();
  }

  private static void occupy(JsonNode place, Set<String> places) {
    assertThat(place.path("x").asInt() + place.path("w").asInt()).isBetween(1, COLUMNS);
    for (int x = 0; x < place.path("w").asInt(); x++) {
      for (int y = 0; y < place.path("h").asInt(); y++) {
        assertThat(places.add((place.path("x").asInt() + x) + "/" + (place.path("y").asInt() + y)))
            .as("two panels at the same place")
            .isTrue();
      }
    }
  }
}
