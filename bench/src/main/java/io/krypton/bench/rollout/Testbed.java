// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.rollout;

import io.krypton.bench.harness.BareClient.Namespaces;
import io.krypton.bench.harness.BenchChart;
import io.krypton.bench.harness.BenchHomeCluster;
import io.krypton.bench.harness.BenchOperator;
import io.krypton.bench.harness.ParallelRunner;
import io.krypton.bench.harness.PlainHelm;
import io.krypton.bench.harness.ProcessStats.CpuTime;
import io.krypton.bench.harness.Tenants;
import io.krypton.bench.measure.Measurement.BenchEnvironment;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.ControlPlaneBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A home cluster, an edge, a chart, and operators that come and go. */
final class Testbed implements AutoCloseable {
  static final int CONCURRENCY = 4;

  private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

  /** Processor seconds between two looks that are no work for anybody. */
  private static final double QUIET_SERVERS = 0.2;

  private final BenchEnvironment benchEnvironment;
  private final Path directory;
  private final BenchHomeCluster home;
  private final ControlPlane edge;
  private final Path chart;

  private Testbed(
      BenchEnvironment benchEnvironment,
      Path directory,
      BenchHomeCluster home,
      ControlPlane edge,
      Path chart) {
    this.benchEnvironment = benchEnvironment;
    this.directory = directory;
    this.home = home;
    this.edge = edge;
    this.chart = chart;
  }

  /** The edge is registered; no operator runs. */
  static Testbed create(
      BenchEnvironment benchEnvironment, UnaryOperator<ControlPlaneBuilder> likeThis)
      throws IOException {
    var directory = Files.createTempDirectory(benchEnvironment.scratch(), "scene");
    var chart = BenchChart.write(directory);
    var planes =
        ControlPlane.startAll(
            likeThis.apply(ControlPlane.builder("home")),
            likeThis.apply(ControlPlane.builder("edge")));
    var home = BenchHomeCluster.prepare(planes.getFirst());
    home.register("edge", planes.getLast().adminKubeconfig());
    return new Testbed(benchEnvironment, directory, home, planes.getLast(), chart);
  }

  BenchHomeCluster home() {
    return home;
  }

  ControlPlane edge() {
    return edge;
  }

  Tenants tenants() {
    return new Tenants(edge);
  }

  Path chart() {
    return chart;
  }

  Path directory() {
    return directory;
  }

  PlainHelm helm(ControlPlane plane) throws IOException {
    // Not the operator's file: one that changes is one that it follows.
    var kubeconfig = directory.resolve("plain-" + plane.name() + ".kubeconfig");
    return new PlainHelm(directory, Files.writeString(kubeconfig, plane.adminKubeconfig()));
  }

  /**
   * The plain loop: calls of {@code helm install} in namespaces that are there before, as somebody
   * would make them who has no operator.
   */
  void installPlainly(List<String> names) throws Exception {
    var helm = helm(edge);
    ParallelRunner.run(
        CONCURRENCY,
        names,
        name -> {
          Namespaces.create(edge, name);
          helm.install(name, chart, false);
        });
  }

  /**
   * With all limits at their defaults, but as many Helm operations at once as the plain loop has
   * processes. It takes no other engine by itself: figures of that would look like its own.
   */
  BenchOperator operator(String... flags) throws Exception {
    return operator(chart, BenchChart.VERSION, flags);
  }

  BenchOperator operator(Path ofChart, String version, String... flags) throws Exception {
    var all = new ArrayList<>(List.of(BenchChart.flags(ofChart, version)));
    all.add("--helm-engine=worker");
    all.add("--helm-concurrency=" + CONCURRENCY);
    all.add("--helm-concurrency-per-cluster=" + CONCURRENCY);
    all.addAll(List.of(flags));
    return BenchOperator.start(
        benchEnvironment.distribution(), directory, home, all.toArray(String[]::new));
  }

  /** Processor seconds of the servers of a cluster: API server and etcd. */
  private static double serverCpu(ControlPlane plane) throws IOException {
    return CpuTime.of(plane.apiServer().pid()).own() + CpuTime.of(plane.etcd().pid()).own();
  }

  /** Waits until controllers and storage are done with what was asked of them. */
  static void awaitQuietServers(List<ControlPlane> planes) throws Exception {
    var before = 0.0;
    var now = serverCpu(planes);
    while (now - before > QUIET_SERVERS) {
      before = now;
      Thread.sleep(POLL_INTERVAL);
      now = serverCpu(planes);
    }
  }

  static double serverCpu(List<ControlPlane> planes) throws IOException {
    var sum = 0.0;
    for (var plane : planes) {
      sum += serverCpu(plane);
    }
    return sum;
  }

  @Override
  public void close() {
    home.plane().close();
    edge.close();
  }
}
