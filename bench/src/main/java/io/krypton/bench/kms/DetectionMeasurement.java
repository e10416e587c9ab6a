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

/**
 * A plugin is killed and comes back: when does the API say so?
 *
 * <p>A reporter spares a plugin that dies again and again: ten probes a minute may come before
 * their time, and each kill takes two. Several plugins therefore die in turns, as in life, and one
 * alone in a row shows what a crash loop looks like.
 */
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
    return Parameters.of("kills=50", "plugins=10", "crash-loop=8");
  }

  @Override
  public Optional<Parameters> quick() {
    return Optional.empty();
  }

  @Override
  public Duration expected(Parameters parameters) {
    return Duration.ofSeconds(
        10
            + 2L * parameters.number("plugins")
            + 3L * parameters.number("kills")
            + 8L * parameters.number("crash-loop"));
  }

  @Override
  public void run(Bench bench, Parameters parameters, Findings findings) throws Exception {
    try (var plane = ControlPlane.builder("bench").withoutControllerManager().start()) {
      var object = HealthObject.prepare(plane);
      Files.writeString(bench.scratch().resolve("kubeconfig"), plane.adminKubeconfig());
      try (var victims = Victims.start(bench, parameters.number("plugins"));
          var _ =
              BenchReporter.start(
                  bench.distribution(), bench.scratch(), NODE, "", victims.sockets())) {
        var inTurns = new Course();
        for (var i = 0; i < parameters.number("kills"); i++) {
          inTurns.kill(victims, 1 + i % parameters.number("plugins"), object);
        }
        tell(findings, "down", "plugin killed, until the API says so", inTurns.down);
        tell(findings, "up", "plugin's socket back, until the API says so", inTurns.up);
        if (parameters.number("crash-loop") > 0) {
          crashLoop(victims, parameters.number("crash-loop"), object, findings);
        }
      }
    }
  }

  /** No goal: from the sixth death within a minute on, the ordinary pace of ten seconds counts. */
  private static void crashLoop(Victims victims, int kills, HealthObject object, Findings findings)
      throws Exception {
    var inARow = new Course();
    for (var i = 0; i < kills; i++) {
      inARow.kill(victims, 1, object);
    }
    findings.add(
        Figure.of(
            "detection/crash-loop-worst",
            "one plugin killed again as soon as it is back: worst of " + kills,
            Distribution.ofMillis(inARow.down).worst(),
            "ms",
            Better.LOWER));
  }

  /** What some kills took. */
  private static final class Course {
    private final List<Duration> down = new ArrayList<>();
    private final List<Duration> up = new ArrayList<>();

    void kill(Victims victims, int plugin, HealthObject object) throws Exception {
      Waiting.until("a healthy report", () -> object.says(NODE, plugin, "healthy"));
      victims.kill(plugin);
      down.add(Waiting.timed("the report", () -> object.says(NODE, plugin, "unreachable")));
      victims.raise(plugin);
      up.add(Waiting.timed("the report", () -> object.says(NODE, plugin, "healthy")));
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
