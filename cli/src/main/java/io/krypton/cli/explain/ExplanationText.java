package io.krypton.cli.explain;

import io.krypton.cli.view.Cell;
import io.krypton.cli.view.Table;
import io.krypton.cli.view.Table.Row;
import io.krypton.cli.view.Tone;
import java.util.ArrayList;
import java.util.List;

/** An explanation for people; pure. */
final class ExplanationText {
  private static final String INDENT = "  ";

  private final boolean colours;
  private final List<String> lines = new ArrayList<>();

  private ExplanationText(boolean colours) {
    this.colours = colours;
  }

  static List<String> lines(Explanation explanation, boolean colours) {
    var text = new ExplanationText(colours);
    text.lines.add(Tone.STRONG.paint(explanation.object(), colours) + ": " + explanation.summary());
    text.events(explanation.events());
    text.conditions(explanation.conditions());
    text.releases(explanation.releases());
    text.heading("What next");
    explanation.next().forEach(step -> text.lines.add(INDENT + "- " + step));
    return List.copyOf(text.lines);
  }

  private void events(List<Explanation.Happened> events) {
    heading("What happened");
    if (events.isEmpty()) {
      lines.add(INDENT + "no events; they are kept for about an hour");
      return;
    }
    table(
        events.stream()
            .map(
                event ->
                    List.of(
                        Cell.of(event.age() + " ago"),
                        new Cell(
                            event.reason(),
                            event.type().equals("Warning") ? Tone.WARNING : Tone.PLAIN),
                        Cell.of(
                            event.message()
                                + (event.count() > 1
                                    ? " (%d times)".formatted(event.count())
                                    : ""))))
            .toList(),
        3);
  }

  private void conditions(List<Explanation.Said> conditions) {
    heading("Why");
    if (conditions.isEmpty()) {
      lines.add(INDENT + "no conditions yet");
      return;
    }
    table(
        conditions.stream()
            .map(
                said ->
                    List.of(
                        Cell.of(said.type()),
                        Cell.of(said.status()),
                        Cell.of(said.reason()),
                        Cell.of("for " + said.since()),
                        Cell.of(said.message())))
            .toList(),
        5);
  }

  private void releases(List<Explanation.Where> releases) {
    if (releases.isEmpty()) {
      return;
    }
    heading("Releases");
    for (var release : releases) {
      lines.add(
          INDENT
              + "%s: %s in namespace %s, revision %s, chart %s"
                  .formatted(
                      release.cluster(),
                      release.release(),
                      release.namespace(),
                      release.revision(),
                      release.chart()));
    }
  }

  private void heading(String title) {
    lines.add("");
    lines.add(Tone.STRONG.paint(title, colours));
  }

  private void table(List<List<Cell>> rows, int width) {
    var columns = Table.columns("", "", "", "", "").subList(0, width);
    var table = new Table(columns, rows.stream().map(cells -> new Row("", cells)).toList());
    table.lines(new Table.Style(false, false, colours)).forEach(line -> lines.add(INDENT + line));
  }
}
