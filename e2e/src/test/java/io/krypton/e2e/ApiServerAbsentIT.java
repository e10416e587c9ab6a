// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.fault.Fault;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.pki.CertificateAuthority;
import io.krypton.sandbox.process.ReservedPort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Operators, reporters and a gate that start before their API server: none ends, whatever the way
 * it is missing in, and all go on soon after its return.
 *
 * <p>{@code -Dabsence.seconds=300} makes it stay away for five minutes.
 */
@ExtendWith(ControlPlaneExtension.class)
@Order(11)
class ApiServerAbsentIT {
  private static final String NAMESPACE = "absent";
  private static final Path CRD =
      Shell.ROOT.resolve("charts/krypton-operator/files/crds/kmshealths.mesh.openkcm.io.yaml");

  /** Long enough for the time limits of first requests to pass. */
  private static final Duration AWAY = Duration.ofSeconds(Long.getLong("absence.seconds", 12));

  /**
   * The longest pause between two tries is six seconds, spread included. Here ten processes come
   * back at once, perhaps beside other tests, so the limit only tells this from the pause of a
   * minute that follows a refusal; {@code -Dabsence.back.seconds=6} is for a quiet machine.
   */
  private static final Duration BACK = Duration.ofSeconds(Long.getLong("absence.back.seconds", 30));

  @TempDir Path directory;
  private final List<AutoCloseable> running = new ArrayList<>();
  private final List<Waiting> waiting = new ArrayList<>();
  private final List<Cure> cures = new ArrayList<>();
  private KmsObject kms;

  private interface Cure {
    void apply() throws IOException;
  }

  @BeforeEach
  void prepare(@Cluster("absent") ControlPlane home) throws IOException {
    Fleet.namespace(home, NAMESPACE);
    Fleet.namespace(home, "krypton-system");
    kms = KmsObject.kmsHealth(home);
    KmsObject.define(home, CRD);
    Fleet.eventually("defined", kms::create);
  }

  @AfterEach
  void stop() throws Exception {
    for (var each : running.reversed()) {
      each.close();
    }
  }

  @Test
  void nobody_ends_and_all_work_soon_after_the_api_server_is_back(
      @Cluster("absent") ControlPlane home, TestReporter figures) throws Exception {
    behind("closed port", home, new Fault.Refuse());
    behind("black hole", home, new Fault.BlackHole());
    behind("503", home, Fault.answer(503));
    withKubeconfig("wrong authority", otherAuthority(home), home);
    withKubeconfig("no kubeconfig", "", home);
    var gate = gate();

    for (var each : waiting) {
      await(each.name()).atMost(Fleet.PATIENCE).ignoreExceptions().until(each.live());
    }
    await("the gate needs nobody")
        .atMost(Fleet.PATIENCE)
        .ignoreExceptions()
        .until(() -> gate.live().call() && gate.works().call());
    await()
        .pollInterval(Duration.ofSeconds(1))
        .during(AWAY)
        .atMost(AWAY.plus(Fleet.PATIENCE))
        .until(() -> allHoldOut() && gate.alive().getAsBoolean() && gate.works().call());

    for (var cure : cures) {
      cure.apply();
    }
    var resumed = whenEachWorks();
    resumed.forEach((name, after) -> figures.publishEntry(name, after.toMillis() + " ms"));
    Files.writeString(
        Path.of("target", "absence-%ds.txt".formatted(AWAY.toSeconds())), resumed.toString());

    assertThat(resumed.keySet()).hasSameSizeAs(waiting);
    assertThat(resumed).allSatisfy((name, after) -> assertThat(after).isLessThan(BACK));
    assertThat(waiting).allMatch(each -> each.alive().getAsBoolean(), "still the same process");
    assertThat(gate.works().call()).isTrue();
  }

  private boolean allHoldOut() throws Exception {
    for (var each : waiting) {
      if (!each.isHoldingOut()) {
        throw new AssertionError(each.name() + " did not hold out");
      }
    }
    return true;
  }

  /** From the moment that the last API server is back, by name. */
  private Map<String, Duration> whenEachWorks() {
    var begun = System.nanoTime();
    var resumed = new TreeMap<String, Duration>();
    await()
        .atMost(Fleet.PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(100))
        .until(
            () -> {
              for (var each : waiting) {
                if (!resumed.containsKey(each.name()) && each.works().call()) {
                  resumed.put(each.name(), Duration.ofNanos(System.nanoTime() - begun));
                }
              }
              return resumed.size() == waiting.size();
            });
    return resumed;
  }

  private void behind(String how, ControlPlane home, Fault fault) throws IOException {
    var proxy = home.proxy();
    proxy.inject(fault);
    startBoth(how, home.adminKubeconfig(proxy));
    cures.add(proxy::pass);
  }

  /** Somebody writes the right one later; to begin with there is this one, or none. */
  private void withKubeconfig(String how, String content, ControlPlane home) throws IOException {
    for (var kubeconfig : startBoth(how, content)) {
      if (content.isEmpty()) {
        Files.delete(kubeconfig);
      }
      cures.add(() -> Files.writeString(kubeconfig, home.adminKubeconfig()));
    }
  }

  private List<Path> startBoth(String how, String kubeconfig) throws IOException {
    var files = Files.createTempDirectory(directory, "operator");
    var operator =
        Operator.start(
            files,
            kubeconfig,
            "--namespace=" + NAMESPACE,
            "--self-cluster=never",
            "--leader-elect=false",
            "--platform=kubernetes");
    running.add(operator);
    waiting.add(
        new Waiting(
            "operator, " + how,
            operator::isAlive,
            () ->
                operator.probe("/livez").statusCode() == 200
                    && operator.metric("krypton_api_connected") == 0,
            () ->
                operator.probe("/readyz").statusCode() == 200
                    && operator.metric("krypton_api_connected") == 1));

    var own = Files.writeString(files.resolve("reporter.kubeconfig"), kubeconfig);
    var port = port();
    var node = how.replace(' ', '-');
    var reporter = ReporterNode.start(directory, node, own, port);
    running.add(reporter);
    waiting.add(
        new Waiting(
            "reporter, " + how,
            reporter::isAlive,
            () -> Waiting.status(port, "/livez") == 200,
            () -> kms.says("KMSHealthReporter_" + node).equals("True/AsExpected")));
    return List.of(files.resolve("home.kubeconfig"), own);
  }

  /** Kept until the end, so that nobody else gets it while a process starts. */
  private int port() {
    var port = ReservedPort.any();
    running.add(port);
    return port.number();
  }

  /** It knows no API server, and judges plugins all the same. */
  private Waiting gate() throws IOException {
    var files = Files.createDirectory(directory.resolve("gate"));
    var plugin = ReporterNode.start(files, "gated", files.resolve("none"), port());
    running.add(plugin);
    var configuration =
        Files.writeString(
            files.resolve("encryption.yaml"),
            """
            apiVersion: apiserver.config.k8s.io/v1
            kind: EncryptionConfiguration
            resources:
            - resources: [secrets]
              providers:
              - kms: {apiVersion: v2, name: plugin, endpoint: "%s", timeout: 3s}
              - identity: {}
            """
                .formatted(plugin.address("2")));
    var port = port();
    var log = files.resolve("log");
    var gate =
        new Shell(files)
            .start(
                log,
                log,
                Shell.KRYPTON.toString(),
                "gate",
                "serve",
                "--encryption-provider-config=" + configuration,
                "--listen=127.0.0.1:" + port);
    running.add(gate::destroyForcibly);
    return new Waiting(
        "gate",
        gate::isAlive,
        () -> Waiting.status(port, "/livez") == 200,
        () -> Waiting.status(port, "/readyz") == 200);
  }

  /** The same server, and an authority that has not signed its certificate. */
  private static String otherAuthority(ControlPlane home) {
    var other = CertificateAuthority.named("other").certificatePem();
    var data = Base64.getEncoder().encodeToString(other.getBytes(StandardCharsets.US_ASCII));
    return home.adminKubeconfig()
        .replaceAll("certificate-authority-data: \\S+", "certificate-authority-data: " + data);
  }
}
