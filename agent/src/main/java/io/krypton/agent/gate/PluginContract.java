// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate;

import io.krypton.kms.health.FailureClassifier.RpcReasons;
import io.krypton.kms.health.FailureClassifier.SocketReasons;
import io.krypton.kms.health.FatalPatterns;
import io.krypton.kms.health.ProbeFinding.ProbePhase;
import io.krypton.kms.health.Reason;
import io.krypton.kms.health.Verdict;
import io.krypton.kms.rpc.RpcCode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the gate makes of what a plugin does; taken from the table that decides it. */
public final class PluginContract {
  private PluginContract() {}

  /** One rule. */
  public record Row(String observation, Verdict verdict, String reason, String hint) {
    static Row of(Reason reason) {
      return new Row(reason.observation(), reason.verdict(), reason.value(), reason.hint());
    }
  }

  public static List<Row> rows() {
    return Arrays.stream(Reason.values()).map(Row::of).toList();
  }

  /** What is not a row: how observations become verdicts that count. */
  public static List<String> notes() {
    return List.of(
        "A FATAL observation counts after --fatal-confirmations of them over at least 5s without an"
            + " OK between; until then the verdict is WAIT. AddressUnusable counts at once.",
        "After an OK, WAIT needs two failures in a row, --unhealthy-interval apart.",
        "OK needs one good round trip: Encrypt, Decrypt, compare, and the canaries.",
        "A WAIT with a text that matches one of these becomes FATAL: "
            + FatalPatterns.DEFAULT.patterns().stream()
                .map(pattern -> "`" + pattern.pattern() + "`")
                .collect(Collectors.joining(", ")),
        "A v2 provider that only reads must encrypt too, or the API server cannot read its data"
            + " after a restart. A v1 provider that only reads may refuse to encrypt.",
        "Phases: "
            + Arrays.stream(ProbePhase.values())
                .map(ProbePhase::value)
                .collect(Collectors.joining(" ")));
  }

  /** The rule for a gRPC code, the name of an errno, or an HTTP status such as http:503. */
  public static Optional<Row> forCode(String code) {
    var name = code.toUpperCase(Locale.ROOT);
    for (var known : RpcCode.values()) {
      if (known.name().equals(name)) {
        return Optional.of(
            known == RpcCode.OK
                ? new Row("OK", Verdict.OK, "", "")
                : named(name, RpcReasons.of(known)));
      }
    }
    return name.startsWith("HTTP:")
        ? http(name.substring("HTTP:".length()))
        : SocketReasons.ofErrno(name).map(reason -> named(name, reason));
  }

  private static Row named(String code, Reason reason) {
    return new Row(
        code + ": " + reason.observation(), reason.verdict(), reason.value(), reason.hint());
  }

  private static Optional<Row> http(String status) {
    if (!status.matches("[1-5]\\d\\d")) {
      return Optional.empty();
    }
    var reason = Reason.HTTP_HEALTHZ;
    var row =
        switch (status) {
          case "200" -> new Row("healthz answers 200: no objection", Verdict.OK, "", "");
          case "500" ->
              new Row(
                  "healthz answers 500: not to be cured by waiting",
                  Verdict.FATAL,
                  reason.value(),
                  "http500: wait in the settings, if the plugin answers 500 to everything");
          default ->
              new Row(
                  "healthz answers %s: up, not ready yet".formatted(status),
                  Verdict.WAIT,
                  reason.value(),
                  reason.hint());
        };
    return Optional.of(row);
  }
}
