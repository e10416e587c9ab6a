package io.krypton.bench.kms;

import io.krypton.bench.figure.Distribution;
import io.krypton.bench.figure.Figure;
import io.krypton.bench.figure.Figure.Better;
import io.krypton.bench.figure.Findings;
import io.krypton.bench.measure.Bench;
import io.krypton.bench.measure.Measurement;
import io.krypton.bench.measure.Parameters;
import io.krypton.sandbox.ControlPlane;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the reporter costs on a node: two plugins, a real API server, all settings at their
 * defaults.
 */
public final class ReporterMeasurement implements Measurement {
  private static final double START_GOAL = 1000;
  private static final double RESIDENT_GOAL = 90;
  private static final double KIB_PER_MB = 1000;

  /** It gives back what its start took only after some seconds. */
  private static final int SETTLED = 20;

  /** The system counts in hundredths of a second, of which it uses a few in a minute. */
  private static final int LONG_ENOUGH = 60;

  @Override
  public String name() {
    return "reporter";
  }

  @Override
  public Parameters full() {
    return Parameters.of("starts=7", "settle-seconds=20", "watch-seconds=90");
  }

  @Override
  public Optional<Parameters> quick() {
    return Optional.of(Parameters.of("starts=2", "settle-seconds=2", "watch-seconds=4"));
  }

  @Override
  public Duration expected(Parameters parameters) {
    return Duration.ofSeconds(
        10
            + 3L * parameters.number("starts")
            + parameters.number("settle-seconds")
            + parameters.number("watch-seconds"));
  }

  @Override
  public void run(Bench bench, Parameters parameters, Findings findings) throws Exception {
    try (var plane = ControlPlane.builder("bench").withoutControllerManager().start();
        var _ = Plugins.here(bench.scratch(), 1);
        var _ = Plugins.here(bench.scratch(), 2)) {
      HealthObject.prepare(plane);
      Files.writeString(bench.scratch().resolve("kubeconfig"), plane.adminKubeconfig());
      var with = starts(bench, "with", "", parameters.number("starts"));
      var without = starts(bench, "without", "-XX:AOTMode=off", parameters.number("starts"));
      started(findings, "with", with);
      started(findings, "without", without);
      findings.add(
          Figure.ratio(
              "reporter/start-with-of-without",
              "start with the cache, by that without",
              with.median() / without.median(),
              "",
              Better.LOWER));
      // Both at the same time: they hardly use a processor, and the wait is the same.
      try (var cached = start(bench, "with", "");
          var plain = start(bench, "without", "-XX:AOTMode=off")) {
        Thread.sleep(Duration.ofSeconds(parameters.number("settle-seconds")));
        var cachedCpu = cached.cpu();
        var plainCpu = plain.cpu();
        Thread.sleep(Duration.ofSeconds(parameters.number("watch-seconds")));
        var cachedUsed = cached.cpu() - cachedCpu;
        var plainUsed = plain.cpu() - plainCpu;
        var goal = parameters.number("settle-seconds") >= SETTLED ? RESIDENT_GOAL : null;
        resident(findings, "with", cached, goal);
        resident(findings, "without", plain, goal);
        if (parameters.number("watch-seconds") >= LONG_ENOUGH) {
          var perHour = 3600.0 / parameters.number("watch-seconds");
          cpu(findings, "with", cachedUsed * perHour);
          cpu(findings, "without", plainUsed * perHour);
        }
      }
    }
  }

  private static BenchReporter start(Bench bench, String node, String options) throws Exception {
    return BenchReporter.start(
        bench.distribution(),
        bench.scratch(),
        node,
        options,
        Plugins.named(bench.scratch(), 1) + "," + Plugins.named(bench.scratch(), 2));
  }

  private static Distribution starts(Bench bench, String node, String options, int count)
      throws Exception {
    var times = new ArrayList<Duration>();
    for (var i = 0; i < count; i++) {
      try (var reporter = start(bench, node, options)) {
        times.add(reporter.toFirstProbe());
      }
    }
    return Distribution.ofMillis(times);
  }

  private static void started(Findings findings, String which, Distribution starts) {
    var figure =
        Figure.of(
            "reporter/%s/start".formatted(which),
            "start to first probe, %s cache of classes: median of %d"
                .formatted(which, starts.values().size()),
            starts.median(),
            "ms",
            Better.LOWER);
    findings.add(figure.withGoal(START_GOAL));
  }

  private static void resident(
      Findings findings, String which, BenchReporter reporter, @Nullable Double goal)
      throws Exception {
    var resident =
        Figure.of(
            "reporter/%s/resident".formatted(which),
            "memory, %s cache".formatted(which),
            reporter.figures().residentKib() / KIB_PER_MB,
            "MB",
            Better.LOWER);
    findings.add(goal == null ? resident : resident.withGoal(goal));
  }

  private static void cpu(Findings findings, String which, double perHour) {
    findings.add(
        Figure.of(
            "reporter/%s/cpu".formatted(which),
            "processor time per hour, %s cache".formatted(which),
            perHour,
            "s/h",
            Better.LOWER));
  }
}
