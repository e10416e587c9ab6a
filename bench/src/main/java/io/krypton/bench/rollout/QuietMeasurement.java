// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.rollout;

import io.krypton.bench.harness.Tenants;
import io.krypton.bench.measure.Figure;
import io.krypton.bench.measure.Figure.Better;
import io.krypton.bench.measure.Measurement;
import io.krypton.bench.measure.Measurement.BenchEnvironment;
import io.krypton.bench.measure.Measurement.Parameters;
import io.krypton.bench.measure.MeasurementRecorder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Two clusters get all their Tenants in one go; then nothing happens for a long time. */
public final class QuietMeasurement implements Measurement {
  private static final int CLUSTERS = 2;

  @Override
  public String name() {
    return "quiet";
  }

  @Override
  public Parameters full() {
    return Parameters.of("tenants=100", "quiet-seconds=600");
  }

  @Override
  public Optional<Parameters> quick() {
    return Optional.empty();
  }

  @Override
  public Duration expected(Parameters parameters) {
    return Duration.ofMillis(
        30_000
            + 240L * CLUSTERS * parameters.number("tenants")
            + 1000L * parameters.number("quiet-seconds"));
  }

  @Override
  public void run(
      BenchEnvironment benchEnvironment,
      Parameters parameters,
      MeasurementRecorder measurementRecorder)
      throws Exception {
    var tenants = parameters.number("tenants");
    try (var testbed = Testbed.create(benchEnvironment, UnaryOperator.identity());
        var operator = testbed.operator()) {
      var home = testbed.home().plane();
      testbed.home().register("home", home.adminKubeconfig());
      operator.awaitEngaged(CLUSTERS);
      var begun = System.nanoTime();
      for (var i = 0; i < tenants; i++) {
        for (var plane : List.of(testbed.edge(), home)) {
          new Tenants(plane).create("tenant-" + i);
        }
      }
      operator.awaitReady(CLUSTERS * tenants);
      var id = "quiet/%dx%d/".formatted(CLUSTERS, tenants);
      measurementRecorder.add(
          Figure.of(
              id + "all-ready",
              "%d tenants on each of %d clusters in one go, to all ready"
                  .formatted(tenants, CLUSTERS),
              (System.nanoTime() - begun) / 1e9,
              "s",
              Better.LOWER));
      operator.awaitQuiet();
      SteadyPhase.run(
          operator,
          "%d releases on %d clusters".formatted(CLUSTERS * tenants, CLUSTERS),
          id + "steady-",
          Duration.ofSeconds(parameters.number("quiet-seconds")),
          measurementRecorder);
    }
  }
}
