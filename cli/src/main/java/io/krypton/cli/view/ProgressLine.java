// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How far a command is, and how that reads.
 *
 * @param label what is being done now
 * @param counts from coarse to fine: each counts within one unit of the one before
 */
record ProgressLine(String label, List<Count> counts) {
  private static final int BAR = 20;

  /** A bar would leave less than this for the text. */
  private static final int MIN_TEXT = 40;

  ProgressLine {
    counts = List.copyOf(counts);
  }

  /** Of one thing there is nothing to count, so it is neither told nor drawn. */
  record Count(int done, int total, String unit) {
    private boolean isTold() {
      return total > 1;
    }

    @Override
    public String toString() {
      return "%d/%d %s".formatted(done, total, unit);
    }
  }

  /** {@code planning edge: 1/3 clusters, 12/40 releases, 7 s}. */
  String text(Duration elapsed) {
    return label + tail(elapsed);
  }

  /** The same behind a bar, on one line: a label that is too long is cut, the counts are not. */
  String drawn(Duration elapsed, int columns) {
    // A full line would make some terminals go to the next one.
    var width = columns - 1;
    var bar = width - BAR - 3 >= MIN_TEXT ? bar() : "";
    var tail = tail(elapsed);
    var whole = bar + cut(label, width - bar.length() - tail.length()) + tail;
    return cut(whole, width);
  }

  private String tail(Duration elapsed) {
    var told = counts.stream().filter(Count::isTold).map(Count::toString);
    var parts =
        Stream.concat(told, Stream.of(elapsed.toSeconds() + " s"))
            .collect(Collectors.joining(", "));
    return (hasCounts() ? ": " : ", ") + parts;
  }

  private boolean hasCounts() {
    return counts.stream().anyMatch(Count::isTold);
  }

  private String bar() {
    if (!hasCounts()) {
      return "";
    }
    var filled = (int) (fraction() * BAR);
    return "[" + "#".repeat(filled) + "-".repeat(BAR - filled) + "] ";
  }

  private double fraction() {
    var fraction = 0.0;
    for (var count : counts.reversed()) {
      fraction = count.total() == 0 ? 0 : Math.min(1, (count.done() + fraction) / count.total());
    }
    return fraction;
  }

  private static String cut(String text, int width) {
    if (text.length() <= width) {
      return text;
    }
    return width < 1 ? "" : text.substring(0, width - 1) + "…";
  }
}
