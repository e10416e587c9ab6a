package io.krypton.bench.figure;

import java.util.List;

/**
 * A picture to draw.
 *
 * @param file its name without an ending
 */
public record Plot(String file, String title, String x, String y, List<Series> series) {
  public Plot {
    series = List.copyOf(series);
  }

  /** A line through points. */
  public record Series(String name, List<Point> points) {
    public Series {
      points = List.copyOf(points);
    }
  }

  /** One point of a line. */
  public record Point(double x, double y) {}
}
