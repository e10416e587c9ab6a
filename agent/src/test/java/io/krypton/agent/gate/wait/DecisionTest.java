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

import io.krypton.agent.gate.lab.GateLab;
import io.krypton.agent.gate.settings.GateMode;
import io.krypton.agent.gate.snapshot.ConfigurationView;
import io.krypton.agent.gate.snapshot.Snapshot;
import io.krypton.kms.encryption.ProviderRole;
import io.krypton.kms.protocol.KmsApi;
import io.krypton.kms.verdict.Phase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DecisionTest {
  private static final Snapshot ALL_OK = inUse(ok(provider(0, "a")), ok(provider(1, "b")));
  private static final Snapshot ONE_WAITS =
      inUse(ok(provider(0, "a")), failing(provider(1, "b"), missing()));
  private static final Snapshot CANDIDATE =
      inUse(failing(provider(0, "a"), refused(Phase.ENCRYPT)));
  private static final Snapshot ONE_FATAL =
      inUse(fatal(provider(0, "a"), refused(Phase.ENCRYPT)), ok(provider(1, "b")));
  private static final Snapshot ONLY_OPTIONAL_FAILS =
      inUse(
          ok(provider(0, "a")),
          fatal(provider(1, "b", KmsApi.V2, ProviderRole.READ, false), refused(Phase.ENCRYPT)));
  private static final Snapshot NO_KMS = inUse();
  private static final Snapshot UNPROBED = inUse(notProbed(provider(0, "a")));
  private static final Snapshot INVALID =
      new Snapshot(
          new ConfigurationView(
              null,
              new ConfigurationView.Waiting(
                  "sha256:new", "is empty", true, Duration.ZERO, Duration.ZERO)),
          List.of());

  record Rule(
      String name,
      GateMode mode,
      List<String> flags,
      Snapshot snapshot,
      int rounds,
      int elapsed,
      Decision decision) {
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
    var decision =
        Decision.whatNext(
            settings, rule.snapshot().at(NOW), rule.rounds(), Duration.ofSeconds(rule.elapsed()));
    assertThat(decision).isEqualTo(rule.decision());
  }

  static Stream<Rule> rules() {
    return Stream.concat(waiting(), checking());
  }

  private static Stream<Rule> waiting() {
    return Stream.of(
        wait("all are ok", ALL_OK, 1, 0, Decision.OPEN),
        wait("too few rounds", ALL_OK, 2, 0, Decision.GO_ON, "success-threshold=3"),
        wait("enough rounds", ALL_OK, 3, 0, Decision.OPEN, "success-threshold=3"),
        wait("one waits", ONE_WAITS, 0, 9999, Decision.GO_ON),
        wait("one waits too long", ONE_WAITS, 0, 5, Decision.GIVE_UP, "max-wait=5s"),
        wait("ok at the last moment", ALL_OK, 1, 5, Decision.OPEN, "max-wait=5s"),
        wait("a candidate is no fatal", CANDIDATE, 0, 0, Decision.GO_ON),
        wait("fatal", ONE_FATAL, 0, 0, Decision.FATAL),
        wait("fatal and hold", ONE_FATAL, 0, 0, Decision.GO_ON, "on-fatal=hold"),
        wait("fatal and pass", ONE_FATAL, 1, 0, Decision.OPEN, "on-fatal=pass"),
        wait("an optional one fails", ONLY_OPTIONAL_FAILS, 1, 0, Decision.OPEN),
        wait("no KMS provider", NO_KMS, 0, 0, Decision.OPEN, "success-threshold=3"),
        wait("nothing is known", Snapshot.EMPTY, 0, 0, Decision.GO_ON),
        wait("a bad file", INVALID, 0, 0, Decision.BAD_CONFIGURATION),
        wait("a bad file is waited for", INVALID, 0, 0, Decision.GO_ON, "wait-for-config=true"),
        wait(
            "a bad file for too long",
            INVALID,
            0,
            7,
            Decision.GIVE_UP,
            "wait-for-config=true",
            "max-wait=7s"));
  }

  private static Stream<Rule> checking() {
    return Stream.of(
        check("all are ok", ALL_OK, 0, Decision.OPEN),
        check("one waits", ONE_WAITS, 0, Decision.GIVE_UP),
        check("fatal", ONE_FATAL, 0, Decision.FATAL),
        check("fatal and pass", ONE_FATAL, 0, Decision.OPEN, "on-fatal=pass"),
        check("no KMS provider", NO_KMS, 0, Decision.OPEN),
        check("the round goes on", UNPROBED, 3, Decision.GO_ON),
        check("the round takes too long", UNPROBED, 10, Decision.GIVE_UP),
        check("a bad file", INVALID, 0, Decision.BAD_CONFIGURATION));
  }

  private static Rule wait(
      String name, Snapshot snapshot, int rounds, int elapsed, Decision next, String... flags) {
    return new Rule(
        "wait: " + name, GateMode.WAIT, List.of(flags), snapshot, rounds, elapsed, next);
  }

  private static Rule check(
      String name, Snapshot snapshot, int elapsed, Decision next, String... flags) {
    return new Rule("check: " + name, GateMode.CHECK, List.of(flags), snapshot, 0, elapsed, next);
  }
}
