// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.serve;

import static io.krypton.agent.gate.lab.Configurations.entry;
import static io.krypton.agent.gate.lab.Configurations.v2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.agent.gate.GateCommand;
import io.krypton.agent.gate.GateProcess;
import io.krypton.agent.gate.config.GateSettings.GateMode;
import io.krypton.agent.gate.lab.Configurations;
import io.krypton.agent.gate.lab.GateLab;
import io.krypton.agent.gate.lab.MountedVolume;
import io.krypton.kms.probe.FileCanaryStore;
import io.krypton.kms.rpc.Endpoint;
import io.krypton.sandbox.plugin.KeyFile;
import io.krypton.sandbox.plugin.PluginFault;
import io.krypton.sandbox.plugin.PluginServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens on a node while a gate serves there: plugins with real keys, a mounted Secret. */
class LivingNodeTest {
  private static final Duration SOON = Duration.ofMinutes(2);

  @TempDir Path directory;
  private final List<AutoCloseable> open = new ArrayList<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<GateProcess> gates = new ArrayList<>();

  @AfterEach
  void stop() throws Exception {
    for (var each : open.reversed()) {
      each.close();
    }
    http.close();
  }

  @Test
  void a_plugin_behind_an_abstract_name_comes_goes_and_comes_back() throws Exception {
    var name = "krypton-gate-" + UUID.randomUUID();
    serve(file(entry(v2("hidden", "unix:///@" + name, "1s"))));
    await().atMost(SOON).until(() -> get("/readyz/kms/hidden"), text -> !text.contains("not prob"));
    assertThat(get("/readyz/kms/hidden"))
        .contains("v2, WRITE, @" + name + "): WAIT SocketRefused in connect: ");

    var plugin = plugin("@" + name);
    await().atMost(SOON).until(() -> get("/readyz").equals("ok"));
    plugin.use(new PluginFault.Down());
    await().atMost(SOON).until(() -> get("/readyz/kms/hidden").contains("WAIT SocketRefused"));
    plugin.use(new PluginFault.None());
    await().atMost(SOON).until(() -> get("/readyz").equals("ok"));
  }

  @Test
  void a_mounted_secret_is_followed_from_link_to_link() throws Exception {
    plugin(socket("a"));
    var volume = new MountedVolume(directory.resolve("mounted"));
    var file = volume.swap("c.yaml", entry(v2("a", path("a"))));
    serve(file, "config-poll=10s");
    await().atMost(SOON).until(() -> get("/readyz").equals("ok"));
    var first = get("/readyz?format=json");

    volume.swap("c.yaml", entry(v2("b", path("b")), v2("a", path("a"))));
    await().atMost(SOON).until(() -> get("/readyz?format=json").contains("\"pending\":\"sha256:"));
    assertThat(get("/readyz")).as("the old file serves on").isEqualTo("ok");
    assertThat(get("/readyz/kms/b")).isEqualTo("404 page not found\n");
    plugin(socket("b"));
    await().atMost(SOON).until(() -> get("/readyz/kms/b").equals("ok"));
    assertThat(get("/readyz?format=json")).isNotEqualTo(first).doesNotContain("\"pending\"");

    volume.swap("c.yaml", "kind: Nonsense\n");
    await().atMost(SOON).until(() -> get("/readyz/config").contains("not in use: "));
    assertThat(get("/readyz/kms-providers")).isEqualTo("ok");
    volume.swap("c.yaml", entry(v2("a", path("a"))));
    await().atMost(SOON).until(() -> get("/readyz/kms/b").equals("404 page not found\n"));
    await().atMost(SOON).until(() -> get("/readyz").equals("ok"));
  }

  @Test
  void an_old_key_that_is_revoked_degrades_a_plugin_whose_write_key_works() throws Exception {
    var keys = new KeyFile(directory.resolve("a.keys"));
    plugin(socket("a"));
    var canaries = "canary-dir=" + directory.resolve("canaries");
    var file = file(entry(v2("a", path("a"))));
    serve(file, canaries, "interval=3s", "deep-interval=500ms");
    await().atMost(SOON).until(() -> get("/readyz").equals("ok"));
    var old = keys.currentId();

    keys.rotate();
    var kept = new FileCanaryStore(directory.resolve("canaries"));
    await().atMost(SOON).until(() -> kept.load("a").size() == 2);
    assertThat(get("/metrics")).doesNotContain("krypton_gate_degraded{");
    keys.retire(old);

    await().atMost(SOON).until(() -> get("/metrics").contains("reason=\"OldKeyUnreadable\"} 1"));
    assertThat(get("/readyz")).as("what is written now can be read").isEqualTo("ok");
    assertThat(get("/readyz?format=json"))
        .contains("\"verdict\":\"ok\"", "\"degraded\":\"OldKeyUnreadable\"")
        .doesNotContain(old, keys.currentId());

    var log = directory.resolve("wait.json");
    var exit =
        GateCommand.create()
            .execute(
                "wait",
                "--encryption-provider-config=" + file,
                "--" + canaries,
                "--max-wait=30s",
                "--termination-log=" + log);
    assertThat(exit).as("an API server can start").isZero();
    assertThat(Files.readString(log)).contains("\"degraded\":\"OldKeyUnreadable\"");
  }

  @Test
  void a_reader_whose_key_is_revoked_is_named_and_the_writer_stays_ok() throws Exception {
    plugin(socket("writer"));
    var reader = plugin(socket("reader"));
    serve(
        file(entry(v2("writer", path("writer")), v2("reader", path("reader")))),
        "interval=3s",
        "deep-interval=300ms");
    await().atMost(SOON).until(() -> get("/readyz").equals("ok"));

    reader.use(
        PluginFault.parse("decrypt-error=FAILED_PRECONDITION:key is disabled").orElseThrow());

    await().atMost(SOON).until(() -> get("/readyz/kms/reader").contains("FATAL"));
    assertThat(get("/readyz/kms/reader"))
        .contains("KMS provider \"reader\" (kms-provider-1, v2, READ, ")
        .contains("FATAL RpcRefused in decrypt: key is disabled");
    assertThat(get("/readyz/kms/writer")).isEqualTo("ok");
    assertThat(get("/readyz?verbose")).contains("[+]kms-provider-0 ok", "[-]kms-provider-1 failed");
    reader.use(new PluginFault.None());
    await().atMost(SOON).until(() -> get("/readyz").equals("ok"));
  }

  private PluginServer plugin(String address) throws IOException {
    var endpoint = Endpoint.ofAddress(address);
    var name = endpoint.isAbstract() ? "abstract" : Path.of(address).getFileName().toString();
    var keys = new KeyFile(directory.resolve(name.replace(".sock", "") + ".keys"));
    var plugin = PluginServer.start(PluginServer.Settings.of(endpoint, keys));
    open.add(plugin);
    return plugin;
  }

  private String socket(String name) {
    return path(name).toString();
  }

  private Path path(String name) {
    return directory.resolve(name + ".sock");
  }

  private Path file(String text) {
    return Configurations.write(directory.resolve("c.yaml"), text);
  }

  private void serve(Path file, String... flags) {
    var gate = new GateProcess(GateLab.settings(GateMode.SERVE, file, flags), () -> {});
    open.add(gate);
    gates.add(gate);
    gate.start();
    await().atMost(SOON).until(() -> gate.address().isPresent());
  }

  private String get(String path) throws IOException, InterruptedException {
    var port = gates.getLast().address().orElseThrow().getPort();
    var uri = URI.create("http://127.0.0.1:%d%s".formatted(port, path));
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
  }
}
