package io.krypton.kms.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.kms.protocol.Endpoint;
import io.krypton.kms.protocol.KmsApi;
import io.krypton.kms.protocol.PluginConnections;
import io.krypton.kms.testkit.ScriptedKmsV2;
import io.krypton.kms.testkit.ScriptedPlugin;
import io.krypton.kms.verdict.Finding;
import io.krypton.kms.verdict.Outcome;
import io.krypton.kms.verdict.Phase;
import io.krypton.kms.verdict.Reason;
import io.krypton.kms.verdict.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatusSignalTest {
  @TempDir Path directory;

  @Test
  void a_signal_can_make_a_result_worse_and_never_better() throws Exception {
    try (var plugin =
        ScriptedPlugin.at(directory.resolve("kms.sock"), new ScriptedKmsV2("key-1"))) {
      assertThat(status(plugin.endpoint())).isEqualTo(Outcome.GOOD);
      assertThat(reason(status(plugin.endpoint(), Verdict.WAIT))).isEqualTo(Reason.HTTP_HEALTHZ);
    }
    var nobody = Endpoint.ofAddress(directory.resolve("nobody.sock").toString());
    assertThat(reason(status(nobody))).isEqualTo(Reason.SOCKET_MISSING);
    assertThat(reason(status(nobody, Verdict.WAIT))).isEqualTo(Reason.SOCKET_MISSING);
    assertThat(reason(status(nobody, Verdict.WAIT, Verdict.FATAL))).isEqualTo(Reason.HTTP_HEALTHZ);
  }

  private static Outcome status(Endpoint endpoint, Verdict... objections) throws Exception {
    var signals =
        List.of(objections).stream()
            .<StatusSignal>map(verdict -> (_, _) -> Optional.of(objection(verdict)))
            .toList();
    try (var connections = new PluginConnections();
        var connection = connections.open(endpoint, () -> {})) {
      var spec = new PluginSpec("1", KmsApi.V2, endpoint, Duration.ofSeconds(5));
      return new PluginProbe(spec, connection, ProbeTools.standard(), signals).status().outcome();
    }
  }

  private static Finding objection(Verdict verdict) {
    return new Finding(Reason.HTTP_HEALTHZ, Phase.HTTP, "", verdict, "objects", "");
  }

  private static Reason reason(Outcome outcome) {
    return ((Outcome.Failing) outcome).finding().reason();
  }
}
