// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.explain;

import io.krypton.cli.view.Table;
import io.krypton.cli.view.Table.Cell;
import io.krypton.cli.view.Table.Row;
import io.krypton.cli.view.Terminal.TextStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** An explanation for people; pure. */
final class ExplanationText {
  private static final String INDENT = "  ";

  private final boolean colours;
  private final List<String> lines = new ArrayList<>();
  private final RepeatedMessages repeated = new RepeatedMessages();

  private ExplanationText(boolean colours) {
    this.colours = colours;
  }

  static List<String> lines(Explanation explanation, boolean colours) {
    var text = new ExplanationText(colours);
    text.lines.add(
        TextStyle.STRONG.paint(explanation.object(), colours) + ": " + explanation.summary());
    text.repeated.add(explanation.summary());
    text.events(explanation.events());
    text.conditions(explanation.conditions());
    text.releases(explanation.releases());
    text.heading("What next");
    explanation.next().forEach(step -> text.lines.add(INDENT + "- " + step));
    return List.copyOf(text.lines);
  }

  private void events(List<Explanation.ObjectEvent> events) {
    heading("What happened");
    if (events.isEmpty()) {
      lines.add(INDENT + "no events; they are kept for about an hour");
      return;
    }
    var messages = events.stream().map(this::message).toList();
    var rows =
        IntStream.range(0, events.size())
            .mapToObj(
                i ->
                    List.of(
                        Cell.of(events.get(i).age() + " ago"),
                        new Cell(
                            events.get(i).reason(),
                            events.get(i).type().equals("Warning")
                                ? TextStyle.WARNING
                                : TextStyle.PLAIN),
                        Cell.of(messages.get(i))))
            .toList();
    table(rows, messages, 3);
  }

  private String message(Explanation.ObjectEvent event) {
    var message = repeated.abbreviate(event.message());
    return event.count() > 1 ? message + " (%d times)".formatted(event.count()) : message;
  }

  private void conditions(List<Explanation.ConditionSummary> conditions) {
    heading("Why");
    if (conditions.isEmpty()) {
      lines.add(INDENT + "no conditions yet");
      return;
    }
    var messages =
        conditions.stream()
            .map(conditionSummary -> repeated.abbreviate(conditionSummary.message()))
            .toList();
    var rows =
        IntStream.range(0, conditions.size())
            .mapToObj(i -> row(conditions.get(i), messages.get(i)))
            .toList();
    table(rows, messages, 5);
  }

  private static List<Cell> row(Explanation.ConditionSummary conditionSummary, String message) {
    return List.of(
        Cell.of(conditionSummary.type()),
        Cell.of(conditionSummary.status()),
        Cell.of(conditionSummary.reason()),
        Cell.of("for " + conditionSummary.since()),
        Cell.of(message));
  }

  private void releases(List<Explanation.ReleaseLocation> releases) {
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
    lines.add(TextStyle.STRONG.paint(title, colours));
  }

  /** The last cell of each row is the first line of its message. */
  private void table(List<List<Cell>> rows, List<String> messages, int width) {
    var columns = Table.columns("", "", "", "", "").subList(0, width);
    var table = new Table(columns, rows.stream().map(cells -> new Row("", cells)).toList());
    var shown = table.lines(new Table.Layout(false, false, colours));
    for (var i = 0; i < shown.size(); i++) {
      lines.add(INDENT + shown.get(i));
      // A message of several lines goes on below its row.
      messages.get(i).lines().skip(1).forEach(line -> lines.add(INDENT + INDENT + line));
    }
  }

  /** Remembers long messages, so that each is told in full only once. */
  static final class RepeatedMessages {
    static final String AS_ABOVE = "(as above)";

    /** What is shorter may be repeated: it reads faster than a reference. */
    private static final int MIN_LENGTH = 60;

    private final List<String> messages = new ArrayList<>();

    /** The message, without the part that was told before. */
    String abbreviate(String message) {
      if (messages.stream()
          .anyMatch(told -> message.length() >= MIN_LENGTH && told.contains(message))) {
        return AS_ABOVE;
      }
      var before = messages.stream().filter(message::contains).findFirst();
      add(message);
      return before.map(told -> message.replace(told, AS_ABOVE)).orElse(message);
    }

    void add(String message) {
      if (message.length() >= MIN_LENGTH) {
        messages.addFirst(message);
      }
    }
  }
}
