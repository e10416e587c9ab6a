package io.krypton.agent.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.krypton.agent.gate.SideBySide.Row;
import io.krypton.agent.gate.command.GateCommand;
import io.krypton.agent.gate.command.ServeProcess;
import io.krypton.agent.gate.lab.Configurations;
import io.krypton.agent.gate.lab.GateLab;
import io.krypton.agent.gate.lab.LabPlugin;
import io.krypton.agent.gate.lab.Manners;
import io.krypton.agent.gate.settings.GateMode;
import io.krypton.sandbox.ControlPlane;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * The gate and a real kube-apiserver over the same plugins. A v1 provider makes kube-apiserver
 * check each provider by itself, so that all faults can be shown at the same time.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SideBySideIT {
  private static final String SECRET = "/api/v1/namespaces/default/secrets/old";
  private static final List<String> NAMES =
      List.of(
          "steady",
          "absent",
          "stale",
          "hanging",
          "unhealthy",
          "rotating",
          "version",
          "refusing",
          "legacy");

  @TempDir private static Path directory;
  private static final Map<String, LabPlugin> PLUGINS = new LinkedHashMap<>();
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
  void the_gate_is_never_later_than_the_api_server() throws Exception {
    plane.apiServer().kill();
    plugin("absent").stop();
    plugin("stale").stop();
    LabPlugin.leaveStaleSocket(socket("stale"));
    var gate =
        new ServeProcess(
            GateLab.settings(
                GateMode.SERVE,
                configuration,
                "kms-v1=allow",
                "interval=500ms",
                "deep-interval=2s",
                "unhealthy-interval=500ms"),
            () -> {});
    OPEN.add(gate);
    gate.start();
    plane.apiServer().launch();
    await().until(() -> gate.address().isPresent());
    var both = new SideBySide(gate.address().orElseThrow(), plane.admin());
    await().atMost(Duration.ofMinutes(1)).until(() -> both.apiServerAnswers());

    var rows =
        new ArrayList<>(atOnce(List.of(() -> late(both, "absent"), () -> late(both, "stale"))));
    assertThat(both.gatePage())
        .as("with everything cured")
        .contains("[+]kms-provider-1 ok", "[+]kms-provider-2 ok");
    rows.addAll(
        atOnce(
            List.of(
                () -> fault(both, "hanging", m -> m.hang(true), m -> m.hang(false)),
                () -> fault(both, "unhealthy", m -> m.healthz("sick"), m -> m.healthz("ok")),
                () -> fault(both, "version", m -> m.version("v3"), m -> m.version("v2")),
                () ->
                    fault(
                        both,
                        "refusing",
                        m -> m.failStatus(Status.PERMISSION_DENIED.withDescription("no")),
                        m -> m.failStatus(null)),
                () -> rotation(both),
                () ->
                    fault(
                        both,
                        "legacy",
                        m -> m.failEncrypt(Status.UNAVAILABLE.withDescription("no")),
                        m -> m.failEncrypt(null)))));
    System.out.println(SideBySide.table(rows));
    assertThat(rows).allSatisfy(row -> assertThat(row.gateIsNeverLater()).as(row.name()).isTrue());
  }

  /** Both began without the plugin; it comes now. */
  private static Row late(SideBySide both, String name) {
    var index = NAMES.indexOf(name);
    assertThat(both.awaitRed(index).gate().text())
        .contains("KMS provider \"" + name + "\" (kms-provider-" + index);
    var words = both.words(index);
    plugin(name).start();
    return new Row(name + " at the start", words, null, both.awaitGreen(index));
  }

  /** From the moment at which kube-apiserver has seen the plugin well, as the gate does always. */
  private static Row fault(
      SideBySide both, String name, Consumer<Manners> ill, Consumer<Manners> well) {
    var index = NAMES.indexOf(name);
    awaitFreshLook(both, name);
    ill.accept(plugin(name).manners());
    var red = both.awaitRed(index);
    assertThat(red.gate().text()).contains("KMS provider \"" + name + "\" (kms-provider-" + index);
    var words = both.words(index);
    well.accept(plugin(name).manners());
    return new Row(name, words, red.times(), both.awaitGreen(index));
  }

  /** A new key is no fault: nobody turns red until kube-apiserver has seen it. */
  private static Row rotation(SideBySide both) {
    var index = NAMES.indexOf("rotating");
    awaitFreshLook(both, "rotating");
    plugin("rotating").manners().key("key-2");
    awaitFreshLook(both, "rotating");
    assertThat(both.words(index)).isEqualTo("ok / ok");
    return new Row("rotating", "ok / ok", null, null);
  }

  private static void awaitFreshLook(SideBySide both, String name) {
    var seen = plugin(name).callsOfApiServers();
    await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(100))
        .until(
            () ->
                both.apiServerIsGreen(NAMES.indexOf(name))
                    && plugin(name).callsOfApiServers() > seen);
  }

  @Test
  @Order(2)
  void behind_the_gate_the_first_read_of_old_data_succeeds() throws Exception {
    var without = new ArrayList<String>();
    assertThat(read()).isEqualTo("200");
    plane.apiServer().kill();
    plugin("steady").stop();
    plane.apiServer().launch();
    await().atMost(Duration.ofMinutes(1)).until(() -> read().startsWith("5"));
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

  private static List<Row> atOnce(List<Callable<Row>> scenarios)
      throws InterruptedException, ExecutionException {
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var rows = new ArrayList<Row>();
      for (var scenario : executor.invokeAll(scenarios)) {
        rows.add(scenario.get());
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
