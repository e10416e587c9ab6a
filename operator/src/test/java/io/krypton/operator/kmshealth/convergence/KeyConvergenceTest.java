// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.convergence;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.kmshealth.Convergence;
import io.krypton.base.kmsreport.KeyHash;
import io.krypton.base.kmsreport.KeyId;
import io.krypton.operator.kmshealth.convergence.ConvergenceInput.NodeClaim;
import io.krypton.operator.kmshealth.input.ClockReading;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyConvergenceTest {
  private static final Instant BEGIN = Instant.parse("2026-05-08T12:00:00Z");
  private static final KeyId KEY = KeyId.parse("2").orElseThrow();
  private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);
  private static final String HASH = KeyHash.of("a").text();

  private static ClockReading at(long seconds) {
    return new ClockReading(Duration.ofSeconds(1000 + seconds), BEGIN.plusSeconds(seconds));
  }

  /** One letter per node: an id, or what else the node proves. */
  private static NavigableMap<String, NodeClaim> claims(String letters, long changedAt) {
    var claims = new TreeMap<String, NodeClaim>();
    for (int i = 0; i < letters.length(); i++) {
      claims.put(
          "n" + i,
          switch (letters.charAt(i)) {
            case '!' -> new NodeClaim.Failing();
            case '?' -> new NodeClaim.Stale();
            case '~' -> new NodeClaim.Settling("a");
            case '-' -> new NodeClaim.Missing();
            case '1' -> new NodeClaim.WithoutKeyId();
            default ->
                new NodeClaim.Uses(
                    letters.substring(i, i + 1), Duration.ofSeconds(1000 + changedAt));
          });
    }
    return claims;
  }

  private static ConvergenceResult judge(
      String letters, @Nullable ConvergenceResult before, long changedAt, long now) {
    return KeyConvergence.evaluate(
        new ConvergenceInput(
            new WriteKey.Named(KEY),
            claims(letters, changedAt),
            false,
            before == null ? null : before.agreement(),
            before == null,
            before == null ? null : before.stored(),
            before == null ? null : before.condition(),
            FIVE_MINUTES,
            at(now)));
  }

  private static Convergence stored(ConvergenceResult verdict) {
    return Objects.requireNonNull(verdict.stored());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nobody is expected            | ''   | UNKNOWN | NoWriteKey       | no plugin is known to encrypt
          two keys                      | aab  | FALSE   | Diverged         | keyID 2: nodes use different remote keys: 3e23e8160039 on n2; ca978112ca1b on n0, n1
          two keys win over a failure   | ab!  | FALSE   | Diverged         | keyID 2: nodes use different remote keys: 3e23e8160039 on n1; ca978112ca1b on n0
          a failing node                | aa!  | UNKNOWN | PluginNotHealthy | keyID 2: fails on n2
          failing before silent         | a?!  | UNKNOWN | PluginNotHealthy | keyID 2: fails on n2
          a silent node                 | a?a  | UNKNOWN | StaleReport      | keyID 2: no news from n1
          a settling node, nothing said | a~a  | UNKNOWN | StaleReport      | keyID 2: no news from n1
          a node without a report       | -aa  | UNKNOWN | MissingNode      | keyID 2: no report from n0
          a plugin without ids          | 1aa  | UNKNOWN | NoKeyID          | keyID 2: no remote key id from n0
          all agree, but only just      | aaa  | FALSE   | Stabilizing      | keyID 2: 3 nodes agree on remote key HASH, but not for long enough yet
          """)
  void the_first_row_that_fits_wins(
      String row, String nodes, ConditionStatus status, String reason, String message) {
    var condition = judge(nodes, null, 0, 0).condition();

    assertThat(condition.status()).isEqualTo(status);
    assertThat(condition.reason()).isEqualTo(reason);
    assertThat(condition.message()).isEqualTo(message.replace("HASH", HASH));
  }

  @Test
  void no_write_key_is_known() {
    var facts =
        new ConvergenceInput(
            new WriteKey.Assumed(null),
            claims("aa", 0),
            false,
            null,
            true,
            null,
            null,
            FIVE_MINUTES,
            at(0));
    assertThat(KeyConvergence.evaluate(facts).condition().reason()).isEqualTo("NoWriteKey");
  }

  @Test
  void agreement_converges_after_its_time_and_new_evidence_of_all() {
    var begin = judge("aaa", null, 0, 0);
    assertThat(begin.nextChange()).contains(Duration.ofSeconds(1300));
    assertThat(judge("aaa", begin, 290, 299).condition().reason()).isEqualTo("Stabilizing");
    assertThat(judge("aaa", begin, 0, 301).condition().reason()).isEqualTo("Stabilizing");
    var converged = judge("aaa", begin, 290, 301);

    assertThat(converged.condition())
        .isEqualTo(
            Condition.of(
                "KMSKeysConverged",
                ConditionStatus.TRUE,
                "Converged",
                "keyID 2: 3 nodes agree on remote key " + HASH));
    assertThat(converged.stored())
        .isEqualTo(new Convergence("2", "a", HASH, BEGIN, List.of(), "True"));
  }

  @Test
  void any_other_row_and_any_other_key_begin_anew() {
    var begin = judge("aaa", null, 0, 0);
    var silent = judge("a?a", begin, 100, 100);
    assertThat(silent.stored())
        .isEqualTo(new Convergence("2", "a", HASH, null, List.of(), "Unknown (StaleReport)"));
    assertThat(judge("aaa", silent, 300, 400).condition().reason()).isEqualTo("Stabilizing");

    var other = judge("bbb", begin, 100, 100);
    assertThat(stored(other).previousRemoteKeyIDs()).containsExactly("a");
    assertThat(stored(other).convergedAt()).isEqualTo(at(100).wall());
    assertThat(other.reused()).isFalse();

    var back = judge("aaa", other, 200, 200);
    assertThat(back.reused()).isTrue();
    assertThat(stored(back).convergedAt()).isEqualTo(at(200).wall());
    assertThat(stored(back).previousRemoteKeyIDs()).containsExactly("b");
  }

  private static ConvergenceResult restarted(
      String letters, @Nullable Convergence stored, @Nullable Condition published, long now) {
    return KeyConvergence.evaluate(
        new ConvergenceInput(
            new WriteKey.Named(KEY),
            claims(letters, now - 5),
            false,
            null,
            true,
            stored,
            published,
            FIVE_MINUTES,
            at(now)));
  }

  @Test
  void a_restart_goes_on_where_the_store_says() {
    var stored =
        new Convergence("2", "a", HASH, BEGIN, List.of(), "Stabilizing since 2026-05-08T12:00:00Z");
    assertThat(restarted("aaa", stored, null, 301).condition().reason()).isEqualTo("Converged");
    assertThat(restarted("aaa", stored, null, 200).condition().reason()).isEqualTo("Stabilizing");
    assertThat(restarted("aaa", stored, null, 200).stored()).isEqualTo(stored);
    // A time that is missing, lies ahead or is about another key proves nothing.
    assertThat(stored(restarted("aaa", stored, null, -100)).convergedAt())
        .isEqualTo(at(-100).wall());
    assertThat(restarted("bbb", stored, null, 301).condition().reason()).isEqualTo("Stabilizing");
  }

  @Test
  void what_was_published_as_converged_stays_so_for_the_same_key_only() {
    var published = judge("aaa", judge("aaa", null, 0, 0), 290, 301).condition();
    assertThat(restarted("aaaa", null, published, 400).condition().reason()).isEqualTo("Converged");
    assertThat(restarted("bbb", null, published, 400).condition().reason())
        .isEqualTo("Stabilizing");
  }

  @Test
  void a_node_with_a_wrong_clock_undoes_nothing_after_a_restart() {
    var converged = judge("aaa", judge("aaa", null, 0, 0), 290, 301);
    var settling = restarted("a~a", converged.stored(), converged.condition(), 400);
    assertThat(settling.condition()).isEqualTo(converged.condition());
    assertThat(settling.stored()).isEqualTo(converged.stored());

    var settled = judge("aaa", settling, 410, 410);
    assertThat(settled.condition().reason()).isEqualTo("Converged");
    assertThat(settled.stored()).isEqualTo(converged.stored());
  }

  /** All nodes agree for long, yet something is not known. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nobody says which key encrypts | assumed | false | WriteKeyAssumed | keyID 2 is only assumed to encrypt
          nobody says who must report    | named   | true  | NodesLearned    | keyID 2: nobody says which nodes must report
          """)
  void what_is_not_known_never_converges(
      String row, String key, boolean learned, String reason, String message) {
    var writeKey = key.equals("named") ? new WriteKey.Named(KEY) : new WriteKey.Assumed(KEY);
    var converged = judge("aaa", judge("aaa", null, 0, 0), 290, 301);
    var verdict =
        KeyConvergence.evaluate(
            new ConvergenceInput(
                writeKey,
                claims("aaa", 390),
                learned,
                converged.agreement(),
                false,
                converged.stored(),
                converged.condition(),
                FIVE_MINUTES,
                at(400)));

    assertThat(verdict.condition().status()).isEqualTo(ConditionStatus.UNKNOWN);
    assertThat(verdict.condition().reason()).isEqualTo(reason);
    assertThat(verdict.condition().message()).startsWith(message);
    assertThat(stored(verdict).summary()).isEqualTo("Unknown (%s)".formatted(reason));

    var settling =
        KeyConvergence.evaluate(
            new ConvergenceInput(
                writeKey,
                claims("~~~", 390),
                learned,
                null,
                true,
                converged.stored(),
                converged.condition(),
                FIVE_MINUTES,
                at(400)));
    assertThat(settling.condition().status())
        .as("not even while nodes settle")
        .isEqualTo(ConditionStatus.UNKNOWN);
  }

  @Test
  void while_nodes_settle_true_stands_for_the_key_that_they_name_only() {
    var converged = judge("bbb", judge("bbb", null, 0, 0), 290, 301);
    var settling = restarted("~bb", converged.stored(), converged.condition(), 400);
    assertThat(settling.condition().reason()).isEqualTo("StaleReport");
  }

  @Test
  void the_summary_says_since_when_it_stabilizes() {
    assertThat(stored(judge("aaa", null, 0, 0)).summary())
        .isEqualTo("Stabilizing since 2026-05-08T12:00:00Z");
    assertThat(stored(judge("aab", null, 0, 0)).summary()).isEqualTo("False (Diverged)");
  }

  @Test
  void an_id_and_its_hash_are_the_same_key() {
    var claims = claims("aa", 0);
    claims.put("n2", new NodeClaim.Uses(HASH, Duration.ofSeconds(1000)));
    var facts =
        new ConvergenceInput(
            new WriteKey.Named(KEY), claims, false, null, true, null, null, FIVE_MINUTES, at(0));
    assertThat(KeyConvergence.evaluate(facts).condition().reason()).isEqualTo("Stabilizing");
  }
}
