// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.cli;

import io.krypton.bench.harness.BenchHomeCluster;
import io.krypton.bench.harness.Polling;
import io.krypton.bench.harness.ProcessStats.CpuTime;
import io.krypton.bench.harness.Tenants;
import io.krypton.bench.measure.Distribution;
import io.krypton.bench.measure.Figure;
import io.krypton.bench.measure.Figure.Better;
import io.krypton.bench.measure.Measurement;
import io.krypton.bench.measure.Measurement.BenchEnvironment;
import io.krypton.bench.measure.Measurement.Parameters;
import io.krypton.bench.measure.MeasurementRecorder;
import io.krypton.sandbox.Assets;
import io.krypton.sandbox.Assets.Binary;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.ControlPlaneBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Commands at a prompt, as the distribution has them, in turns with kubectl. Their goals are ratios
 * to kubectl, made of the seconds that were promised on a machine where {@code kubectl version
 * --client} takes 0.07 s and {@code kubectl get} of a list 0.13 s.
 */
public final class CommandLineMeasurement implements Measurement {
  private static final String CRDS = "charts/krypton-operator/files/crds/";
  private static final double KUBECTL_VERSION = 0.07;
  private static final double KUBECTL_GET = 0.13;

  /** What is typed, and how many seconds were promised for it. */
  private record Command(String id, String words, double promise) {
    /** Reading a cluster is compared with reading, all else with saying a version. */
    boolean reads() {
      return promise > 0.3;
    }

    double goal() {
      return promise / (reads() ? KUBECTL_GET : KUBECTL_VERSION);
    }
  }

  /** Wall and processor time of one run, in seconds. */
  private record Run(double wall, double cpu) {}

  @Override
  public String name() {
    return "commands";
  }

  @Override
  public Parameters full() {
    return Parameters.of("runs=11", "clusters=3", "tenants=20");
  }

  @Override
  public Optional<Parameters> quick() {
    return Optional.of(Parameters.of("runs=3", "clusters=3", "tenants=3"));
  }

  @Override
  public Duration expected(Parameters parameters) {
    return Duration.ofSeconds(20 + 6L * parameters.number("runs"));
  }

  @Override
  public void run(
      BenchEnvironment benchEnvironment,
      Parameters parameters,
      MeasurementRecorder measurementRecorder)
      throws Exception {
    var planes =
        ControlPlane.startAll(
            IntStream.range(0, parameters.number("clusters"))
                .mapToObj(i -> ControlPlane.builder("cluster-" + i).withoutControllerManager())
                .toArray(ControlPlaneBuilder[]::new));
    try {
      prepare(planes, parameters.number("tenants"));
      var kubeconfig = benchEnvironment.scratch().resolve("kubeconfig");
      Files.writeString(kubeconfig, planes.getFirst().adminKubeconfig());
      measure(
          benchEnvironment.distribution(),
          kubeconfig,
          parameters.number("runs"),
          planes.size(),
          measurementRecorder);
    } finally {
      planes.forEach(ControlPlane::close);
    }
  }

  private static void prepare(List<ControlPlane> planes, int tenants) throws Exception {
    var home = BenchHomeCluster.prepare(planes.getFirst());
    for (var plane : planes) {
      for (var type : List.of("tenants", "kryptondeployments", "kmshealths")) {
        define(plane, type + ".mesh.openkcm.io");
      }
      home.register(plane.name(), plane.adminKubeconfig());
      for (int i = 0; i < tenants; i++) {
        new Tenants(plane).create("tenant-" + i);
      }
    }
  }

  private static void define(ControlPlane plane, String type) throws Exception {
    plane
        .admin()
        .apply(
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + type,
            "bench",
            Files.readString(Path.of(CRDS + type + ".yaml")))
        .orThrow();
    var plural = type.substring(0, type.indexOf('.'));
    Polling.until(
        type + " is served",
        () -> plane.admin().get("/apis/mesh.openkcm.io/v1alpha1/" + plural).ok());
  }

  private static void measure(
      Path distribution,
      Path kubeconfig,
      int runs,
      int clusters,
      MeasurementRecorder measurementRecorder)
      throws Exception {
    var krypton = distribution.resolve("bin/krypton").toString();
    var kubectl = Assets.fromEnvironment().find(Binary.KUBECTL).toString();
    var fleet = " --namespace=" + BenchHomeCluster.NAMESPACE;
    var commands =
        List.of(
            new Command("help", "--help", 0.3),
            new Command("completion", "completion bash", 0.3),
            new Command("tenants", "tenants", 0.7),
            new Command("clusters", "clusters" + fleet, 0.7),
            new Command("explain", "explain tenant/tenant-0", 0.7),
            new Command("kms", "kms --fleet" + fleet, 0.7),
            new Command("status", "status" + fleet, 0.9));
    var version = new ArrayList<Run>();
    var get = new ArrayList<Run>();
    var own = commands.stream().map(_ -> new ArrayList<Run>()).toList();
    for (int i = 0; i < runs; i++) {
      version.add(time(kubeconfig, kubectl, "version --client"));
      get.add(time(kubeconfig, kubectl, "get tenants"));
      for (int command = 0; command < commands.size(); command++) {
        own.get(command).add(time(kubeconfig, krypton, commands.get(command).words()));
      }
    }
    measurementRecorder.add(seconds("kubectl-version", "kubectl version --client", version));
    measurementRecorder.add(seconds("kubectl-get", "kubectl get tenants", get));
    for (int i = 0; i < commands.size(); i++) {
      var command = commands.get(i);
      var what =
          "krypton %s%s"
              .formatted(
                  command.words().replace(fleet, ""),
                  command.id().equals("status") ? " of %d clusters".formatted(clusters) : "");
      measurementRecorder.add(seconds(command.id(), what, own.get(i)));
      measurementRecorder.add(
          Figure.ratio(
                  "commands/%s/of-kubectl".formatted(command.id()),
                  "%s, by kubectl %s"
                      .formatted(what, command.reads() ? "get tenants" : "version --client"),
                  wall(own.get(i)) / wall(command.reads() ? get : version),
                  "",
                  Better.LOWER)
              .withGoal(command.goal()));
      measurementRecorder.add(
          Figure.ratio(
                  "commands/%s/cpu-of-wall".formatted(command.id()),
                  what + ": processor time, by the time it takes",
                  cpu(own.get(i)) / wall(own.get(i)),
                  "",
                  Better.LOWER)
              .withGoal(1));
    }
  }

  /** The children of this process that have ended are the command, so their time is its own. */
  private static Run time(Path kubeconfig, String program, String words) throws Exception {
    var line = new ArrayList<String>(List.of(program));
    line.addAll(List.of(words.split(" ")));
    var builder =
        new ProcessBuilder(line)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("KUBECONFIG", kubeconfig.toString());
    builder.environment().remove("JAVA_HOME");
    var self = ProcessHandle.current().pid();
    var before = CpuTime.of(self);
    var begun = System.nanoTime();
    int exit = builder.start().waitFor();
    var wall = (System.nanoTime() - begun) / 1e9;
    if (exit != 0) {
      throw new IllegalStateException("'%s' ended with %d".formatted(String.join(" ", line), exit));
    }
    return new Run(wall, CpuTime.of(self).minus(before).children());
  }

  private static Figure seconds(String id, String what, List<Run> runs) {
    return Figure.of("commands/%s/wall".formatted(id), what, wall(runs), "s", Better.LOWER);
  }

  private static double wall(List<Run> runs) {
    return new Distribution(runs.stream().map(Run::wall).toList()).median();
  }

  private static double cpu(List<Run> runs) {
    return new Distribution(runs.stream().map(Run::cpu).toList()).median();
  }
}
