// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.krypton.agent.gate.Scenarios.Fault;
import io.krypton.agent.gate.SideBySide.Row;
import io.krypton.agent.gate.config.GateSettings.GateMode;
import io.krypton.agent.gate.lab.Configurations;
import io.krypton.agent.gate.lab.GateLab;
import io.krypton.agent.gate.lab.LabPlugin;
import io.krypton.sandbox.ControlPlane;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * The gate and a real kube-apiserver over the same plugins. A v1 provider makes kube-apiserver
 * check each provider by itself, so that all faults can be shown at the same time. The gate has its
 * default intervals; {@code -Dgate.pace=quick} makes it look twice a second.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SideBySideIT {
  private static final String SECRET = "/api/v1/namespaces/default/secrets/old";
  private static final String[] DEFAULTS = {"kms-v1=allow"};
  private static final String[] QUICK = {
    "kms-v1=allow", "interval=500ms", "deep-interval=2s", "unhealthy-interval=500ms"
  };
  private static final List<String> NAMES =
      List.of(
          "steady",
          "absent",
          "stale",
          "hanging",
          "unhealthy",
          "killed",
          "rotating",
          "version",
          "refusing",
          "legacy",
          "two-a",
          "two-b",
          "three-a",
          "three-b",
          "three-c");

  private static final Fault HANGS = Fault.of(m -> m.hang(true), m -> m.hang(false));
  private static final Fault SICK = Fault.of(m -> m.healthz("sick"), m -> m.healthz("ok"));
  private static final Fault DIES = new Fault(LabPlugin::stop, LabPlugin::start);
  private static final Fault OTHER_VERSION = Fault.of(m -> m.version("v3"), m -> m.version("v2"));
  private static final Fault REFUSES =
      Fault.of(
          m -> m.failStatus(Status.PERMISSION_DENIED.withDescription("no")),
          m -> m.failStatus(null));
  private static final Fault CANNOT_ENCRYPT =
      Fault.of(
          m -> m.failEncrypt(Status.UNAVAILABLE.withDescription("no")), m -> m.failEncrypt(null));

  @TempDir private static Path directory;
  private static final SequencedMap<String, LabPlugin> PLUGINS = new LinkedHashMap<>();
  private static final List<AutoCloseable> OPEN = new ArrayList<>();
  private static ControlPlane plane;
  private static Path configuration;

  @BeforeAll
  static void start() {
    var providers = new ArrayList<String>();
    for (var name : NAMES) {
      PLUGINS.put(name, LabPlugin.started(socket(name)));
      providers.add(
          name.equals("legacy")
              ? Configurations.v1(name, socket(name))
              : Configurations.v2(name, socket(name)));
    }
    var text = Configurations.entry(providers.toArray(String[]::new));
    configuration = Configurations.write(directory.resolve("c.yaml"), text);
    plane =
        ControlPlane.builder("side-by-side")
            .withoutControllerManager()
            .withEncryption(text)
            .apiServerFlag("encryption-provider-config-automatic-reload", "false")
            .featureGate("KMSv1", true)
            .start();
    OPEN.add(plane);
    plane
        .admin()
        .post(
            "/api/v1/namespaces/default/secrets",
            "{\"metadata\":{\"name\":\"old\"},\"data\":{\"value\":\"b2xk\"}}")
        .orThrow();
  }

  @AfterAll
  static void stop() throws Exception {
    for (var open : OPEN.reversed()) {
      open.close();
    }
    PLUGINS.values().forEach(LabPlugin::close);
  }

  @Test
  @Order(1)
  void the_gate_is_at_most_one_probe_later_than_the_api_server() throws Exception {
    plane.apiServer().kill();
    plugin("absent").stop();
    plugin("stale").stop();
    LabPlugin.leaveStaleSocket(socket("stale"));
    var quick = System.getProperty("gate.pace", "default").equals("quick");
    var gate =
        new GateProcess(
            GateLab.byDefault(GateMode.SERVE, configuration, quick ? QUICK : DEFAULTS), () -> {});
    OPEN.add(gate);
    gate.start();
    plane.apiServer().launch();
    await().until(() -> gate.address().isPresent());
    var both = new SideBySide(gate.address().orElseThrow(), plane.admin());
    await().atMost(Duration.ofMinutes(1)).until(() -> both.apiServerAnswers());
    var scenarios = new Scenarios(both, PLUGINS);

    var rows =
        new ArrayList<>(
            atOnce(List.of(() -> scenarios.late("absent"), () -> scenarios.late("stale"))));
    assertThat(both.gatePage())
        .as("with everything cured")
        .contains("[+]kms-provider-1 ok", "[+]kms-provider-2 ok");
    rows.addAll(
        atOnce(
            List.of(
                () -> scenarios.fault("hanging", HANGS),
                () -> scenarios.fault("unhealthy", SICK),
                () -> scenarios.fault("killed", DIES),
                () -> scenarios.fault("version", OTHER_VERSION),
                () -> scenarios.fault("refusing", REFUSES),
                () -> scenarios.rotation("rotating"),
                () -> scenarios.paidFault("legacy", CANNOT_ENCRYPT),
                () -> scenarios.inTurn(inOrder("two-a", SICK, "two-b", DIES)),
                () ->
                    scenarios.inTurn(
                        inOrder("three-a", HANGS, "three-b", REFUSES, "three-c", SICK)))));
    System.out.println(SideBySide.table(rows));
    assertThat(rows).allSatisfy(row -> assertThat(row.gateIsInTime()).as(row.name()).isTrue());
  }

  private static SequencedMap<String, Fault> inOrder(Object... namesAndFaults) {
    var faults = new LinkedHashMap<String, Fault>();
    for (int i = 0; i < namesAndFaults.length; i += 2) {
      faults.put((String) namesAndFaults[i], (Fault) namesAndFaults[i + 1]);
    }
    return faults;
  }

  @Test
  @Order(2)
  void behind_the_gate_the_first_read_of_old_data_succeeds() throws Exception {
    var without = new ArrayList<String>();
    assertThat(read()).isEqualTo("200");
    plane.apiServer().kill();
    plugin("steady").stop();
    plane.apiServer().launch();
    // Whether one fails after the plugin's return, too, is a matter of who is faster.
    without.add(
        await()
            .atMost(Duration.ofMinutes(1))
            .until(SideBySideIT::read, answer -> answer.startsWith("5")));
    plugin("steady").start();
    var withoutGate = firstRead(without);

    plane.apiServer().kill();
    plugin("steady").stop();
    var waiting = inBackground(SideBySideIT::gateWait);
    await().pollDelay(Duration.ofSeconds(1)).until(() -> !waiting.isDone());
    plugin("steady").start();
    var begin = System.nanoTime();
    assertThat(waiting.get()).isZero();
    var opened = Duration.ofNanos(System.nanoTime() - begin);
    plane.apiServer().start();
    var with = new ArrayList<String>();
    var withGate = firstRead(with);

    System.out.printf(
        "old Secret, without the gate: read %d ms after the plugin came, after %s%n"
            + "old Secret, behind the gate: gate open after %d ms, first read took %d ms, after %s%n",
        withoutGate.toMillis(), without, opened.toMillis(), withGate.toMillis(), with);
    assertThat(with).as("failed reads behind the gate").isEmpty();
    assertThat(without).as("failed reads without the gate").isNotEmpty();
  }

  private static int gateWait() {
    return GateCommand.create()
        .execute(
            "wait",
            "--encryption-provider-config=" + configuration,
            "--kms-v1=allow",
            "--max-wait=60s",
            "--termination-log=" + directory.resolve("log"));
  }

  /** Reads until it works; what did not is added to the failures, each kind once. */
  private static Duration firstRead(List<String> failures) {
    var begin = System.nanoTime();
    await()
        .atMost(Duration.ofMinutes(3))
        .pollInterval(Duration.ofMillis(100))
        .until(
            () -> {
              var answer = read();
              if (!answer.equals("200") && !failures.contains(answer)) {
                failures.add(answer);
              }
              return answer.equals("200");
            });
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  private static String read() {
    try {
      return Integer.toString(plane.admin().get(SECRET).status());
    } catch (UncheckedIOException e) {
      return "no connection";
    }
  }

  private static LabPlugin plugin(String name) {
    return Objects.requireNonNull(PLUGINS.get(name));
  }

  private static Path socket(String name) {
    return directory.resolve(name + ".sock");
  }

  private static List<Row> atOnce(List<Callable<List<Row>>> scenarios)
      throws InterruptedException, ExecutionException {
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var rows = new ArrayList<Row>();
      for (var scenario : executor.invokeAll(scenarios)) {
        rows.addAll(scenario.get());
      }
      return rows;
    }
  }

  private static <T> Future<T> inBackground(Callable<T> work) {
    var executor = Executors.newVirtualThreadPerTaskExecutor();
    try {
      return executor.submit(work);
    } finally {
      executor.shutdown();
    }
  }
}
