// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak.fleet;

import io.krypton.bench.harness.BenchChart;
import io.krypton.bench.harness.BenchHomeCluster;
import io.krypton.bench.soak.plan.SoakSettings;
import io.krypton.bench.soak.plan.SoakStep.FaultTarget;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.ControlPlaneBuilder;
import io.krypton.sandbox.access.KubeApi;
import io.krypton.sandbox.access.KubeApi.ApiResponse;
import io.krypton.sandbox.fault.FaultProxy;
import io.krypton.sandbox.process.ServerProcess;
import io.krypton.sandbox.process.ServerProcess.StartFailedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Home, edges, and two operators. Each operator has users and ways of its own: a proxy to each
 * cluster, and a data key of its own in each kubeconfig Secret, so that trouble may strike one of
 * them only, and the audit log tells whose request it was.
 */
public final class SoakFleet implements AutoCloseable {
  /** The names of the operators. */
  public static final List<String> REPLICAS = Arrays.asList(FaultTarget.BOTH.split(""));

  private static final String MASTERS = "system:masters";
  static final Duration LONG = Duration.ofDays(30);

  /** For a machine that others keep busy, too. */
  private static final Duration START_TIMEOUT = Duration.ofMinutes(6);

  private static final int START_ATTEMPTS = 3;
  private static final Duration PAUSE = Duration.ofMillis(300);

  private final Map<String, ControlPlane> planes = new LinkedHashMap<>();
  private final Map<FaultTarget, FaultProxy> links = new LinkedHashMap<>();
  private final Map<String, SoakReplica> replicas = new LinkedHashMap<>();
  private final BenchHomeCluster home;
  private final AtomicBoolean closed = new AtomicBoolean();

  private SoakFleet(List<ControlPlane> all) {
    for (var plane : all) {
      planes.put(plane.name(), plane);
      for (var replica : REPLICAS) {
        links.put(new FaultTarget(replica, plane.name()), plane.proxy());
      }
    }
    this.home = BenchHomeCluster.prepare(plane(FaultTarget.HOME));
  }

  /** All clusters are up and registered; no operator runs. */
  public static SoakFleet start(SoakSettings settings, Path distribution, Path directory)
      throws IOException, InterruptedException {
    var builders = new ArrayList<ControlPlaneBuilder>();
    builders.add(builder(FaultTarget.HOME).withoutControllerManager());
    for (var i = 0; i < settings.clusters(); i++) {
      builders.add(builder(FaultTarget.edge(i)));
    }
    var fleet = new SoakFleet(ControlPlane.startAll(builders.toArray(ControlPlaneBuilder[]::new)));
    fleet.edges().forEach(edge -> fleet.home.register(edge, fleet.kubeconfigs(edge, LONG)));
    var chart = BenchChart.write(directory);
    for (var replica : REPLICAS) {
      var flags = new ArrayList<>(List.of(BenchChart.flags(chart, BenchChart.VERSION)));
      flags.addAll(
          List.of(
              "--kubeconfig-key=" + replica,
              "--leader-elect-lease-duration=10s",
              "--leader-elect-renew-deadline=7s",
              "--leader-elect-retry-period=1s",
              "--check-interval=15s"));
      fleet.replicas.put(
          replica,
          SoakReplica.prepare(
              replica, distribution, directory, fleet.homeKubeconfig(replica), flags));
    }
    return fleet;
  }

  private static ControlPlaneBuilder builder(String name) {
    return ControlPlane.builder(name).withAudit().startTimeout(START_TIMEOUT);
  }

  /** Whom an operator and its Helm are, on all clusters. */
  public static String user(String replica) {
    return "replica-" + replica;
  }

  private String homeKubeconfig(String replica) {
    return kubeconfig(new FaultTarget(replica, FaultTarget.HOME), LONG);
  }

  private Map<String, String> kubeconfigs(String edge, Duration lifetime) {
    var all = new LinkedHashMap<String, String>();
    REPLICAS.forEach(it -> all.put(it, kubeconfig(new FaultTarget(it, edge), lifetime)));
    return all;
  }

  private String kubeconfig(FaultTarget way, Duration lifetime) {
    return plane(way.place())
        .access(lifetime, user(way.replica()), MASTERS)
        .via(links(way).getFirst().url())
        .yaml();
  }

  public ControlPlane plane(String place) {
    var plane = planes.get(place);
    if (plane == null) {
      throw new IllegalArgumentException("no cluster " + place);
    }
    return plane;
  }

  public List<String> edges() {
    return planes.keySet().stream().filter(it -> !it.equals(FaultTarget.HOME)).toList();
  }

  public SoakReplica replica(String name) {
    var replica = replicas.get(name);
    if (replica == null) {
      throw new IllegalArgumentException("no replica " + name);
    }
    return replica;
  }

  public List<SoakReplica> replicas() {
    return List.copyOf(replicas.values());
  }

  /** The ways that a fault of a link strikes. */
  List<FaultProxy> links(FaultTarget target) {
    return links.entrySet().stream()
        .filter(it -> it.getKey().place().equals(target.place()))
        .filter(it -> target.replica().contains(it.getKey().replica()))
        .map(Map.Entry::getValue)
        .toList();
  }

  /** From now on both operators have certificates for this edge that end after this time. */
  void renewCredentials(String edge, Duration lifetime) {
    untilAnswered(() -> home.replace(edge, kubeconfigs(edge, lifetime))).orThrow();
  }

  /** Only a labelled Secret engages its cluster. */
  void label(String edge, boolean labelled) {
    untilAnswered(() -> home.label(edge, labelled)).orThrow();
  }

  /** Takes back whatever trouble is left. */
  public void heal() throws IOException {
    links.values().forEach(FaultProxy::pass);
    for (var plane : planes.values()) {
      heal(plane);
    }
    for (var edge : edges()) {
      renewCredentials(edge, LONG);
      label(edge, true);
    }
    for (var replica : replicas.values()) {
      replica.clock().set(Duration.ZERO);
      replica.disk().clear();
      replica.thaw();
      replica.start();
    }
  }

  private static void heal(ControlPlane plane) {
    run(plane.etcd());
    run(plane.apiServer());
    if (!plane.name().equals(FaultTarget.HOME)) {
      run(plane.controllerManager());
    }
  }

  /** Starts a server that does not run; one that gives up on a busy machine gets another chance. */
  static void run(ServerProcess server) {
    for (var attempt = 1; ; attempt++) {
      try {
        if (!server.isAlive()) {
          server.start();
        }
        return;
      } catch (StartFailedException e) {
        if (attempt == START_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** Starts operators that have ended by themselves. */
  public void supervise() throws IOException {
    for (var replica : replicas.values()) {
      replica.restartIfItEnded();
    }
  }

  /** An answer that is one: neither silence nor an error of a server that has its own trouble. */
  static ApiResponse untilAnswered(ApiCall call) {
    while (true) {
      try {
        var answer = call.send();
        if (answer.status() != 429 && answer.status() < 500) {
          return answer;
        }
      } catch (UncheckedIOException later) {
        if (Thread.currentThread().isInterrupted()) {
          throw later;
        }
      }
      pause();
    }
  }

  static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for an API server", e);
    }
  }

  KubeApi admin(String place) {
    return plane(place).admin();
  }

  @Override
  public void close() throws IOException {
    if (closed.getAndSet(true)) {
      return;
    }
    for (var replica : replicas.values()) {
      replica.close();
    }
    planes.values().forEach(ControlPlane::close);
  }

  /** A request that may be sent again. */
  @FunctionalInterface
  interface ApiCall {
    ApiResponse send();
  }
}
