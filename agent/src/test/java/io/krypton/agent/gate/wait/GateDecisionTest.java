// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.wait;

import static io.krypton.agent.gate.lab.Views.NOW;
import static io.krypton.agent.gate.lab.Views.failing;
import static io.krypton.agent.gate.lab.Views.fatal;
import static io.krypton.agent.gate.lab.Views.inUse;
import static io.krypton.agent.gate.lab.Views.missing;
import static io.krypton.agent.gate.lab.Views.notProbed;
import static io.krypton.agent.gate.lab.Views.ok;
import static io.krypton.agent.gate.lab.Views.provider;
import static io.krypton.agent.gate.lab.Views.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.agent.gate.config.GateSettings.GateMode;
import io.krypton.agent.gate.lab.GateLab;
import io.krypton.agent.gate.status.ConfigurationStatus;
import io.krypton.agent.gate.status.GateSnapshot;
import io.krypton.kms.config.EncryptionConfiguration.ProviderRole;
import io.krypton.kms.health.ProbeFinding.ProbePhase;
import io.krypton.kms.rpc.KmsApiVersion;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GateDecisionTest {
  private static final GateSnapshot ALL_OK = inUse(ok(provider(0, "a")), ok(provider(1, "b")));
  private static final GateSnapshot ONE_WAITS =
      inUse(ok(provider(0, "a")), failing(provider(1, "b"), missing()));
  private static final GateSnapshot CANDIDATE =
      inUse(failing(provider(0, "a"), refused(ProbePhase.ENCRYPT)));
  private static final GateSnapshot ONE_FATAL =
      inUse(fatal(provider(0, "a"), refused(ProbePhase.ENCRYPT)), ok(provider(1, "b")));
  private static final GateSnapshot ONLY_OPTIONAL_FAILS =
      inUse(
          ok(provider(0, "a")),
          fatal(
              provider(1, "b", KmsApiVersion.V2, ProviderRole.READ, false),
              refused(ProbePhase.ENCRYPT)));
  private static final GateSnapshot NO_KMS = inUse();
  private static final GateSnapshot UNPROBED = inUse(notProbed(provider(0, "a")));
  private static final GateSnapshot INVALID =
      new GateSnapshot(
          new ConfigurationStatus(
              null,
              new ConfigurationStatus.Pending(
                  "sha256:new", "is empty", true, Duration.ZERO, Duration.ZERO)),
          List.of());

  record Rule(
      String name,
      GateMode mode,
      List<String> flags,
      GateSnapshot snapshot,
      int rounds,
      int elapsed,
      GateDecision decision) {
    @Override
    public String toString() {
      return name;
    }
  }

  @ParameterizedTest
  @MethodSource("rules")
  void what_next(Rule rule) {
    var settings =
        GateLab.settings(rule.mode(), Path.of("/c"), rule.flags().toArray(String[]::new));
    var gateDecision =
        GateDecision.whatNext(
            settings, rule.snapshot().at(NOW), rule.rounds(), Duration.ofSeconds(rule.elapsed()));
    assertThat(gateDecision).isEqualTo(rule.decision());
  }

  static Stream<Rule> rules() {
    return Stream.concat(waiting(), checking());
  }

  private static Stream<Rule> waiting() {
    return Stream.of(
        wait("all are ok", ALL_OK, 1, 0, GateDecision.OPEN),
        wait("too few rounds", ALL_OK, 2, 0, GateDecision.GO_ON, "success-threshold=3"),
        wait("enough rounds", ALL_OK, 3, 0, GateDecision.OPEN, "success-threshold=3"),
        wait("one waits", ONE_WAITS, 0, 9999, GateDecision.GO_ON),
        wait("one waits too long", ONE_WAITS, 0, 5, GateDecision.GIVE_UP, "max-wait=5s"),
        wait("ok at the last moment", ALL_OK, 1, 5, GateDecision.OPEN, "max-wait=5s"),
        wait("a candidate is no fatal", CANDIDATE, 0, 0, GateDecision.GO_ON),
        wait("fatal", ONE_FATAL, 0, 0, GateDecision.FATAL),
        wait("fatal and hold", ONE_FATAL, 0, 0, GateDecision.GO_ON, "on-fatal=hold"),
        wait("fatal and pass", ONE_FATAL, 1, 0, GateDecision.OPEN, "on-fatal=pass"),
        wait("an optional one fails", ONLY_OPTIONAL_FAILS, 1, 0, GateDecision.OPEN),
        wait("no KMS provider", NO_KMS, 0, 0, GateDecision.OPEN, "success-threshold=3"),
        wait("nothing is known", GateSnapshot.EMPTY, 0, 0, GateDecision.GO_ON),
        wait("a bad file", INVALID, 0, 0, GateDecision.BAD_CONFIGURATION),
        wait("a bad file is waited for", INVALID, 0, 0, GateDecision.GO_ON, "wait-for-config=true"),
        wait(
            "a bad file for too long",
            INVALID,
            0,
            7,
            GateDecision.GIVE_UP,
            "wait-for-config=true",
            "max-wait=7s"));
  }

  private static Stream<Rule> checking() {
    return Stream.of(
        check("all are ok", ALL_OK, 0, GateDecision.OPEN),
        check("one waits", ONE_WAITS, 0, GateDecision.GIVE_UP),
        check("fatal", ONE_FATAL, 0, GateDecision.FATAL),
        check("fatal and pass", ONE_FATAL, 0, GateDecision.OPEN, "on-fatal=pass"),
        check("no KMS provider", NO_KMS, 0, GateDecision.OPEN),
        check("the round goes on", UNPROBED, 3, GateDecision.GO_ON),
        check("the round takes too long", UNPROBED, 10, GateDecision.GIVE_UP),
        check("a bad file", INVALID, 0, GateDecision.BAD_CONFIGURATION));
  }

  private static Rule wait(
      String name,
      GateSnapshot gateSnapshot,
      int rounds,
      int elapsed,
      GateDecision next,
      String... flags) {
    return new Rule(
        "wait: " + name, GateMode.WAIT, List.of(flags), gateSnapshot, rounds, elapsed, next);
  }

  private static Rule check(
      String name, GateSnapshot gateSnapshot, int elapsed, GateDecision next, String... flags) {
    return new Rule(
        "check: " + name, GateMode.CHECK, List.of(flags), gateSnapshot, 0, elapsed, next);
  }
}
