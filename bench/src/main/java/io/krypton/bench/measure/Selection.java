// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.measure;

import io.krypton.bench.measure.Measurement.Parameters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Which measurements are wanted, each with its size. */
public record Selection(List<Chosen> chosen) {
  public Selection {
    chosen = List.copyOf(chosen);
  }

  /** One of them. */
  public record Chosen(Measurement measurement, Parameters parameters) {
    public Duration expected() {
      return measurement.expected(parameters);
    }
  }

  /**
   * Reads the words of a command line: {@code full}, {@code quick}, {@code goals}, or names of
   * measurements, each followed by parameters that replace those of its full size.
   */
  public static Selection of(List<Measurement> all, List<String> words) {
    return switch (words.isEmpty() ? "full" : words.getFirst()) {
      case "full" -> new Selection(all.stream().map(it -> new Chosen(it, it.full())).toList());
      case "quick" -> sized(all, Measurement::quick);
      case "goals" -> sized(all, Measurement::goals);
      default -> named(all, words);
    };
  }

  private static Selection sized(
      List<Measurement> all, Function<Measurement, Optional<Parameters>> sizes) {
    return new Selection(
        all.stream()
            .flatMap(it -> sizes.apply(it).map(size -> new Chosen(it, size)).stream())
            .toList());
  }

  private static Selection named(List<Measurement> all, List<String> words) {
    var chosen = new ArrayList<Chosen>();
    for (var at = 0; at < words.size(); ) {
      var end = at + 1;
      while (end < words.size() && words.get(end).contains("=")) {
        end++;
      }
      var measurement = find(all, words.get(at));
      var sizes = words.subList(at + 1, end).toArray(String[]::new);
      chosen.add(new Chosen(measurement, measurement.full().with(Parameters.of(sizes))));
      at = end;
    }
    return new Selection(chosen);
  }

  private static Measurement find(List<Measurement> all, String name) {
    return all.stream()
        .filter(it -> it.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no measurement '%s'; there are full, quick, goals, %s"
                        .formatted(
                            name,
                            all.stream()
                                .map(Measurement::name)
                                .collect(Collectors.joining(", ")))));
  }

  public Duration expected() {
    return chosen.stream().map(Chosen::expected).reduce(Duration.ZERO, Duration::plus);
  }
}
