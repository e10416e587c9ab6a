package io.krypton.bench;

import io.krypton.sandbox.ControlPlane;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * What the operator adds to Helm: the same installs by the operator and by a plain loop, in turns
 * so that both meet the same noise; then how long a single Tenant takes, and what silence costs.
 */
final class RolloutBench {
  private static final int CONCURRENCY = 4;
  private static final int ROUNDS = 4;
  private static final int SINGLES = 30;
  private static final Duration POLL = Duration.ofMillis(10);
  private static final String TENANTS = "/apis/mesh.openkcm.io/v1alpha1/namespaces/default/tenants";

  private final Path distribution;
  private final int tenants;
  private final Duration quiet;
  private final Consumer<String> out;

  RolloutBench(Path distribution, int tenants, Duration quiet, Consumer<String> out) {
    this.distribution = distribution;
    this.tenants = tenants;
    this.quiet = quiet;
    this.out = out;
  }

  void run() throws Exception {
    var directory = Files.createTempDirectory("krypton-bench");
    var planes = ControlPlane.startAll(ControlPlane.builder("home"), ControlPlane.builder("edge"));
    try (var home = planes.getFirst();
        var edge = planes.getLast()) {
      home.admin().post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"bench\"}}").orThrow();
      var chart = BenchChart.write(directory);
      try (var operator =
          BenchOperator.start(
              distribution,
              directory,
              home,
              "--chart-repo=" + chart,
              "--chart-name=" + BenchChart.NAME,
              "--chart-version=" + BenchChart.VERSION,
              // The limit per cluster, 50 requests a second, would hold back a fast machine.
              "--kube-api-qps=500",
              "--kube-api-burst=500",
              "--helm-concurrency=" + CONCURRENCY,
              "--helm-concurrency-per-cluster=" + CONCURRENCY)) {
        register(home, "edge", edge);
        operator.awaitEngaged(1);
        throughput(operator, edge, new PlainHelm(directory, chart, kubeconfig(directory, edge)));
        singles(edge);
        secondCluster(operator, home);
        silence(operator);
      }
    }
  }

  private void throughput(BenchOperator operator, ControlPlane edge, PlainHelm helm)
      throws Exception {
    var loop = Duration.ZERO;
    var ours = Duration.ZERO;
    // The first install of all asks for the API schema; neither side shall pay for the other.
    create(edge, "warm");
    operator.awaitReady(1);
    var requests = operator.metric("krypton_api_requests_total");
    plain(edge, helm, List.of("plain-warm"));
    var perRound = tenants / ROUNDS;
    for (var round = 0; round < ROUNDS; round++) {
      var begun = System.nanoTime();
      var names = new ArrayList<String>();
      for (var i = 0; i < perRound; i++) {
        names.add("plain-" + round + "-" + i);
      }
      plain(edge, helm, names);
      var turn = System.nanoTime();
      for (var i = 0; i < perRound; i++) {
        create(edge, "tenant-" + round + "-" + i);
      }
      operator.awaitReady(1 + (round + 1) * perRound);
      loop = loop.plusNanos(turn - begun);
      ours = ours.plusNanos(System.nanoTime() - turn);
    }
    var installs = perRound * ROUNDS;
    out.accept(
        String.format(
            Locale.ROOT,
            "roll out %d tenants on one cluster, %d at once: %.2f/s by the operator, %.2f/s by a plain"
                + " loop of helm install; ratio %.2f (goal 0.9)",
            installs,
            CONCURRENCY,
            perSecond(installs, ours),
            perSecond(installs, loop),
            loop.toNanos() / (double) ours.toNanos()));
    out.accept(
        String.format(
            Locale.ROOT,
            "API requests of the operator: %.1f for each tenant",
            (operator.metric("krypton_api_requests_total") - requests) / installs));
    out.accept(
        String.format(
            Locale.ROOT,
            "operator after it: %d MiB resident, at most %d MiB (goal 250)",
            operator.figures().residentKib() / 1024,
            operator.figures().peakKib() / 1024));
  }

  /** Four workers, as the operator has four Helm processes; each namespace is made before. */
  private static void plain(ControlPlane edge, PlainHelm helm, List<String> names)
      throws Exception {
    try (var workers = Executors.newFixedThreadPool(CONCURRENCY)) {
      var installs = new ArrayList<Callable<Object>>();
      for (var name : names) {
        installs.add(
            () -> {
              edge.admin()
                  .post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(name))
                  .orThrow();
              helm.install(name, name.equals("plain-warm"));
              return name;
            });
      }
      for (var install : workers.invokeAll(installs)) {
        install.get();
      }
    }
  }

  private void singles(ControlPlane edge) throws Exception {
    var millis = new ArrayList<Long>();
    for (var i = 0; i < SINGLES; i++) {
      var name = "single-" + i;
      var begun = System.nanoTime();
      create(edge, name);
      while (!isDeployed(edge, name)) {
        Thread.sleep(POLL);
      }
      millis.add(Duration.ofNanos(System.nanoTime() - begun).toMillis());
    }
    millis.sort(null);
    out.accept(
        String.format(
            Locale.ROOT,
            "one tenant at a time, from creation to deployed: median %d ms, p99 %d ms (of %d)",
            millis.get(SINGLES / 2),
            millis.get((int) Math.ceil(SINGLES * 0.99) - 1),
            SINGLES));
  }

  private static boolean isDeployed(ControlPlane edge, String name) {
    return edge.admin()
        .get(
            "/api/v1/namespaces/%s/secrets?labelSelector=owner=helm,status=deployed"
                .formatted(name))
        .body()
        .path("items")
        .has(0);
  }

  private void secondCluster(BenchOperator operator, ControlPlane home) throws Exception {
    var before = 1 + tenants / ROUNDS * ROUNDS + SINGLES;
    register(home, "near", home);
    operator.awaitEngaged(2);
    var begun = System.nanoTime();
    for (var i = 0; i < tenants; i++) {
      create(home, "near-" + i);
    }
    operator.awaitReady(before + tenants);
    out.accept(
        String.format(
            Locale.ROOT,
            "%d tenants more on a second cluster: all ready after %.1f s",
            tenants,
            (System.nanoTime() - begun) / 1e9));
  }

  private void silence(BenchOperator operator) throws Exception {
    // Status writes of the last Tenants still come back as watch events.
    Thread.sleep(Duration.ofSeconds(10));
    var requests = operator.metric("krypton_api_requests_total");
    var helm = operator.metric("krypton_helm_operations_total");
    Thread.sleep(quiet);
    out.accept(
        String.format(
            Locale.ROOT,
            "%d quiet minutes with %d tenants: %.0f API requests, %.0f helm processes, %d MiB resident",
            quiet.toMinutes(),
            2 * tenants + SINGLES + 1,
            operator.metric("krypton_api_requests_total") - requests,
            operator.metric("krypton_helm_operations_total") - helm,
            operator.figures().residentKib() / 1024));
  }

  private static void create(ControlPlane plane, String name) {
    plane
        .admin()
        .post(
            TENANTS,
            """
            {"apiVersion":"mesh.openkcm.io/v1alpha1","kind":"Tenant","metadata":{"name":"%s"},"spec":{}}
            """
                .formatted(name))
        .orThrow();
  }

  private static void register(ControlPlane home, String name, ControlPlane plane) {
    var kubeconfig = plane.adminKubeconfig().getBytes(StandardCharsets.UTF_8);
    home.admin()
        .post(
            "/api/v1/namespaces/bench/secrets",
            """
            {"metadata":{"name":"%s","labels":{"sigs.k8s.io/multicluster-runtime-kubeconfig":"true"}},
             "data":{"kubeconfig":"%s"}}
            """
                .formatted(name, Base64.getEncoder().encodeToString(kubeconfig)))
        .orThrow();
  }

  private static Path kubeconfig(Path directory, ControlPlane plane) throws Exception {
    return Files.writeString(directory.resolve("edge.kubeconfig"), plane.adminKubeconfig());
  }

  private static double perSecond(int count, Duration time) {
    return count * 1e9 / time.toNanos();
  }
}
