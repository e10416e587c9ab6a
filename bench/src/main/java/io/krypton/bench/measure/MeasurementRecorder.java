// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.measure;

import io.krypton.bench.measure.Figure.FigureFormat;
import io.krypton.bench.measure.Results.Plot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Collects what measurements find, and tells it at once to whoever watches. */
public final class MeasurementRecorder {
  private final Consumer<String> progress;
  private final List<Figure> figures = new ArrayList<>();
  private final Map<String, Drawing> drawings = new LinkedHashMap<>();
  private final Map<String, String> texts = new LinkedHashMap<>();

  private record Drawing(String title, String x, String y, Map<String, List<Plot.Point>> lines) {}

  public MeasurementRecorder(Consumer<String> progress) {
    this.progress = progress;
  }

  /** A step begins, for the eyes of whoever waits. */
  public void step(String what) {
    progress.accept("  . " + what);
  }

  /** Each id once: whoever compares two runs finds a figure by it. */
  public void add(Figure figure) {
    if (figures.stream().anyMatch(known -> known.id().equals(figure.id()))) {
      throw new IllegalArgumentException("two figures with the id " + figure.id());
    }
    figures.add(figure);
    progress.accept("  " + FigureFormat.line(figure));
  }

  /** Begins a plot, or goes on with it: several measurements may add points to one. */
  public void point(Axes axes, String line, double x, double y) {
    drawings
        .computeIfAbsent(
            axes.file(),
            file -> new Drawing(axes.title(), axes.x(), axes.y(), new LinkedHashMap<>()))
        .lines()
        .computeIfAbsent(line, name -> new ArrayList<>())
        .add(new Plot.Point(x, y));
  }

  /** Names a plot and what its axes show. */
  public record Axes(String file, String title, String x, String y) {}

  /** Something that is no number, under a heading of its own. */
  public void text(String heading, String markdown) {
    texts.put(heading, markdown);
  }

  public List<Figure> figures() {
    return List.copyOf(figures);
  }

  public Map<String, String> texts() {
    return Map.copyOf(texts);
  }

  public List<Plot> plots() {
    return drawings.entrySet().stream()
        .map(
            it ->
                new Plot(
                    it.getKey(),
                    it.getValue().title(),
                    it.getValue().x(),
                    it.getValue().y(),
                    it.getValue().lines().entrySet().stream()
                        .map(line -> new Plot.Series(line.getKey(), line.getValue()))
                        .toList()))
        .toList();
  }
}
