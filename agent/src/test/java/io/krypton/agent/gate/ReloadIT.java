// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate;

import static io.krypton.agent.gate.lab.Configurations.entry;
import static io.krypton.agent.gate.lab.Configurations.v2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.krypton.agent.gate.config.GateSettings.GateMode;
import io.krypton.agent.gate.lab.Configurations;
import io.krypton.agent.gate.lab.GateLab;
import io.krypton.agent.gate.lab.LabPlugin;
import io.krypton.agent.lab.LocalPage;
import io.krypton.sandbox.ControlPlane;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The gate beside a real kube-apiserver with automatic reload, over the same file and plugins: it
 * uses the file that the API server uses. The API server looks at its file once a minute, and again
 * soon after it has refused one.
 */
class ReloadIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Pattern REFUSED =
      Pattern.compile(
          "apiserver_encryption_config_controller_automatic_reloads_total\\{[^}]*"
              + "status=\"failure\"} [1-9]");
  private static final Pattern IN_USE =
      Pattern.compile(
          "apiserver_encryption_config_controller_last_config_info\\{[^}]*,hash=\"(.*)\"} 1");
  private static final Pattern IN_USE_HERE =
      Pattern.compile("krypton_gate_config_info\\{hash=\"(.*)\"} 1");

  @TempDir Path directory;

  @Test
  void the_gate_uses_the_file_that_the_api_server_uses() throws Exception {
    var first = entry(v2("writes", socket("writes")));
    var withReader = entry(v2("writes", socket("writes")), v2("reads", socket("reads")));
    try (var _ = LabPlugin.started(socket("writes"));
        var reader = LabPlugin.started(socket("reads"));
        var plane =
            ControlPlane.builder("reload")
                .withoutControllerManager()
                .withEncryption(first)
                .start();
        var gate =
            new GateProcess(
                GateLab.byDefault(
                    GateMode.SERVE,
                    plane.encryptionConfig(),
                    "encryption-provider-config-automatic-reload=true"),
                () -> {})) {
      gate.start();
      await().atMost(PATIENCE).until(() -> page(gate, "/readyz").equals("ok"));
      var before = find(IN_USE_HERE, page(gate, "/metrics"));
      assertThat(before).isPresent();

      reader.manners().failEncrypt(Status.PERMISSION_DENIED.withDescription("decrypt only"));
      Configurations.write(plane.encryptionConfig(), withReader);
      await().atMost(PATIENCE).until(() -> REFUSED.matcher(metrics(plane)).find());
      assertThat(find(IN_USE_HERE, page(gate, "/metrics"))).isEqualTo(before);
      await().atMost(PATIENCE).until(() -> page(gate, "/healthz/config").contains("decrypt only"));

      Configurations.write(plane.encryptionConfig(), entry());
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(find(IN_USE, metrics(plane)))
                      .isPresent()
                      .isEqualTo(find(IN_USE_HERE, page(gate, "/metrics")))
                      .isNotEqualTo(before));
      assertThat(page(gate, "/healthz")).isEqualTo("ok");
    }
  }

  private static Optional<String> find(Pattern pattern, String text) {
    var found = pattern.matcher(text);
    return found.find() ? Optional.of(found.group(1)) : Optional.empty();
  }

  private static String metrics(ControlPlane plane) {
    return plane.admin().get("/metrics").body().asText();
  }

  private static String page(GateProcess gate, String path) {
    return gate.address().map(address -> new LocalPage(address.getPort()).get(path)).orElse("");
  }

  private Path socket(String name) {
    return directory.resolve(name + ".sock");
  }
}
