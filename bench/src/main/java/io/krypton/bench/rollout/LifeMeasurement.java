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
    return Parameters.of("tenants=300", "quiet-seconds=300", "drifts=20", "plain=40");
  }

  @Override
  public Optional<Parameters> quick() {
    return Optional.of(Parameters.of("tenants=12", "quiet-seconds=5", "drifts=2", "plain=8"));
  }

  @Override
  public Duration expected(Parameters parameters) {
    return Duration.ofMillis(
        35_000
            + 1000L * parameters.number("quiet-seconds")
            + 330L * parameters.number("tenants")
            + 1000L * parameters.number("drifts")
            + 350L * parameters.number("plain"));
  }

  @Override
  public void run(Bench bench, Parameters parameters, Findings findings) throws Exception {
    var tenants = parameters.number("tenants");
    try (var scene = Scene.set(bench, UnaryOperator.identity())) {
      try (var operator = scene.operator()) {
        operator.awaitEngaged(1);
        findings.step("rolling out %d tenants".formatted(tenants));
        for (var i = 0; i < tenants; i++) {
          scene.tenants().create("tenant-" + i);
        }
        operator.awaitReady(tenants);
        operator.awaitQuiet();
        findings.step("silence");
        SteadyPhase.run(
            operator,
            tenants + " releases",
            "life/" + tenants + "/steady-",
            Duration.ofSeconds(parameters.number("quiet-seconds")),
            findings);
        findings.step("drift");
        DriftPhase.run(scene, tenants, parameters.number("drifts"), findings);
      }
      findings.step("upgrade");
      UpgradePhase.run(scene, tenants, parameters.number("plain"), findings);
    }
  }
}
