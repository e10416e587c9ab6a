package io.krypton.bench;

import io.krypton.bench.figure.Findings;
import io.krypton.bench.figure.Machine;
import io.krypton.bench.figure.Results;
import io.krypton.bench.fleet.EngagementMeasurement;
import io.krypton.bench.kms.DetectionMeasurement;
import io.krypton.bench.kms.GateMeasurement;
import io.krypton.bench.kms.ReporterMeasurement;
import io.krypton.bench.lab.Versions;
import io.krypton.bench.measure.Bench;
import io.krypton.bench.measure.Measurement;
import io.krypton.bench.measure.Selection;
import io.krypton.bench.report.Plots;
import io.krypton.bench.report.ResultFile;
import io.krypton.bench.report.Table;
import io.krypton.bench.rollout.BlackHoleMeasurement;
import io.krypton.bench.rollout.DeploymentsMeasurement;
import io.krypton.bench.rollout.LifeMeasurement;
import io.krypton.bench.rollout.QuietMeasurement;
import io.krypton.bench.rollout.RequestsMeasurement;
import io.krypton.bench.rollout.RolloutMeasurement;
import io.krypton.sandbox.Directories;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs measurements and writes their figures. Arguments: the directory of the distribution, the
 * directory for the results, and what is wanted, as {@link Selection} reads it.
 */
public final class BenchMain {
  private static final List<Measurement> ALL =
      List.of(
          new RolloutMeasurement(),
          new RequestsMeasurement(),
          new QuietMeasurement(),
          new LifeMeasurement(),
          new BlackHoleMeasurement(),
          new DeploymentsMeasurement(),
          new EngagementMeasurement(),
          new ReporterMeasurement(),
          new DetectionMeasurement(),
          new GateMeasurement());

  private BenchMain() {}

  public static void main(String... arguments) throws Exception {
    Runtime.getRuntime().addShutdownHook(new Thread(BenchMain::endChildren));
    var distribution = Path.of(arguments[0]).toAbsolutePath();
    var target = Files.createDirectories(Path.of(arguments[1]));
    var selection = Selection.of(ALL, List.of(arguments).subList(2, arguments.length));
    var circumstances = Machine.describe();
    circumstances.putAll(Versions.inUse());
    circumstances.forEach((name, value) -> System.out.println(name + ": " + value));
    System.out.println("this will take about " + minutes(selection.expected()));
    var findings = new Findings(System.out::println);
    var failed = new ArrayList<String>();
    var begun = System.nanoTime();
    for (var chosen : selection.chosen()) {
      var name = chosen.measurement().name();
      System.out.println("%s, about %s".formatted(name, minutes(chosen.expected())));
      var scratch = Files.createTempDirectory("krypton-bench");
      try {
        chosen.measurement().run(new Bench(distribution, scratch), chosen.parameters(), findings);
        Directories.delete(scratch);
      } catch (Exception e) {
        // The others are still worth having; what the servers and programs said is kept there.
        System.out.println("%s FAILED, see %s".formatted(name, scratch));
        e.printStackTrace(System.out);
        failed.add(name);
      }
      // Each time, so that a run that is broken off is not lost.
      circumstances.put("Took", minutes(Duration.ofNanos(System.nanoTime() - begun)));
      write(
          target,
          new Results(circumstances, findings.figures(), findings.plots(), findings.texts()));
    }
    System.out.println(
        "after %s: %s".formatted(circumstances.get("Took"), target.resolve("results.md")));
    System.exit(failed.isEmpty() ? 0 : 1);
  }

  /** Whoever breaks off a run does not want its operators and plugins to go on. */
  private static void endChildren() {
    ProcessHandle.current().children().forEach(ProcessHandle::destroy);
  }

  private static void write(Path target, Results results) throws Exception {
    ResultFile.write(target.resolve("results.json"), results);
    Files.writeString(target.resolve("results.md"), Table.of(results));
    for (var plot : results.plots()) {
      Plots.draw(target, plot);
    }
  }

  private static String minutes(Duration time) {
    return "%d min %02d s".formatted(time.toMinutes(), time.toSecondsPart());
  }
}
