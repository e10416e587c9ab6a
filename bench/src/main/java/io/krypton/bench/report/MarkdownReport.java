// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.report;

import io.krypton.bench.measure.Figure;
import io.krypton.bench.measure.Figure.FigureFormat;
import io.krypton.bench.measure.Results;
import io.krypton.bench.measure.Results.Plot;
import java.util.stream.Collectors;

/** Results as Markdown: what they were measured on, one table, the plots. */
public final class MarkdownReport {
  private MarkdownReport() {}

  public static String of(Results results) {
    var text = new StringBuilder("# Results\n\n");
    results
        .circumstances()
        .forEach((name, value) -> text.append("- %s: %s%n".formatted(name, value)));
    text.append("\n| Measurement | Figure | Value | Goal | Id |\n|---|---|---:|---|---|\n");
    results.figures().forEach(figure -> text.append(row(figure)));
    text.append(
        "\nIds in **bold** are ratios, which mean the same on other machines; the others are true for this one only.\n");
    results
        .texts()
        .forEach((heading, content) -> text.append("\n## %s%n%n%s".formatted(heading, content)));
    if (!results.plots().isEmpty()) {
      text.append("\n## Plots\n\n")
          .append(
              results.plots().stream()
                  .map(MarkdownReport::picture)
                  .collect(Collectors.joining("\n")))
          .append('\n');
    }
    return text.toString();
  }

  private static String row(Figure figure) {
    var measurement = figure.id().substring(0, figure.id().indexOf('/'));
    var id = figure.ratio() ? "**`%s`**" : "`%s`";
    return "| %s | %s | %s | %s | %s |%n"
        .formatted(
            measurement,
            figure.what(),
            FigureFormat.value(figure),
            FigureFormat.goal(figure),
            id.formatted(figure.id()));
  }

  private static String picture(Plot plot) {
    return "![%s](%s.png)".formatted(plot.title(), plot.file());
  }
}
