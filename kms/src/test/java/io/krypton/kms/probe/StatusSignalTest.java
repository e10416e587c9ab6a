// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.kms.health.ProbeFinding;
import io.krypton.kms.health.ProbeFinding.ProbePhase;
import io.krypton.kms.health.ProbeOutcome;
import io.krypton.kms.health.Reason;
import io.krypton.kms.health.Verdict;
import io.krypton.kms.probe.PluginProbe.PluginSpec;
import io.krypton.kms.probe.PluginProbe.ProbeTools;
import io.krypton.kms.rpc.Endpoint;
import io.krypton.kms.rpc.KmsApiVersion;
import io.krypton.kms.rpc.PluginConnectionPool;
import io.krypton.kms.testkit.ScriptedKmsV2;
import io.krypton.kms.testkit.ScriptedPlugin;
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
      assertThat(status(plugin.endpoint())).isEqualTo(ProbeOutcome.GOOD);
      assertThat(reason(status(plugin.endpoint(), Verdict.WAIT))).isEqualTo(Reason.HTTP_HEALTHZ);
    }
    var nobody = Endpoint.ofAddress(directory.resolve("nobody.sock").toString());
    assertThat(reason(status(nobody))).isEqualTo(Reason.SOCKET_MISSING);
    assertThat(reason(status(nobody, Verdict.WAIT))).isEqualTo(Reason.SOCKET_MISSING);
    assertThat(reason(status(nobody, Verdict.WAIT, Verdict.FATAL))).isEqualTo(Reason.HTTP_HEALTHZ);
  }

  private static ProbeOutcome status(Endpoint endpoint, Verdict... objections) throws Exception {
    var signals =
        List.of(objections).stream()
            .<StatusSignal>map(verdict -> (_, _) -> Optional.of(objection(verdict)))
            .toList();
    try (var connections = new PluginConnectionPool();
        var connection = connections.open(endpoint, () -> {})) {
      var spec = new PluginSpec("1", KmsApiVersion.V2, endpoint, Duration.ofSeconds(5));
      return new PluginProbe(spec, connection, ProbeTools.standard(), signals).status().outcome();
    }
  }

  private static ProbeFinding objection(Verdict verdict) {
    return new ProbeFinding(Reason.HTTP_HEALTHZ, ProbePhase.HTTP, "", verdict, "objects", "");
  }

  private static Reason reason(ProbeOutcome probeOutcome) {
    return ((ProbeOutcome.Failing) probeOutcome).finding().reason();
  }
}
