package io.krypton.agent.reporter;

import static io.krypton.agent.reporter.Samples.T0;

import io.krypton.kms.probe.CallRecord;
import io.krypton.kms.probe.PluginSpec;
import io.krypton.kms.probe.PluginState;
import io.krypton.kms.probe.ProbeResult;
import io.krypton.kms.protocol.Endpoint;
import io.krypton.kms.protocol.KmsApi;
import io.krypton.kms.protocol.RpcCode;
import io.krypton.kms.verdict.Classification;
import io.krypton.kms.verdict.Damping;
import io.krypton.kms.verdict.FatalPatterns;
import io.krypton.kms.verdict.Finding;
import io.krypton.kms.verdict.Level;
import io.krypton.kms.verdict.Outcome;
import io.krypton.kms.verdict.Phase;
import io.krypton.kms.verdict.Reason;
import io.krypton.kms.verdict.UnreadableKey;
import io.krypton.kms.verdict.Verdict;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Feeds a node view with results, second by second, as a prober would. */
final class ProbedNode {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final NodeView view;
  private final Map<String, Damping> judgements = new HashMap<>();

  ProbedNode(NodeView view) {
    this.view = view;
  }

  void good(String keyId, int second, String remoteKeyId) {
    result(keyId, second, Outcome.GOOD, remoteKeyId, Level.STATUS);
  }

  void goodDeep(String keyId, int second, String remoteKeyId) {
    result(keyId, second, Outcome.GOOD, remoteKeyId, Level.DEEP);
  }

  void oldKeyUnreadable(String keyId, int second, String remoteKeyId, String oldKeyId) {
    var gone =
        new Finding(Reason.RPC_REFUSED, Phase.CANARY, "NOT_FOUND", Verdict.FATAL, "destroyed", "");
    var outcome =
        new Classification(FatalPatterns.DEFAULT)
            .oldKeysUnreadable(List.of(new UnreadableKey(oldKeyId, gone)));
    result(keyId, second, outcome, remoteKeyId, Level.DEEP);
  }

  void gone(String keyId, int second, String remoteKeyId, String detail) {
    var finding =
        new Finding(Reason.SOCKET_MISSING, Phase.CONNECT, "ENOENT", Verdict.WAIT, detail, "");
    result(keyId, second, new Outcome.Failing(finding), remoteKeyId, Level.STATUS);
  }

  private void result(String keyId, int second, Outcome outcome, String remoteKeyId, Level level) {
    var at = Duration.ofSeconds(second);
    var judgement =
        judgements
            .getOrDefault(keyId, Damping.atStart(new Damping.Rules(SECOND, true)))
            .after(level, outcome, at);
    judgements.put(keyId, judgement);
    var call =
        new CallRecord(
            level == Level.STATUS ? CallRecord.Operation.STATUS : CallRecord.Operation.ENCRYPT,
            RpcCode.OK,
            Duration.ofMillis(1));
    var result =
        new ProbeResult(
            keyId,
            level,
            T0.plusSeconds(second),
            at,
            Duration.ofMillis(250),
            outcome,
            remoteKeyId,
            false,
            List.of(call));
    var plugin = new PluginSpec(keyId, KmsApi.V2, Endpoint.ofAddress("/k"), SECOND);
    view.onResult(new PluginState<>(plugin, result, null, judgement), result);
  }
}
