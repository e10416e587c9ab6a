// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter;

import static io.krypton.agent.reporter.publish.Samples.T0;

import io.krypton.kms.health.FailureClassifier;
import io.krypton.kms.health.FatalPatterns;
import io.krypton.kms.health.ProbeFinding;
import io.krypton.kms.health.ProbeFinding.ProbePhase;
import io.krypton.kms.health.ProbeOutcome;
import io.krypton.kms.health.ProbeOutcome.ProbeLevel;
import io.krypton.kms.health.ProbeOutcome.UnreadableKey;
import io.krypton.kms.health.Reason;
import io.krypton.kms.health.ReportDebounce;
import io.krypton.kms.health.Verdict;
import io.krypton.kms.probe.PluginProbe.PluginSpec;
import io.krypton.kms.probe.PluginProbeResult;
import io.krypton.kms.probe.PluginProbeResult.CallRecord;
import io.krypton.kms.probe.ProbeListener.PluginState;
import io.krypton.kms.rpc.Endpoint;
import io.krypton.kms.rpc.KmsApiVersion;
import io.krypton.kms.rpc.RpcCode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Feeds a node view with results, second by second, as a prober would. */
final class ProbedNode {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final NodeHealthCollector view;
  private final Map<String, ReportDebounce> judgements = new HashMap<>();

  ProbedNode(NodeHealthCollector view) {
    this.view = view;
  }

  void good(String keyId, int second, String remoteKeyId) {
    result(keyId, second, ProbeOutcome.GOOD, remoteKeyId, ProbeLevel.STATUS);
  }

  void goodDeep(String keyId, int second, String remoteKeyId) {
    result(keyId, second, ProbeOutcome.GOOD, remoteKeyId, ProbeLevel.DEEP);
  }

  void oldKeyUnreadable(String keyId, int second, String remoteKeyId, String oldKeyId) {
    var gone =
        new ProbeFinding(
            Reason.RPC_REFUSED, ProbePhase.CANARY, "NOT_FOUND", Verdict.FATAL, "destroyed", "");
    var probeOutcome =
        new FailureClassifier(FatalPatterns.DEFAULT)
            .oldKeysUnreadable(List.of(new UnreadableKey(oldKeyId, gone)));
    result(keyId, second, probeOutcome, remoteKeyId, ProbeLevel.DEEP);
  }

  void gone(String keyId, int second, String remoteKeyId, String detail) {
    var probeFinding =
        new ProbeFinding(
            Reason.SOCKET_MISSING, ProbePhase.CONNECT, "ENOENT", Verdict.WAIT, detail, "");
    result(keyId, second, new ProbeOutcome.Failing(probeFinding), remoteKeyId, ProbeLevel.STATUS);
  }

  private void result(
      String keyId,
      int second,
      ProbeOutcome probeOutcome,
      String remoteKeyId,
      ProbeLevel probeLevel) {
    var at = Duration.ofSeconds(second);
    var judgement =
        judgements
            .getOrDefault(keyId, ReportDebounce.initial(new ReportDebounce.Rules(SECOND, true)))
            .after(probeLevel, probeOutcome, at);
    judgements.put(keyId, judgement);
    var call =
        new CallRecord(
            probeLevel == ProbeLevel.STATUS
                ? CallRecord.Operation.STATUS
                : CallRecord.Operation.ENCRYPT,
            RpcCode.OK,
            Duration.ofMillis(1));
    var result =
        new PluginProbeResult(
            keyId,
            probeLevel,
            T0.plusSeconds(second),
            at,
            Duration.ofMillis(250),
            probeOutcome,
            remoteKeyId,
            false,
            List.of(call));
    var plugin = new PluginSpec(keyId, KmsApiVersion.V2, Endpoint.ofAddress("/k"), SECOND);
    view.onResult(new PluginState<>(plugin, result, null, judgement), result);
  }
}
