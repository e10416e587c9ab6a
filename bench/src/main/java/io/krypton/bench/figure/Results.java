package io.krypton.bench.figure;

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
}
