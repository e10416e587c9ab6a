package io.krypton.bench.kms;

import io.krypton.bench.figure.Distribution;
import io.krypton.bench.figure.Figure;
import io.krypton.bench.figure.Figure.Better;
import io.krypton.bench.figure.Findings;
import io.krypton.bench.figure.Findings.Axes;
import io.krypton.bench.lab.Waiting;
import io.krypton.bench.measure.Bench;
import io.krypton.bench.measure.Measurement;
import io.krypton.bench.measure.Parameters;
import io.krypton.sandbox.ControlPlane;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A plugin is killed and comes back: when does the API say so? */
public final class DetectionMeasurement implements Measurement {
  private static final String NODE = "detection";
  private static final double GOAL = 3000;
  private static final Axes AXES =
      new Axes(
          "detection", "KMS: from a plugin's end to the report of it", "percent of kills", "ms");

  @Override
  public String name() {
    return "detection";
  }

  @Override
  public Parameters full() {
    return Parameters.of("kills=50");
  }

  @Override
  public Optional<Parameters> quick() {
    return Optional.of(Parameters.of("kills=3"));
  }

  @Override
  public Duration expected(Parameters parameters) {
    return Duration.ofSeconds(10 + 3L * parameters.number("kills"));
  }

  @Override
  public void run(Bench bench, Parameters parameters, Findings findings) throws Exception {
    try (var plane = ControlPlane.builder("bench").withoutControllerManager().start()) {
      var object = HealthObject.prepare(plane);
      Files.writeString(bench.scratch().resolve("kubeconfig"), plane.adminKubeconfig());
      var plugin = Plugins.apart(bench.distribution(), bench.scratch(), 1);
      try (var _ =
          BenchReporter.start(
              bench.distribution(), bench.scratch(), NODE, "", Plugins.named(bench.scratch(), 1))) {
        var down = new ArrayList<Duration>();
        var up = new ArrayList<Duration>();
        for (var i = 0; i < parameters.number("kills"); i++) {
          Waiting.until("a healthy report", () -> object.says(NODE, "healthy"));
          plugin.destroyForcibly();
          down.add(Waiting.timed("the report", () -> object.says(NODE, "unreachable")));
          plugin.onExit().join();
          // Whoever was killed left it behind; the next one shall be measured from its own.
          Files.deleteIfExists(Plugins.socket(bench.scratch(), 1));
          plugin = Plugins.apart(bench.distribution(), bench.scratch(), 1);
          Waiting.timed("the socket", () -> Files.exists(Plugins.socket(bench.scratch(), 1)));
          up.add(Waiting.timed("the report", () -> object.says(NODE, "healthy")));
        }
        tell(findings, "down", "plugin killed, until the API says so", down);
        tell(findings, "up", "plugin's socket back, until the API says so", up);
      } finally {
        plugin.destroyForcibly().onExit().join();
      }
    }
  }

  private static void tell(Findings findings, String which, String what, List<Duration> times) {
    var all = Distribution.ofMillis(times);
    var id = "detection/%s-".formatted(which);
    findings.add(Figure.of(id + "median", what + ": median", all.median(), "ms", Better.LOWER));
    findings.add(Figure.of(id + "p99", what + ": p99", all.quantile(0.99), "ms", Better.LOWER));
    findings.add(
        Figure.of(
                id + "worst",
                "%s: worst of %d".formatted(what, times.size()),
                all.worst(),
                "ms",
                Better.LOWER)
            .withGoal(GOAL));
    for (var i = 0; i < all.values().size(); i++) {
      findings.point(AXES, which, 100.0 * (i + 1) / all.values().size(), all.values().get(i));
    }
  }
}
