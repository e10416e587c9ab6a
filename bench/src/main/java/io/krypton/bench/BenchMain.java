// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench;

import io.krypton.bench.cli.CommandLineMeasurement;
import io.krypton.bench.kms.DetectionMeasurement;
import io.krypton.bench.kms.GateMeasurement;
import io.krypton.bench.kms.ReporterMeasurement;
import io.krypton.bench.measure.Measurement;
import io.krypton.bench.measure.Measurement.BenchEnvironment;
import io.krypton.bench.measure.MeasurementRecorder;
import io.krypton.bench.measure.Results;
import io.krypton.bench.measure.Selection;
import io.krypton.bench.report.MarkdownReport;
import io.krypton.bench.report.PlotWriter;
import io.krypton.bench.report.ResultFile;
import io.krypton.bench.rollout.BlackHoleMeasurement;
import io.krypton.bench.rollout.DeploymentsMeasurement;
import io.krypton.bench.rollout.EngagementMeasurement;
import io.krypton.bench.rollout.FreshMeasurement;
import io.krypton.bench.rollout.LifeMeasurement;
import io.krypton.bench.rollout.QuietMeasurement;
import io.krypton.bench.rollout.RequestsMeasurement;
import io.krypton.bench.rollout.RolloutMeasurement;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * Runs measurements and writes their figures. Arguments: the directory of the distribution, the
 * directory for the results, and what is wanted, as {@link Selection} reads it.
 */
public final class BenchMain {
  private static final List<Measurement> ALL =
      List.of(
          new RolloutMeasurement(),
          new FreshMeasurement(),
          new RequestsMeasurement(),
          new QuietMeasurement(),
          new LifeMeasurement(),
          new BlackHoleMeasurement(),
          new DeploymentsMeasurement(),
          new EngagementMeasurement(),
          new ReporterMeasurement(),
          new DetectionMeasurement(),
          new GateMeasurement(),
          new CommandLineMeasurement());

  private BenchMain() {}

  public static void main(String... arguments) throws Exception {
    Runtime.getRuntime().addShutdownHook(new Thread(BenchMain::endChildren));
    var distribution = Path.of(arguments[0]).toAbsolutePath();
    var target = Files.createDirectories(Path.of(arguments[1]));
    var selection = Selection.of(ALL, List.of(arguments).subList(2, arguments.length));
    var circumstances = Machine.describe();
    circumstances.putAll(ToolVersions.inUse());
    circumstances.forEach((name, value) -> System.out.println(name + ": " + value));
    System.out.println("this will take about " + minutes(selection.expected()));
    var measurementRecorder = new MeasurementRecorder(System.out::println);
    var failed = new ArrayList<String>();
    var begun = System.nanoTime();
    for (var chosen : selection.chosen()) {
      var name = chosen.measurement().name();
      System.out.println("%s, about %s".formatted(name, minutes(chosen.expected())));
      var scratch = Files.createTempDirectory("krypton-bench");
      try {
        chosen
            .measurement()
            .run(
                new BenchEnvironment(distribution, scratch),
                chosen.parameters(),
                measurementRecorder);
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
          new Results(
              circumstances,
              measurementRecorder.figures(),
              measurementRecorder.plots(),
              measurementRecorder.texts()));
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
    Files.writeString(target.resolve("results.md"), MarkdownReport.of(results));
    for (var plot : results.plots()) {
      PlotWriter.draw(target, plot);
    }
  }

  private static String minutes(Duration time) {
    return "%d min %02d s".formatted(time.toMinutes(), time.toSecondsPart());
  }

  /** Where the figures come from. */
  public static final class Machine {
    private static final double KIB_PER_GIB = 1024.0 * 1024.0;

    private Machine() {}

    /** What a reader must know to judge the figures. */
    public static Map<String, String> describe() throws IOException {
      var all = new LinkedHashMap<String, String>();
      all.put("Date", Instant.now().truncatedTo(ChronoUnit.MINUTES).toString());
      all.put(
          "Processor",
          "%d x %s"
              .formatted(
                  Runtime.getRuntime().availableProcessors(),
                  field("/proc/cpuinfo", "model name")));
      all.put(
          "Memory",
          "%.0f GiB"
              .formatted(
                  Long.parseLong(field("/proc/meminfo", "MemTotal").replaceAll("\\D", ""))
                      / KIB_PER_GIB));
      all.put(
          "System",
          "%s %s %s"
              .formatted(
                  System.getProperty("os.name"),
                  System.getProperty("os.version").replaceFirst("-.*", ""),
                  System.getProperty("os.arch")));
      all.put("Java", Runtime.version().toString());
      return all;
    }

    private static String field(String file, String name) throws IOException {
      return Files.readAllLines(Path.of(file)).stream()
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    }
  }

  /** The programs that take part. */
  public static final class ToolVersions {
    private ToolVersions() {}

    public static Map<String, String> inUse() throws IOException {
      var versions = new Properties();
      try (var file = ControlPlane.class.getResourceAsStream("versions.properties")) {
        versions.load(file);
      }
      var all = new LinkedHashMap<String, String>();
      all.put("Kubernetes", versions.getProperty("kubernetes"));
      all.put("etcd", versions.getProperty("etcd"));
      all.put("Helm", versions.getProperty("helm"));
      return all;
    }
  }
}
