package io.krypton.bench.rollout;

import io.krypton.bench.figure.Findings;
import io.krypton.bench.measure.Bench;
import io.krypton.bench.measure.Measurement;
import io.krypton.bench.measure.Parameters;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What releases cost after their rollout: while nothing happens, when they drift, when they are
 * upgraded.
 */
public final class LifeMeasurement implements Measurement {
  @Override
  public String name() {
    return "life";
  }

  @Override
  public Parameters full() {
    return Parameters.of("tenants=20,300", "quiet-seconds=300", "drifts=20", "plain=40");
  }

  @Override
  public Optional<Parameters> quick() {
    return Optional.of(Parameters.of("tenants=20", "quiet-seconds=0", "drifts=2", "plain=16"));
  }

  @Override
  public Duration expected(Parameters parameters) {
    var each = 25_000 + 1000L * parameters.number("drifts") + 350L * parameters.number("plain");
    var millis = SteadyPhase.expected(quiet(parameters)).toMillis();
    for (var tenants : parameters.numbers("tenants")) {
      millis += each + 330L * tenants;
    }
    return Duration.ofMillis(millis);
  }

  private static Duration quiet(Parameters parameters) {
    return Duration.ofSeconds(parameters.number("quiet-seconds"));
  }

  /** Silence takes long and is the same for all, so only the largest number is watched in it. */
  @Override
  public void run(Bench bench, Parameters parameters, Findings findings) throws Exception {
    var watched = quiet(parameters).isPositive();
    var largest = parameters.numbers("tenants").stream().max(Integer::compare).orElseThrow();
    for (var tenants : parameters.numbers("tenants")) {
      run(bench, tenants, tenants.equals(largest) && watched, parameters, findings);
    }
  }

  private static void run(
      Bench bench, int tenants, boolean watched, Parameters parameters, Findings findings)
      throws Exception {
    try (var scene = Scene.set(bench, UnaryOperator.identity())) {
      try (var operator = scene.operator()) {
        operator.awaitEngaged(1);
        findings.step("rolling out %d tenants".formatted(tenants));
        for (var i = 0; i < tenants; i++) {
          scene.tenants().create("tenant-" + i);
        }
        operator.awaitReady(tenants);
        operator.awaitQuiet();
        if (watched) {
          findings.step("silence");
          SteadyPhase.run(
              operator,
              tenants + " releases",
              "life/" + tenants + "/steady-",
              quiet(parameters),
              findings);
        }
        findings.step("drift");
        DriftPhase.run(scene, tenants, parameters.number("drifts"), findings);
      }
      findings.step("upgrade");
      UpgradePhase.run(scene, tenants, parameters.number("plain"), findings);
    }
  }
}
