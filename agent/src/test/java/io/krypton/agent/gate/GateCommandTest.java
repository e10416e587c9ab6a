// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate;

import static io.krypton.agent.gate.lab.Configurations.entry;
import static io.krypton.agent.gate.lab.Configurations.v1;
import static io.krypton.agent.gate.lab.Configurations.v2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.grpc.Status;
import io.krypton.agent.AgentCommand;
import io.krypton.agent.gate.lab.Configurations;
import io.krypton.agent.gate.lab.LabPlugin;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands as a user runs them; those that take time run side by side. */
class GateCommandTest {
  @TempDir Path directory;
  private final List<LabPlugin> plugins = new ArrayList<>();
  private int runs;

  /** What a run came to, and the moment of its end. */
  record Result(int exit, String out, String err, JsonNode log, Duration took, long endNanos) {}

  @AfterEach
  void stop() {
    plugins.forEach(LabPlugin::close);
  }

  @Test
  void a_late_plugin_is_let_through_and_a_stale_socket_does_not_matter() throws Exception {
    LabPlugin.leaveStaleSocket(socket("stale"));
    var late = plugin("late");
    var stale = plugin("stale");

    var waitLate = start("wait", entry(v2("late", socket("late"))));
    var waitStale = start("wait", entry(v2("stale", socket("stale"))));
    await().pollDelay(Duration.ofMillis(1500)).until(() -> !waitLate.isDone());
    assertThat(waitStale).isNotDone();
    assertThat(run("check", entry(v2("late", socket("late"))), "--once").exit()).isEqualTo(5);
    late.start();
    var answering = System.nanoTime();
    stale.start();

    var result = waitLate.get();
    var after = Duration.ofNanos(result.endNanos() - answering);
    System.out.printf("gate wait passed %d ms after the plugin answered%n", after.toMillis());
    assertThat(result.exit()).isZero();
    assertThat(waitStale.get().exit()).isZero();
    assertThat(run("check", entry(v2("late", socket("late"))), "--once").exit()).isZero();
  }

  @Test
  void what_waiting_does_not_cure_ends_with_4_and_what_is_cured_in_time_passes() throws Exception {
    var disabled = Status.FAILED_PRECONDITION.withDescription("key disabled");
    started("key").manners().failEncrypt(disabled);
    var cured = started("cured");
    // The third failure would be for good.
    cured.manners().failEncrypt(disabled, 2);
    started("words").manners().failStatus(Status.UNKNOWN.withDescription("key was destroyed"));
    started("down").manners().failStatus(Status.UNAVAILABLE.withDescription("later"));
    started("reader").manners().failEncrypt(disabled);
    started("good");
    Files.writeString(socket("file"), "no socket");

    var key = start("wait", entry(v2("key", socket("key"))));
    var healed = start("wait", entry(v2("cured", socket("cured"))));
    var words = start("wait", entry(v2("words", socket("words"))));
    var down = start("wait", entry(v2("down", socket("down"))), "--max-wait=7s");
    var file = start("wait", entry(v2("file", socket("file"))));
    var passed =
        start(
            "wait", entry(v2("good", socket("good")), v2("key", socket("key"))), "--on-fatal=pass");
    var reader = start("wait", entry(v2("good", socket("good")), v2("reader", socket("reader"))));
    assertThat(healed.get().exit()).isZero();
    var fatal = key.get();
    assertThat(fatal.exit()).isEqualTo(4);
    assertThat(fatal.took()).isGreaterThan(Duration.ofSeconds(5));
    assertThat(fatal.err())
        .startsWith("KMS provider \"key\" (kms-provider-0, v2, WRITE, ")
        .contains("FATAL RpcRefused in encrypt: key disabled (attempt 3, since ");
    assertThat(fatal.log().path("verdict").asText()).isEqualTo("fatal");
    assertThat(fatal.log().at("/providers/0/name").asText()).isEqualTo("key");
    assertThat(fatal.log().at("/providers/0/code").asText()).isEqualTo("FAILED_PRECONDITION");
    assertThat(words.get().exit()).isEqualTo(4);
    assertThat(down.get().exit()).isEqualTo(5);
    assertThat(down.get().log().path("verdict").asText()).isEqualTo("wait");
    assertThat(file.get().exit()).isEqualTo(4);
    assertThat(file.get().log().at("/providers/0/reason").asText()).isEqualTo("NotASocket");
    assertThat(passed.get().exit()).isZero();
    assertThat(reader.get().exit()).isEqualTo(4);
    assertThat(reader.get().err()).contains("API server cannot read data of reader after restart");
    assertThat(run("check", entry(v2("key", socket("key")))).exit()).isEqualTo(4);
    assertThat(
            run(
                    "check",
                    entry(v2("good", socket("good")), v1("v1", socket("reader"))),
                    "--kms-v1=warn")
                .exit())
        .isZero();
  }

  @Test
  void what_is_clear_at_once_ends_at_once() throws Exception {
    var address = run("wait", entry(v2("rel", "unix:rel.sock", "1s")));
    assertThat(address.exit()).isEqualTo(4);
    assertThat(address.err()).as("nothing is tried again").doesNotContain("attempt ");
    assertThat(run("wait", entry()).exit()).isZero();
    assertThat(run("wait", "kind: Nonsense\n").exit()).isEqualTo(3);
    var v1 = run("wait", entry(v1("old", socket("x"))));
    assertThat(v1.exit()).isEqualTo(3);
    assertThat(v1.err()).contains("KMSv1 is deprecated").contains("hint: set --kms-v1=allow");
    assertThat(v1.log().path("verdict").asText()).isEqualTo("config-invalid");
    var usage = run("wait", entry(), "--interval=soon");
    assertThat(usage.exit()).isEqualTo(2);
    assertThat(usage.err())
        .isEqualTo("--interval \"soon\" is not a duration, write for example 30s\n");
    assertThat(usage.log().path("verdict").asText()).isEqualTo("usage");
    assertThat(run("wait", "kind: Nonsense\n", "--wait-for-config=true", "--max-wait=300ms").exit())
        .isEqualTo(5);
  }

  @Test
  void several_good_rounds_can_be_asked_for() throws Exception {
    started("a");
    var result = run("wait", entry(v2("a", socket("a"))), "--success-threshold=3");
    assertThat(result.exit()).isZero();
    assertThat(result.took()).isGreaterThan(Duration.ofSeconds(2));
  }

  @Test
  void explain_tells_a_configuration_without_its_keys() throws Exception {
    var result =
        run(
            "explain",
            entry(v2("a", "unix://var/run/a.sock", "2s"), v2("b", socket("b"))),
            "-o=text");
    assertThat(result.exit()).isZero();
    assertThat(result.out())
        .contains("kms-provider-0  a  WRITE  v2  /run/a.sock  timeout 2s")
        .contains("    warning: \"var\" is read as a host and dropped")
        .contains("kms-provider-1  b  READ  v2  ");
    assertThat(execute("explain", "ENOENT").out()).startsWith("WAIT   SocketMissing");
    assertThat(execute("explain", "nonsense").exit()).isEqualTo(2);
    assertThat(execute("explain", "-o", "json").out()).contains("\"KeyIDMismatch\"");
  }

  @Test
  void the_agent_refuses_what_would_end_both() {
    var err = new StringWriter();
    var exit =
        AgentCommand.create()
            .setErr(new PrintWriter(err, true))
            .execute(
                "--gate-encryption-provider-config=/c",
                "--gate-on-fatal=exit",
                "--gate-termination-log=" + directory.resolve("t"));
    assertThat(exit).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo("--gate-on-fatal \"exit\" would end the reporter, too: use hold or pass\n");
  }

  private Path socket(String name) {
    return directory.resolve(name + ".sock");
  }

  private LabPlugin plugin(String name) {
    var plugin = LabPlugin.stopped(socket(name));
    plugins.add(plugin);
    return plugin;
  }

  private LabPlugin started(String name) {
    var plugin = plugin(name);
    plugin.start();
    return plugin;
  }

  private CompletableFuture<Result> start(String command, String configuration, String... flags) {
    runs++;
    var file = Configurations.write(directory.resolve("c" + runs + ".yaml"), configuration);
    var log = directory.resolve("log" + runs);
    var arguments = new ArrayList<>(List.of(command, "--encryption-provider-config=" + file));
    if (!command.equals("explain")) {
      arguments.add("--termination-log=" + log);
    }
    arguments.addAll(Arrays.asList(flags));
    return CompletableFuture.supplyAsync(
        () -> execute(log, arguments.toArray(String[]::new)),
        task -> Thread.ofVirtual().start(task));
  }

  private Result run(String command, String configuration, String... flags) throws Exception {
    return start(command, configuration, flags).get();
  }

  private Result execute(String... arguments) {
    return execute(directory.resolve("none"), arguments);
  }

  private static Result execute(Path log, String... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    var begin = System.nanoTime();
    var exit =
        GateCommand.create()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments);
    var end = System.nanoTime();
    assertThat(out.toString() + err).doesNotContain(Configurations.KEY);
    return new Result(
        exit, out.toString(), err.toString(), json(log), Duration.ofNanos(end - begin), end);
  }

  private static JsonNode json(Path log) {
    try {
      var mapper = new ObjectMapper();
      return Files.exists(log) ? mapper.readTree(Files.readString(log)) : mapper.nullNode();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
