// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import io.krypton.cli.view.Terminal.TextStyle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Columns and rows, laid out as kubectl does. */
public record Table(List<Column> columns, List<Row> rows) {
  private static final String GAP = "   ";

  public Table {
    columns = List.copyOf(columns);
    rows = List.copyOf(rows);
  }

  /** A column that shows always or only when a wide table is asked for. */
  public record Column(String title, boolean onlyWide) {
    public static Column of(String title) {
      return new Column(title, false);
    }

    public static Column wide(String title) {
      return new Column(title, true);
    }
  }

  /**
   * One line.
   *
   * @param key tells a row apart from the others when the table is shown again
   */
  public record Row(String key, List<Cell> cells) {
    public Row {
      cells = List.copyOf(cells);
    }

    boolean hasSameContentAs(Row other) {
      return key.equals(other.key)
          && cells.size() == other.cells.size()
          && IntStream.range(0, cells.size())
              .allMatch(index -> cells.get(index).hasSameContentAs(other.cells.get(index)));
    }
  }

  /** How it is to be shown. */
  public record Layout(boolean wide, boolean headers, boolean colours) {}

  public List<String> lines(Layout layout) {
    var shown = shown(layout);
    var widths = widths(shown);
    var lines = new ArrayList<String>();
    if (layout.headers()) {
      var titles =
          shown.stream()
              .map(index -> new Cell(columns.get(index).title(), TextStyle.PLAIN))
              .toList();
      lines.add(line(titles, widths, false));
    }
    rows.forEach(row -> lines.add(line(cells(row, shown), widths, layout.colours())));
    return lines;
  }

  /** The rows that another look changed or added, laid out like the whole. */
  public List<String> linesSince(Table before, Layout layout) {
    var fresh =
        rows.stream().filter(row -> before.rows.stream().noneMatch(row::hasSameContentAs)).toList();
    var shown = shown(layout);
    var widths = widths(shown);
    return fresh.stream().map(row -> line(cells(row, shown), widths, layout.colours())).toList();
  }

  private List<Integer> shown(Layout layout) {
    return IntStream.range(0, columns.size())
        .filter(index -> layout.wide() || !columns.get(index).onlyWide())
        .boxed()
        .toList();
  }

  private int[] widths(List<Integer> shown) {
    return shown.stream()
        .mapToInt(
            index ->
                Math.max(
                    columns.get(index).title().length(),
                    rows.stream()
                        .mapToInt(row -> row.cells().get(index).text().length())
                        .max()
                        .orElse(0)))
        .toArray();
  }

  private static List<Cell> cells(Row row, List<Integer> shown) {
    return shown.stream().map(row.cells()::get).toList();
  }

  private static String line(List<Cell> cells, int[] widths, boolean colours) {
    var line = new StringBuilder();
    for (var i = 0; i < cells.size(); i++) {
      var cell = cells.get(i);
      line.append(cell.style().paint(cell.text(), colours));
      if (i < cells.size() - 1) {
        line.append(" ".repeat(widths[i] - cell.text().length())).append(GAP);
      }
    }
    return line.toString();
  }

  public static List<Column> columns(String... titles) {
    return Arrays.stream(titles).map(Column::of).toList();
  }

  /**
   * One field of a table; always one line.
   *
   * @param untracked changes by itself, such as an age, so that a change is no news
   */
  public record Cell(String text, TextStyle style, boolean untracked) {
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    public Cell {
      // Texts of others may hold sequences that a terminal obeys.
      text = text.isBlank() ? "-" : CONTROL.matcher(firstLine(text)).replaceAll(" ");
    }

    private static String firstLine(String text) {
      return text.lines().findFirst().orElse("-").strip();
    }

    public Cell(String text, TextStyle tone) {
      this(text, tone, false);
    }

    public static Cell of(@Nullable Object value) {
      return new Cell(value == null ? "" : value.toString(), TextStyle.PLAIN);
    }

    public static Cell untracked(@Nullable Object value) {
      return new Cell(value == null ? "" : value.toString(), TextStyle.PLAIN, true);
    }

    boolean hasSameContentAs(Cell other) {
      return untracked ? other.untracked : equals(other);
    }

    /** A word whose meaning shows in its colour. */
    public static Cell state(@Nullable String word) {
      var text = word == null || word.isEmpty() ? "-" : word;
      return new Cell(text, TextStyle.of(text));
    }
  }
}
