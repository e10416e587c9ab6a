// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.measure;

import java.util.List;
import java.util.Map;

/** All of one run. */
public record Results(
    Map<String, String> circumstances,
    List<Figure> figures,
    List<Plot> plots,
    Map<String, String> texts) {
  public Results {
    figures = List.copyOf(figures);
    plots = List.copyOf(plots);
  }

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
}
