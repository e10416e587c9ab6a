// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.operator.release.helm.HelmClient.HelmResult;
import io.krypton.operator.release.helm.HelmOperation;
import io.krypton.operator.release.helm.HelmOperation.HelmKubeconfig;
import io.krypton.operator.release.helm.HelmOperation.Install;
import io.krypton.operator.release.helm.HelmSettings;
import io.krypton.operator.release.helm.HelmSettings.EngineChoice;
import io.krypton.operator.release.helm.HelmSettings.Limits;
import io.krypton.operator.release.helm.HelmSettings.Programs;
import io.krypton.operator.release.helm.TestOperations;
import io.krypton.operator.release.helm.process.HelmFiles;
import io.krypton.operator.release.values.ChartValues;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CliEngineTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final String UNTIL_TOLD = "touch $2.began; while [ ! -e go ]; do sleep 0.02; done";

  @TempDir Path directory;

  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void endCallers() {
    callers.shutdownNow();
  }

  @Test
  void files_are_private_and_gone_afterwards() throws IOException {
    try (var helm =
        helm(
            "ls -ld . > ../../../seen; ls -l >> ../../../seen; cat kubeconfig values.json >>"
                + " ../../../seen")) {
      assertThat(helm.run(operations("r").install(Path.of("c.tgz"), Map.of("a", 1))))
          .isEqualTo(new HelmResult.Done());
      assertThat(Files.readString(directory.resolve("data/seen")))
          .containsPattern("drwx------.*\\.")
          .containsPattern("-rw-------.* kubeconfig")
          .containsPattern("-rw-------.* values.json")
          .contains("token: hunter2")
          .contains("{\"a\":1}");
      assertThat(filesLeft()).isEmpty();
    }
  }

  @Test
  void the_environment_is_made_up_anew() throws IOException {
    try (var helm = helm("env > ../../../seen")) {
      helm.run(operations("r").uninstall());
      assertThat(Files.readAllLines(directory.resolve("data/seen")))
          .contains("HELM_DRIVER=secret", "GOMEMLIMIT=72MiB")
          .anyMatch(line -> line.matches("KUBECONFIG=/.*/kubeconfig"))
          .anyMatch(line -> line.startsWith("HOME=" + directory))
          .contains("SSL_CERT_FILE=/etc/own-authorities.pem")
          .noneMatch(line -> line.contains("proxy.example"))
          .allMatch(
              line ->
                  line.matches(
                      "(HELM_\\w+|SSL_CERT_FILE|GOMEMLIMIT|KUBECONFIG|HOME|PATH|PWD|OLDPWD|SHLVL|_)=.*"));
    }
  }

  @Test
  void helms_verdict_comes_back_without_secrets() throws IOException {
    try (var helm =
        helm("echo 'Error: spec.x: Invalid value: \"swordfish\" for hunter2' >&2; exit 1")) {
      var chartValues = ChartValues.of(Map.of("password", "swordfish")).asSecret();
      var releaseSpec = TestOperations.rollout(Path.of("c.tgz"), chartValues, 1);
      assertThat(helm.run(new Install(operations("r").target(), releaseSpec)))
          .isEqualTo(new HelmResult.Failed("spec.x: Invalid value: \"***\" for ***"));
    }
  }

  @Test
  void credentials_are_asked_for_when_the_process_starts_and_hidden_as_they_were_then()
      throws Exception {
    var tokens = new AtomicInteger();
    var target =
        new HelmOperation.Target(
            operations("r").target().release(),
            () -> new HelmKubeconfig("users: [{user: {token: token-%d}}]".formatted(tokens.get())),
            LONG);
    try (var helm = helm("cat kubeconfig >&2; exit 1")) {
      tokens.set(7);
      var result = helm.run(new HelmOperation.Uninstall(target));
      assertThat(result).isInstanceOf(HelmResult.Failed.class);
      assertThat(result.toString()).contains("token: ***").doesNotContain("token-7");
    }
  }

  @Test
  void a_cluster_that_leaves_takes_its_operations_along() throws Exception {
    try (var helm = helm(UNTIL_TOLD)) {
      var running = start(helm, "r");
      helm.stop("other");
      assertThat(running.isDone()).isFalse();
      helm.stop("edge");
      assertThat(running.get()).isEqualTo(new HelmResult.Stopped());
    }
  }

  @Test
  void close_ends_children_that_do_not_want_to_end_and_removes_their_files() throws Exception {
    var helm = helm("trap '' TERM; " + UNTIL_TOLD);
    var running = start(helm, "r");
    var began = System.nanoTime();
    helm.close();
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LONG);
    assertThat(running.get()).isEqualTo(new HelmResult.Stopped());
    assertThat(filesLeft()).isEmpty();
    assertThat(helm.run(operations("r").uninstall())).isEqualTo(new HelmResult.Stopped());
  }

  @Test
  void a_helm_that_ignores_its_own_timeout_is_ended() throws IOException {
    try (var helm = helm("echo 'still waiting' >&2; exec sleep 1000")) {
      var operations = operations("r").within(Duration.ofMillis(100));
      assertThat(helm.run(operations.uninstall()))
          .isEqualTo(new HelmResult.TimedOut(Duration.ofMillis(200), "still waiting"));
    }
  }

  @Test
  void a_missing_program_is_a_result() throws IOException {
    try (var helm = engine("/nowhere/helm")) {
      assertThat(helm.run(operations("r").uninstall()))
          .isEqualTo(
              new HelmResult.Unusable(
                  "helm binary '/nowhere/helm' not found;"
                      + " put Helm 4 on the PATH, or name it with --helm-binary"));
    }
  }

  @Test
  void a_program_that_vanishes_is_told_each_time_in_the_same_words() throws IOException {
    try (var helm = helm("exit 0")) {
      assertThat(helm.run(operations("r").uninstall())).isEqualTo(new HelmResult.Done());
      Files.delete(directory.resolve("helm"));

      var first = helm.run(operations("r").uninstall());

      assertThat(first)
          .isInstanceOfSatisfying(
              HelmResult.Unusable.class,
              it -> assertThat(it.reason()).contains("cannot run " + directory.resolve("helm")));
      assertThat(helm.run(operations("r").uninstall())).isEqualTo(first);
    }
  }

  @Test
  void an_unusable_directory_is_a_result() throws IOException {
    Files.createFile(directory.resolve("data"));
    try (var helm = helm("exit 0")) {
      assertThat(helm.run(operations("r").uninstall()))
          .isInstanceOfSatisfying(
              HelmResult.Unusable.class,
              it -> assertThat(it.reason()).contains("data is not a directory"));
    }
  }

  @Test
  void what_a_cluster_accepted_is_not_validated_again() throws IOException {
    try (var helm = helm("echo \"$*\" >> ../../../seen; exit $(cat ../../../code)")) {
      var code = directory.resolve("data/code");
      Files.writeString(code, "1");
      helm.run(operations("r1").install(Path.of("c.tgz")));
      Files.writeString(code, "0");
      helm.run(operations("r2").install(Path.of("c.tgz")));
      helm.run(operations("r3").install(Path.of("c.tgz")));
      helm.run(operations("r4").install(Path.of("c.tgz"), Map.of("other", true)));
      assertThat(Files.readAllLines(directory.resolve("data/seen")))
          .map(line -> line.contains("--disable-openapi-validation"))
          .containsExactly(false, false, true, false);
    }
  }

  @Test
  void what_a_cluster_accepted_is_forgotten_with_it() throws IOException {
    try (var helm = helm("echo \"$*\" >> ../../../seen")) {
      helm.run(operations("r1").install(Path.of("c.tgz")));
      helm.forget("other");
      helm.run(operations("r2").install(Path.of("c.tgz")));
      helm.forget(operations("r2").target().release().cluster());
      helm.run(operations("r3").install(Path.of("c.tgz")));
      assertThat(Files.readAllLines(directory.resolve("data/seen")))
          .map(line -> line.contains("--disable-openapi-validation"))
          .containsExactly(false, true, false);
    }
  }

  private Future<HelmResult> start(CliEngine helm, String release) {
    var result = callers.submit(() -> helm.run(operations(release).uninstall()));
    await().atMost(LONG).until(() -> hasBegun(release));
    return result;
  }

  private boolean hasBegun(String release) {
    try (var files = Files.walk(directory.resolve("data"))) {
      return files.anyMatch(file -> file.endsWith(release + ".began"));
    } catch (IOException | UncheckedIOException e) {
      return false; // A directory vanished while it was listed.
    }
  }

  private CliEngine helm(String body) throws IOException {
    var script = body.replace("-e go", "-e " + directory.resolve("go"));
    return engine(ScriptedHelm.in(directory, "v4.3.1", script).toString());
  }

  private CliEngine engine(String program) {
    var limits = new Limits(new ConcurrencyLimits(4, 2), 72);
    var settings =
        new HelmSettings(
            new Programs(EngineChoice.CLI, program, "none"),
            directory.resolve("data"),
            limits,
            limits,
            5,
            Duration.ofMillis(100),
            Duration.ofMillis(300),
            Map.of(
                "PATH",
                "/usr/bin:/bin",
                "HTTPS_PROXY",
                "http://proxy.example",
                "SSL_CERT_FILE",
                "/etc/own-authorities.pem"));
    return new CliEngine(settings, new HelmFiles(settings.dataDir()));
  }

  private List<Path> filesLeft() throws IOException {
    try (var files = Files.walk(directory.resolve("data/helm"))) {
      return files.filter(Files::isRegularFile).filter(file -> !file.endsWith("lock")).toList();
    }
  }

  private static TestOperations operations(String release) {
    return TestOperations.on(
        "edge", "acme", release, "users: [{user: {token: hunter2}}]\n# token: hunter2");
  }
}
