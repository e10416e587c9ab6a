package io.krypton.kms.probe;

import io.krypton.kms.protocol.Answer;
import io.krypton.kms.protocol.CallFailure;
import io.krypton.kms.protocol.PluginConnection;
import io.krypton.kms.protocol.PluginStatus;
import io.krypton.kms.verdict.Escalation;
import io.krypton.kms.verdict.Finding;
import io.krypton.kms.verdict.Level;
import io.krypton.kms.verdict.Outcome;
import io.krypton.kms.verdict.Phase;
import io.krypton.kms.verdict.Reason;
import java.util.List;
import java.util.Optional;

/**
 * Probes one plugin and remembers what later probes need: the first version, the last key id, the
 * canaries. One probe of each level may run at a time.
 */
public final class PluginProbe {
  private final PluginSpec spec;
  private final PluginConnection connection;
  private final ProbeTools tools;
  private final Canaries canaries;
  private final List<StatusSignal> signals;

  private Escalation statusEscalation = Escalation.NONE;
  private Escalation deepEscalation = Escalation.NONE;
  private final FirstVersion firstVersion = new FirstVersion();
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
    this.canaries = new Canaries(spec.name(), spec.api(), tools.canaries());
  }

  /** Connects if need be and asks for Status or Version; the timeout is that of the answer. */
  public ProbeResult status() throws InterruptedException {
    var checkedAt = tools.clock().instant();
    var start = tools.ticker().now();
    var calls = new RecordedCalls(tools.ticker());
    var observed = outcome(statusFinding(calls));
    var step = statusEscalation.after(observed, start);
    statusEscalation = step.next();
    var took = tools.ticker().now().minus(start);
    return new ProbeResult(
        spec.name(),
        Level.STATUS,
        checkedAt,
        start,
        took,
        step.outcome(),
        keyId,
        false,
        calls.records());
  }

  /** Encrypts and decrypts a fresh sample, then tries the canaries. Wants a good Status before. */
  public ProbeResult deep() throws InterruptedException {
    var checkedAt = tools.clock().instant();
    var start = tools.ticker().now();
    var calls = new RecordedCalls(tools.ticker());
    var trip = new RoundTrip(spec, connection.client(spec.api()), calls, canaries, tools);
    var expectedKeyId = keyId;
    var step = deepEscalation.after(trip.run(expectedKeyId), start);
    deepEscalation = step.next();
    var took = tools.ticker().now().minus(start);
    return new ProbeResult(
        spec.name(),
        Level.DEEP,
        checkedAt,
        start,
        took,
        step.outcome(),
        expectedKeyId,
        trip.decryptProven(),
        calls.records());
  }

  private static Outcome outcome(Optional<Finding> finding) {
    return finding.<Outcome>map(Outcome.Failing::new).orElse(Outcome.GOOD);
  }

  private Optional<Finding> statusFinding(RecordedCalls calls) throws InterruptedException {
    var answer = calls.status(connection.client(spec.api()), spec.timeout());
    var found = statusFinding(answer, calls);
    for (var signal : signals) {
      found = worse(found, signal.objection(answer, connection));
    }
    return found;
  }

  private static Optional<Finding> worse(Optional<Finding> one, Optional<Finding> other) {
    var otherWins =
        one.isEmpty()
            || (other.isPresent() && other.get().verdict().compareTo(one.get().verdict()) > 0);
    return otherWins ? other : one;
  }

  private Optional<Finding> statusFinding(Answer<PluginStatus> answer, RecordedCalls calls)
      throws InterruptedException {
    return switch (answer) {
      case Answer.Failure<PluginStatus>(CallFailure why) -> {
        var finding = tools.rules().failedCall(Phase.STATUS, why);
        var known = finding.reason() != Reason.UNIMPLEMENTED;
        yield Optional.of(known ? finding : nameOtherApi(finding, calls));
      }
      case Answer.Message<PluginStatus>(PluginStatus status) -> {
        var known = tools.rules().accepts(spec.api(), status.version());
        var expected = known ? firstVersion.expected(status.version()) : "";
        var finding = tools.rules().status(spec.api(), status, expected);
        if (finding.isEmpty()) {
          keyId = status.keyId();
        }
        yield finding;
      }
    };
  }

  /** A plugin that does not know the method usually serves the other generation of the API. */
  private Finding nameOtherApi(Finding finding, RecordedCalls calls) throws InterruptedException {
    var other = spec.api().other();
    return calls.status(connection.client(other), spec.timeout())
            instanceof Answer.Message<PluginStatus>
        ? finding.serves(other)
        : finding;
  }
}
