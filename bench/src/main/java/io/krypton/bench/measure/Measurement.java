// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.measure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Measures one thing. Each run starts from nothing and leaves nothing behind. */
public interface Measurement {
  /** What it is called on the command line. */
  String name();

  /** The size for the published figures. */
  Parameters full();

  /** A size that is worth seconds, if there is one. */
  Optional<Parameters> quick();

  /** The size that shows whether its goals are reached, if it has goals of a rollout. */
  default Optional<Parameters> goals() {
    return Optional.empty();
  }

  /** How long it will about take, to be told in advance. */
  Duration expected(Parameters parameters);

  void run(
      BenchEnvironment benchEnvironment,
      Parameters parameters,
      MeasurementRecorder measurementRecorder)
      throws Exception;

  /**
   * What is measured, and where.
   *
   * @param distribution as {@code make build} leaves it
   * @param scratch an empty directory of this measurement
   */
  record BenchEnvironment(Path distribution, Path scratch) {}

  /** Named whole numbers that say how large a measurement is; a name may have several. */
  record Parameters(Map<String, List<Integer>> values) {
    public Parameters {
      values = Map.copyOf(values);
    }

    /** From words such as {@code tenants=10,100}. */
    public static Parameters of(String... words) {
      var values = new LinkedHashMap<String, List<Integer>>();
      for (var word : words) {
        var parts = word.split("=", 2);
        if (parts.length != 2 || !parts[1].matches("\\d+(,\\d+)*")) {
          throw new IllegalArgumentException(
              "'%s' is not of the form name=number or name=number,number".formatted(word));
        }
        values.put(parts[0], Stream.of(parts[1].split(",")).map(Integer::valueOf).toList());
      }
      return new Parameters(values);
    }

    /** These, with some replaced; a name that is not known here is a mistake. */
    public Parameters with(Parameters others) {
      var merged = new LinkedHashMap<>(values);
      others.values.forEach(
          (name, numbers) -> {
            if (merged.replace(name, numbers) == null) {
              throw new IllegalArgumentException(
                  "no parameter '%s'; there are %s".formatted(name, values.keySet()));
            }
          });
      return new Parameters(merged);
    }

    public List<Integer> numbers(String name) {
      var numbers = values.get(name);
      if (numbers == null) {
        throw new IllegalArgumentException("no parameter '%s'".formatted(name));
      }
      return numbers;
    }

    public int number(String name) {
      return numbers(name).getFirst();
    }
  }
}
