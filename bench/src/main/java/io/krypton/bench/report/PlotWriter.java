// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.report;

import io.krypton.bench.measure.Results.Plot;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Path;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws plots as PNG files. */
public final class PlotWriter {
  private static final int WIDTH = 800;
  private static final int HEIGHT = 420;

  private PlotWriter() {}

  public static void draw(Path directory, Plot plot) throws IOException {
    BitmapEncoder.saveBitmap(
        chart(plot), directory.resolve(plot.file()).toString(), BitmapEncoder.BitmapFormat.PNG);
  }

  private static XYChart chart(Plot plot) {
    var chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(plot.title())
            .xAxisTitle(plot.x())
            .yAxisTitle(plot.y())
            .build();
    var style = chart.getStyler();
    style.setChartBackgroundColor(Color.WHITE);
    style.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 14));
    style.setLegendPosition(Styler.LegendPosition.OutsideE);
    style.setYAxisMin(0.0);
    for (var series : plot.series()) {
      chart
          .addSeries(
              series.name(),
              series.points().stream().mapToDouble(Plot.Point::x).toArray(),
              series.points().stream().mapToDouble(Plot.Point::y).toArray())
          .setMarker(SeriesMarkers.CIRCLE);
    }
    return chart;
  }
}
