// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.wait;

import static io.krypton.agent.gate.lab.Views.NOW;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.krypton.agent.gate.lab.Views;
import io.krypton.agent.gate.status.ProviderStatus;
import io.krypton.kms.health.ProbeFinding.ProbePhase;
import io.krypton.kms.health.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TerminationMessageTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void it_is_one_line_with_all_fields_in_order(@TempDir Path directory) throws IOException {
    var state = Views.fatal(Views.provider(0, "a"), Views.refused(ProbePhase.ENCRYPT)).at(NOW);
    var file = directory.resolve("log");
    report("fatal", 4, List.of(state)).write(file);

    assertThat(Files.readString(file))
        .isEqualTo(
            "{\"v\":1,\"command\":\"gate wait\",\"verdict\":\"fatal\",\"exit\":4,"
                + "\"elapsedMs\":5230,\"config\":\"sha256:old\",\"message\":\"\",\"providers\":[{"
                + "\"index\":0,\"name\":\"a\",\"api\":\"v2\",\"role\":\"WRITE\","
                + "\"address\":\"/run/a.sock\",\"required\":true,\"verdict\":\"fatal\","
                + "\"reason\":\"RpcRefused\",\"phase\":\"encrypt\","
                + "\"code\":\"FAILED_PRECONDITION\",\"message\":\"key disabled\",\"hint\":\""
                + Reason.RPC_REFUSED.hint()
                + "\",\"keyIDHash\":\"sha256:ab\",\"attempts\":7,"
                + "\"since\":\"2026-01-02T03:04:05Z\",\"lastProbe\":\"2026-01-02T03:04:05Z\"}],"
                + "\"omitted\":0}\n");
  }

  @Test
  void fifty_failing_providers_still_fit() throws IOException {
    var states = new ArrayList<ProviderStatus>();
    for (int i = 0; i < 50; i++) {
      var provider = Views.provider(i, "provider-" + i);
      var probeFinding =
          Views.finding(Reason.RPC_ERROR, ProbePhase.STATUS, "UNKNOWN", "ü".repeat(256));
      states.add((i < 5 ? Views.ok(provider) : Views.failing(provider, probeFinding)).at(NOW));
    }
    var line = report("wait", 5, states).line();

    assertThat(line.getBytes(UTF_8)).hasSizeLessThanOrEqualTo(4096);
    JsonNode json = JSON.readTree(line);
    var shown = json.path("providers").size();
    assertThat(shown).isBetween(3, 44);
    assertThat(json.path("omitted").asInt()).isEqualTo(50 - shown);
    assertThat(json.at("/providers/0/name").asText()).isEqualTo("provider-5");
    assertThat(json.at("/providers/0/message").asText()).hasSize(80);
  }

  @Test
  void a_file_that_cannot_be_written_is_nobodys_problem() {
    report("ok", 0, List.of()).write(Path.of("/nowhere/at/all"));
    assertThat(Path.of("/nowhere")).doesNotExist();
  }

  private static TerminationMessage report(
      String verdict, int exit, List<ProviderStatus> providers) {
    return new TerminationMessage(
        "gate wait", verdict, exit, Duration.ofMillis(5230), "sha256:old", "", providers);
  }
}
