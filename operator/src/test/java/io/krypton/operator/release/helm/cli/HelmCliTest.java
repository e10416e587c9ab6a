// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.operator.release.helm.HelmClient.HelmResult;
import io.krypton.operator.release.helm.HelmClient.OperationListener;
import io.krypton.operator.release.helm.HelmOperation;
import io.krypton.operator.release.helm.HelmOperation.HelmKubeconfig;
import io.krypton.operator.release.helm.HelmOperation.Install;
import io.krypton.operator.release.helm.HelmSettings;
import io.krypton.operator.release.helm.TestOperations;
import io.krypton.operator.release.values.ChartValues;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HelmCliTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final String UNTIL_TOLD = "touch $2.began; while [ ! -e go ]; do sleep 0.02; done";

  @TempDir Path directory;

  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> heard = Collections.synchronizedList(new ArrayList<>());

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
                      "(HELM_\\w+|SSL_CERT_FILE|GO\\w+|LC_MESSAGES|KUBECONFIG|KUBECACHEDIR|HOME|PATH|PWD|OLDPWD|SHLVL|_)=.*"));
    }
  }

  @Test
  void what_helm_learned_of_an_api_is_kept_per_cluster_and_run() throws IOException {
    try (var helm = helm("mkdir -p $KUBECACHEDIR && echo x >> $KUBECACHEDIR/learned")) {
      helm.run(operations("r1").uninstall());
      helm.run(operations("r2").uninstall());
      helm.run(TestOperations.on("elsewhere", "acme", "r3", "{}").uninstall());
      try (var kept = Files.walk(directory)) {
        assertThat(kept.filter(Files::isRegularFile))
            .filteredOn(file -> file.endsWith("learned"))
            .extracting(
                file -> file.getName(file.getNameCount() - 2) + " " + Files.readString(file))
            .containsExactlyInAnyOrder("edge x\nx\n", "elsewhere x\n");
      }
    }
    assertThat(filesLeft()).isEmpty();
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
  void a_release_is_worked_on_by_one_at_a_time() throws Exception {
    try (var helm = helm(UNTIL_TOLD)) {
      var first = start(helm, "r");
      assertThat(helm.isRunning(operations("r").target().release())).isTrue();
      assertThat(helm.processes()).isEqualTo(1);
      assertThat(helm.run(operations("r").uninstall())).isInstanceOf(HelmResult.Busy.class);
      Files.createFile(directory.resolve("go"));
      assertThat(first.get()).isEqualTo(new HelmResult.Done());
      assertThat(helm.isRunning(operations("r").target().release())).isFalse();
      assertThat(helm.processes()).isZero();
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
  void without_a_free_slot_it_is_busy_at_once() throws Exception {
    try (var helm = helm(UNTIL_TOLD)) {
      var first = start(helm, "r1");
      var second = start(helm, "r2");
      assertThat(helm.run(operations("r3").uninstall()))
          .isEqualTo(new HelmResult.Busy("there is no free helm slot"));
      Files.createFile(directory.resolve("go"));
      assertThat(List.of(first.get(), second.get())).containsOnly(new HelmResult.Done());
    }
  }

  @Test
  void whoever_found_no_slot_is_called_and_has_it_then() throws Exception {
    try (var helm = helm(UNTIL_TOLD)) {
      var first = start(helm, "r1");
      var second = start(helm, "r2");
      var calls = Collections.synchronizedList(new ArrayList<String>());
      var third = operations("r3").target().release();
      var fourth = operations("r4").target().release();
      assertThat(helm.reserve(third, () -> calls.add("r3"))).isFalse();
      assertThat(helm.reserve(fourth, () -> calls.add("r4"))).isFalse();
      var elsewhere = TestOperations.on("elsewhere", "acme", "r", "{}").target().release();
      assertThat(helm.reserve(elsewhere, () -> {})).as("a slow cluster stops no other").isTrue();

      Files.createFile(directory.resolve("go"));
      assertThat(List.of(first.get(), second.get())).containsOnly(new HelmResult.Done());

      assertThat(calls).containsExactly("r3", "r4");
      assertThat(helm.run(operations("r5").uninstall()))
          .as("the slots are theirs, though nothing runs")
          .isInstanceOf(HelmResult.Busy.class);
      assertThat(helm.reserve(third, () -> {})).isTrue();
      assertThat(helm.run(operations("r3").uninstall())).isEqualTo(new HelmResult.Done());
      helm.releaseReservation(third);
      helm.releaseReservation(fourth);
      assertThat(helm.run(operations("r5").uninstall())).isEqualTo(new HelmResult.Done());
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
    try (var helm = new HelmCli(settings("/nowhere/helm"), OperationListener.NONE)) {
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
  void every_operation_is_told_to_the_listener() throws IOException {
    try (var helm = helm("[ $1 = install ] || exit 1")) {
      helm.run(operations("r").install(Path.of("c.tgz")));
      helm.run(operations("r").rollback(1));
    }
    assertThat(heard).containsExactly("edge install done", "edge rollback failed");
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

  private Future<HelmResult> start(HelmCli helm, String release) {
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

  private HelmCli helm(String body) throws IOException {
    var script = body.replace("-e go", "-e " + directory.resolve("go"));
    var program = ScriptedHelm.in(directory, "v4.3.1", script);
    return new HelmCli(
        settings(program.toString()),
        (operation, result, took) ->
            heard.add(
                "%s %s %s"
                    .formatted(
                        operation.target().release().cluster(),
                        operation.action(),
                        result.value())));
  }

  private HelmSettings settings(String program) {
    return new HelmSettings(
        program,
        directory.resolve("data"),
        new ConcurrencyLimits(4, 2),
        72,
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
