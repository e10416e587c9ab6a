package io.krypton.cli.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.observe.OperatorMetric;
import java.io.IOException;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MetricReferenceTest {
  private static final Pattern NAME = Pattern.compile("\"(krypton_[a-z_]+)\"");
  private static final Pattern NAME_AND_HELP =
      Pattern.compile("metrics\\s*\\.gauges?\\(\\s*\"(krypton_[a-z_]+)\",\\s*\"([^\"]+)\"");

  @Test
  void the_reference_page_lists_every_metric() throws IOException {
    new ReferencePage("metrics.md").mustBe(MetricReference.page(), getClass());
  }

  @Test
  void every_metric_that_the_code_names_is_declared_and_no_other() {
    var declared =
        Stream.concat(
                Arrays.stream(OperatorMetric.values()).map(OperatorMetric::base),
                Stream.concat(NodeMetrics.REPORTER.stream(), NodeMetrics.GATE.stream())
                    .map(NodeMetrics.Family::name)
                    .filter(name -> name.startsWith("krypton_")))
            .collect(Collectors.toSet());

    assertThat(Sources.find(NAME).map(found -> found.group(1)).collect(Collectors.toSet()))
        .as("declare metrics of the operator in OperatorMetric, those of nodes in NodeMetrics")
        .containsExactlyInAnyOrderElementsOf(declared);
  }

  @Test
  void a_gauge_says_of_itself_what_is_declared() {
    var said = new TreeMap<String, String>();
    Sources.find(NAME_AND_HELP).forEach(found -> said.put(found.group(1), found.group(2)));

    assertThat(said)
        .containsExactlyInAnyOrderEntriesOf(
            Arrays.stream(OperatorMetric.values())
                .filter(metric -> metric.kind() == OperatorMetric.Kind.GAUGE)
                .collect(Collectors.toMap(OperatorMetric::base, OperatorMetric::help)));
  }
}
