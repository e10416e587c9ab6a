// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.cli.view.Table.Cell;
import io.krypton.cli.view.Table.Column;
import io.krypton.cli.view.Table.Row;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
  private static final Table.Layout PLAIN = new Table.Layout(false, true, false);
  private static final List<Column> COLUMNS =
      List.of(Column.of("NAME"), Column.of("PHASE"), Column.wide("MESSAGE"));

  private static Row row(String name, String phase) {
    return new Row(name, List.of(Cell.of(name), Cell.state(phase), Cell.of("two\nlines")));
  }

  @Test
  void columns_are_as_wide_as_their_widest_field_and_lines_end_without_blanks() {
    var table = new Table(COLUMNS, List.of(row("acme", "Ready"), row("a-longer-name", "Error")));

    assertThat(table.lines(PLAIN))
        .containsExactly("NAME            PHASE", "acme            Ready", "a-longer-name   Error");
  }

  @Test
  void a_wide_table_shows_more_and_every_field_is_one_line() {
    var table = new Table(COLUMNS, List.of(row("acme", "Ready")));

    assertThat(table.lines(new Table.Layout(true, false, false)))
        .containsExactly("acme   Ready   two");
  }

  @Test
  void colours_do_not_count_for_the_width() {
    var rows = List.of(row("acme", "Ready"));
    var padded = new Table(List.of(COLUMNS.get(1), COLUMNS.get(0)), List.of(swapped(rows.get(0))));

    assertThat(padded.lines(new Table.Layout(false, true, true)))
        .containsExactly("PHASE   NAME", "\033[32mReady\033[0m   acme");
  }

  private static Row swapped(Row row) {
    return new Row(row.key(), List.of(row.cells().get(1), row.cells().get(0)));
  }

  @Test
  void an_empty_field_is_a_dash() {
    var table =
        new Table(
            Table.columns("A", "B"), List.of(new Row("", List.of(Cell.of(null), Cell.of(" ")))));

    assertThat(table.lines(PLAIN)).containsExactly("A   B", "-   -");
  }

  @Test
  void another_look_shows_only_what_is_new_or_changed() {
    var before = new Table(COLUMNS, List.of(row("a", "Ready"), row("b", "Pending")));
    var after =
        new Table(COLUMNS, List.of(row("a", "Ready"), row("b", "Ready"), row("c", "Pending")));

    assertThat(after.linesSince(before, PLAIN)).containsExactly("b      Ready", "c      Pending");
    assertThat(after.linesSince(after, PLAIN)).isEmpty();
  }

  @Test
  void that_time_goes_by_is_no_change() {
    var before = new Table(COLUMNS, List.of(aged("a", "Ready", "5s"), aged("b", "Pending", "5s")));
    var after = new Table(COLUMNS, List.of(aged("a", "Ready", "9s"), aged("b", "Ready", "9s")));

    assertThat(after.linesSince(before, PLAIN)).containsExactly("b      Ready");
  }

  private static Row aged(String name, String phase, String age) {
    return new Row(name, List.of(Cell.of(name), Cell.state(phase), Cell.untracked(age)));
  }
}
