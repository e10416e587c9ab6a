// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.architecture.HouseRules;
import io.krypton.operator.observe.OperatorMetric;
import java.io.IOException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MetricReferenceTest {
  private static final Pattern NAME = Pattern.compile("\"(krypton_[a-z_]+)\"");

  @Test
  void the_reference_page_lists_every_metric() throws IOException {
    new ReferencePage("metrics.md").mustBe(MetricReference.page(), getClass());
  }

  @Test
  void the_operator_names_its_metrics_by_constant_only() {
    assertThat(Sources.of("operator", "cli", "multicluster", "api").find(NAME))
        .as("declare it in OperatorMetric and use the constant")
        .extracting(found -> found.file().getFileName().toString())
        .containsOnly("OperatorMetric.java");
  }

  @Test
  void every_declared_metric_is_used() {
    assertThat(Constants.unused(OperatorMetric.class, HouseRules.mainClassesOf("io.krypton")))
        .isEmpty();
  }

  @Test
  void every_metric_that_the_node_programs_name_is_declared_and_no_other() {
    var declared =
        Stream.concat(NodeMetrics.REPORTER.stream(), NodeMetrics.GATE.stream())
            .map(NodeMetrics.Family::name)
            .filter(name -> name.startsWith("krypton_"))
            .collect(Collectors.toSet());

    assertThat(Sources.of("agent").find(NAME).map(Sources.Found::word).collect(Collectors.toSet()))
        .as("declare metrics of nodes in NodeMetrics")
        .containsExactlyInAnyOrderElementsOf(declared);
  }
}
