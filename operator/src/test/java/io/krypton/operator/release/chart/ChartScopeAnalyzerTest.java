// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ChartScopeAnalyzerTest {
  private static final String PLAIN =
      """
      {{- if .Values.enabled }}
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: {{ .Release.Name }}
        namespace: {{ .Release.Namespace | quote }}
        labels:
          {{- toYaml .Values.labels | nindent 4 }}
      {{- end }}
      """;

  static Stream<Arguments> templates() {
    return Stream.of(
        row("plain objects of the release's namespace", PLAIN, false),
        row("a cluster-scoped kind", "kind: ClusterRole\n", true),
        row("a kind of which nothing is known", "kind: Certificate\n", true),
        row("a kind out of values", "kind: {{ .Values.kind }}\n", true),
        row(
            "a reference to such a kind",
            "kind: RoleBinding\nroleRef:\n  kind: ClusterRole\n",
            false),
        row(
            "another namespace",
            PLAIN + "---\nkind: Role\nmetadata:\n  namespace: kube-system\n",
            true),
        row("a namespace out of values", "metadata:\n  namespace: {{ .Values.where }}\n", true),
        row(
            "whole objects out of values",
            "{{ range .Values.extra }}\n---\n{{ toYaml . }}\n{{ end }}",
            true),
        row(
            "the same, indented",
            "{{ range .Values.extra }}\n---\n  {{ tpl . $ }}\n{{ end }}",
            true),
        row("whole objects out of a part", "{{- include \"common.all\" . }}\n", true));
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("templates")
  void only_what_is_plain_to_see_is_proof(String rule, String template, boolean beyond) {
    assertThat(ChartScopeAnalyzer.exceedsNamespace(template)).as(rule).isEqualTo(beyond);
  }

  @Test
  void all_templates_count_also_those_of_charts_within_and_an_unreadable_one_may_do_anything(
      @TempDir Path directory) throws IOException {
    var reach = new ChartScopeAnalyzer();
    var plain = new PackedChart().with("c/templates/a.yaml", PLAIN).with("c/templates/_p.tpl", "x");
    assertThat(reach.exceedsNamespace(file(directory, "plain", plain))).isFalse();
    var within = plain.with("c/charts/sub/templates/b.yaml", "kind: ClusterRole\n");
    assertThat(reach.exceedsNamespace(file(directory, "within", within))).isTrue();
    var packed = new PackedChart().with("c/charts/sub.tgz", "packed");
    assertThat(reach.exceedsNamespace(file(directory, "packed", packed))).isTrue();
    assertThat(reach.exceedsNamespace(directory.resolve("absent"))).isTrue();
  }

  private static Path file(Path directory, String name, PackedChart chart) throws IOException {
    return Files.write(directory.resolve(name), chart.bytes());
  }

  private static Arguments row(String rule, String template, boolean beyond) {
    return Arguments.of(rule, template, beyond);
  }
}
