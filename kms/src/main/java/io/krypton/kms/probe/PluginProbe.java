// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.probe;

import io.krypton.kms.health.Escalation;
import io.krypton.kms.health.FailureClassifier;
import io.krypton.kms.health.FatalPatterns;
import io.krypton.kms.health.ProbeFinding;
import io.krypton.kms.health.ProbeFinding.ProbePhase;
import io.krypton.kms.health.ProbeOutcome;
import io.krypton.kms.health.ProbeOutcome.ProbeLevel;
import io.krypton.kms.health.Reason;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure;
import io.krypton.kms.rpc.Endpoint;
import io.krypton.kms.rpc.KmsApiVersion;
import io.krypton.kms.rpc.KmsClient.PluginStatus;
import io.krypton.kms.rpc.KmsClient.RpcResult;
import io.krypton.kms.rpc.PluginConnection;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Probes one plugin and remembers what later probes need: the first version, the last key id, the
 * canaries. One probe of each level may run at a time.
 */
public final class PluginProbe {
  private final PluginSpec spec;
  private final PluginConnection connection;
  private final ProbeTools tools;
  private final PluginCanaries pluginCanaries;
  private final List<StatusSignal> signals;

  private Escalation statusEscalation = Escalation.NONE;
  private Escalation deepEscalation = Escalation.NONE;
  private final PinnedVersion pinnedVersion = new PinnedVersion();
  private volatile String keyId = "";

  public PluginProbe(PluginSpec spec, PluginConnection connection, ProbeTools tools) {
    this(spec, connection, tools, List.of());
  }

  PluginProbe(
      PluginSpec spec, PluginConnection connection, ProbeTools tools, List<StatusSignal> signals) {
    this.spec = spec;
    this.signals = List.copyOf(signals);
    this.connection = connection;
    this.tools = tools;
    this.pluginCanaries = new PluginCanaries(spec.name(), spec.api(), tools.canaries());
  }

  /** Connects if need be and asks for Status or Version; the timeout is that of the answer. */
  public PluginProbeResult status() throws InterruptedException {
    var checkedAt = tools.clock().instant();
    var start = tools.ticker().now();
    var calls = new CallRecorder(tools.ticker());
    var observed = outcome(statusFinding(calls));
    var step = statusEscalation.after(observed, start);
    statusEscalation = step.next();
    var took = tools.ticker().now().minus(start);
    return new PluginProbeResult(
        spec.name(),
        ProbeLevel.STATUS,
        checkedAt,
        start,
        took,
        step.outcome(),
        keyId,
        false,
        calls.records());
  }

  /** Encrypts and decrypts a fresh sample, then tries the canaries. Wants a good Status before. */
  public PluginProbeResult deep() throws InterruptedException {
    var checkedAt = tools.clock().instant();
    var start = tools.ticker().now();
    var calls = new CallRecorder(tools.ticker());
    var trip = new RoundTrip(spec, connection.client(spec.api()), calls, pluginCanaries, tools);
    var expectedKeyId = keyId;
    var step = deepEscalation.after(trip.run(expectedKeyId), start);
    deepEscalation = step.next();
    var took = tools.ticker().now().minus(start);
    return new PluginProbeResult(
        spec.name(),
        ProbeLevel.DEEP,
        checkedAt,
        start,
        took,
        step.outcome(),
        expectedKeyId,
        trip.decryptProven(),
        calls.records());
  }

  private static ProbeOutcome outcome(Optional<ProbeFinding> finding) {
    return finding.<ProbeOutcome>map(ProbeOutcome.Failing::new).orElse(ProbeOutcome.GOOD);
  }

  private Optional<ProbeFinding> statusFinding(CallRecorder calls) throws InterruptedException {
    var rpcResult = calls.status(connection.client(spec.api()), spec.timeout());
    var found = statusFinding(rpcResult, calls);
    for (var signal : signals) {
      found = worse(found, signal.check(rpcResult, connection));
    }
    return found;
  }

  private static Optional<ProbeFinding> worse(
      Optional<ProbeFinding> one, Optional<ProbeFinding> other) {
    var otherWins =
        one.isEmpty()
            || (other.isPresent() && other.get().verdict().compareTo(one.get().verdict()) > 0);
    return otherWins ? other : one;
  }

  private Optional<ProbeFinding> statusFinding(
      RpcResult<PluginStatus> rpcResult, CallRecorder calls) throws InterruptedException {
    return switch (rpcResult) {
      case RpcResult.Failure<PluginStatus>(CallFailure why) -> {
        var probeFinding = tools.rules().failedCall(ProbePhase.STATUS, why);
        var known = probeFinding.reason() != Reason.UNIMPLEMENTED;
        yield Optional.of(known ? probeFinding : detectOtherApi(probeFinding, calls));
      }
      case RpcResult.Success<PluginStatus>(PluginStatus status) -> {
        var known = tools.rules().accepts(spec.api(), status.version());
        var expected = known ? pinnedVersion.expected(status.version()) : "";
        var finding = tools.rules().status(spec.api(), status, expected);
        if (finding.isEmpty()) {
          keyId = status.keyId();
        }
        yield finding;
      }
    };
  }

  /** A plugin that does not know the method usually serves the other generation of the API. */
  private ProbeFinding detectOtherApi(ProbeFinding probeFinding, CallRecorder calls)
      throws InterruptedException {
    var other = spec.api().other();
    return calls.status(connection.client(other), spec.timeout())
            instanceof RpcResult.Success<PluginStatus>
        ? probeFinding.withServedApi(other)
        : probeFinding;
  }

  /**
   * A plugin to be probed.
   *
   * @param name unique among those probed together: a keyID, or the name of a provider
   * @param timeout the deadline of each call, counted from the written request
   */
  public record PluginSpec(String name, KmsApiVersion api, Endpoint endpoint, Duration timeout) {}

  /** What probes need beside the plugin. */
  public record ProbeTools(
      FailureClassifier rules,
      CanaryStore canaries,
      Clock clock,
      Ticker ticker,
      RandomGenerator random) {

    /** The default patterns, the clocks of the system, and canaries in memory. */
    public static ProbeTools standard() {
      return new ProbeTools(
          new FailureClassifier(FatalPatterns.DEFAULT),
          CanaryStore.inMemory(),
          Clock.systemUTC(),
          Ticker.system(),
          new SecureRandom());
    }
  }
}
