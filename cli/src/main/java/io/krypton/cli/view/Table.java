package io.krypton.cli.view;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

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

    boolean saysTheSameAs(Row other) {
      return key.equals(other.key)
          && cells.size() == other.cells.size()
          && IntStream.range(0, cells.size())
              .allMatch(index -> cells.get(index).saysTheSameAs(other.cells.get(index)));
    }
  }

  /** How it is to be shown. */
  public record Style(boolean wide, boolean headers, boolean colours) {}

  public List<String> lines(Style style) {
    var shown = shown(style);
    var widths = widths(shown);
    var lines = new ArrayList<String>();
    if (style.headers()) {
      var titles =
          shown.stream().map(index -> new Cell(columns.get(index).title(), Tone.PLAIN)).toList();
      lines.add(line(titles, widths, false));
    }
    rows.forEach(row -> lines.add(line(cells(row, shown), widths, style.colours())));
    return lines;
  }

  /** The rows that another look changed or added, laid out like the whole. */
  public List<String> linesSince(Table before, Style style) {
    var fresh =
        rows.stream().filter(row -> before.rows.stream().noneMatch(row::saysTheSameAs)).toList();
    var shown = shown(style);
    var widths = widths(shown);
    return fresh.stream().map(row -> line(cells(row, shown), widths, style.colours())).toList();
  }

  private List<Integer> shown(Style style) {
    return IntStream.range(0, columns.size())
        .filter(index -> style.wide() || !columns.get(index).onlyWide())
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
      line.append(cell.tone().paint(cell.text(), colours));
      if (i < cells.size() - 1) {
        line.append(" ".repeat(widths[i] - cell.text().length())).append(GAP);
      }
    }
    return line.toString();
  }

  public static List<Column> columns(String... titles) {
    return Arrays.stream(titles).map(Column::of).toList();
  }
}
