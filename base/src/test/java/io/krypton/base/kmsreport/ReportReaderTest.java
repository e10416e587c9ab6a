// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.kmsreport;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.base.kmsreport.ReportReader.ReportCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReportReaderTest {
  private static final String TIME = "2026-05-08T12:34:56Z";

  /** The row is the rule; the result is the class of each keyID, or what is wrong with the node. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a healthy line                    | keyID=2 status=healthy lastChecked=T                          | 2=HEALTHY
          two plugins                       | keyID=2 status=healthy lastChecked=T\\nkeyID=1 status=unreachable lastChecked=T | 1=ERROR 2=HEALTHY
          empty lines and CR are dropped    | keyID=2 status=healthy lastChecked=T\\r\\n\\n                 | 2=HEALTHY
          unknown keys are ignored          | keyID=2 mood=good status=healthy lastChecked=T noise          | 2=HEALTHY
          order does not matter             | status=unhealthy lastChecked=T keyID=2                        | 2=UNHEALTHY
          a missing status                  | keyID=2 lastChecked=T                                         | 2=MALFORMED
          a bad status                      | keyID=2 status=fine lastChecked=T                             | 2=MALFORMED
          a status of another form          | keyID=2 status=error lastChecked=T                            | 2=MALFORMED
          a missing time                    | keyID=2 status=healthy                                        | 2=MALFORMED
          a bad time harms its line only    | keyID=2 status=healthy lastChecked=noon\\nkeyID=1 status=healthy lastChecked=T | 1=HEALTHY 2=MALFORMED
          a missing keyID harms the node    | status=healthy lastChecked=T\\nkeyID=1 status=healthy lastChecked=T | malformed
          a keyID that is no number         | keyID=two status=healthy lastChecked=T                        | malformed
          a negative keyID                  | keyID=-2 status=healthy lastChecked=T                         | malformed
          leading zeros do not make a key   | keyID=02 status=healthy lastChecked=T\\nkeyID=2 status=unhealthy lastChecked=T | 2=UNHEALTHY
          of two lines the worse counts     | keyID=2 status=unreachable lastChecked=T\\nkeyID=2 status=healthy lastChecked=T | 2=ERROR
          unhealthy is worse than error     | keyID=2 status=unreachable lastChecked=T\\nkeyID=2 status=unhealthy lastChecked=T | 2=UNHEALTHY
          of two fields the first counts    | keyID=2 status=unhealthy status=healthy lastChecked=T         | 2=UNHEALTHY
          a detail may hold anything        | keyID=2 status=unhealthy lastChecked=T detail=x status=healthy keyID=9 | 2=UNHEALTHY
          a CR in a detail makes no line    | keyID=2 status=unhealthy lastChecked=T detail=x\\rkeyID=9 status=healthy lastChecked=T | 2=UNHEALTHY
          nor does a paragraph separator    | keyID=2 status=unhealthy lastChecked=T detail=x\\u2029keyID=9 status=healthy lastChecked=T | 2=UNHEALTHY
          an empty message                  | ''                                                            | malformed
          only blanks                       | ' '                                                           | malformed
          JSON                              | [{"keyID":"2","kekID":"a","status":"healthy","lastChecked":"T"}] | 2=HEALTHY
          JSON with a number                | [{"keyID":2,"status":"error","lastChecked":"T"}]              | 2=ERROR
          JSON with a word of lines         | [{"keyID":"2","status":"unreachable","lastChecked":"T"}]      | 2=MALFORMED
          JSON without keyID                | [{"status":"error","lastChecked":"T"}]                        | malformed
          broken JSON                       | [{"keyID":"2"                                                 | malformed
          more after JSON                   | [{"keyID":"2","status":"healthy","lastChecked":"T"}] []       | malformed
          an empty array                    | []                                                            | malformed
          an array of something else        | [[[]]]                                                        | malformed
          JSON with more than it needs      | [ {"keyID" : "2", "x": {"a": [1.5e3, null]}, "status":"healthy", "lastChecked":"T" } ] | 2=HEALTHY
          JSON with escapes                 | [{"keyID":"\\u0032","status":"healthy","lastChecked":"T","detail":"\\"\\\\"}] | 2=HEALTHY
          JSON with a comma too many        | [{"keyID":"2","status":"healthy","lastChecked":"T"},]         | malformed
          JSON with a leading zero          | [{"keyID":02,"status":"healthy","lastChecked":"T"}]           | malformed
          JSON with a null                  | [{"keyID":"2","status":null,"lastChecked":"T"}]               | 2=MALFORMED
          """)
  void a_message_is_read(String rule, String message, String expected) {
    assertThat(said(read(unescaped(message)))).isEqualTo(expected);
  }

  private static String unescaped(String text) {
    return text.replace("=T", "=" + TIME)
        .replace("\"T\"", "\"" + TIME + "\"")
        .replace("\\n", "\n")
        .replace("\\r", "\r")
        .replace("\\u2029", "\u2029");
  }

  private static NodeReport read(String message) {
    return Objects.requireNonNull(
        ReportReader.read(List.of(condition("a", message)), List.of()).get("a"));
  }

  private static ReportCondition condition(String node, String message) {
    return new ReportCondition(ReportNames.conditionType(node), message);
  }

  private static String said(NodeReport report) {
    return report.malformed()
        ? "malformed"
        : String.join(
            " ",
            report.plugins().values().stream()
                .map(plugin -> plugin.keyId() + "=" + plugin.health())
                .toList());
  }

  @Test
  void all_fields_of_a_line_are_read() {
    var plugin =
        read("keyID=2 status=unhealthy lastChecked="
                + TIME
                + " remoteKeyID=kek%20%C3%A4/1 cause=NotOk interval=1m30s detail=lacks  permission ")
            .plugins()
            .get(KeyId.parse("2").orElseThrow());

    assertThat(plugin)
        .isEqualTo(
            new PluginReport(
                KeyId.parse("2").orElseThrow(),
                ReportedHealth.UNHEALTHY,
                Instant.parse(TIME),
                "kek ä/1",
                "NotOk",
                "lacks  permission ",
                null,
                null,
                Duration.ofSeconds(90),
                null));
  }

  private static final String HEX = "0123456789abcdef".repeat(4);

  /** What newer reporters add, in any order before the detail. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          the key that encrypts       | role=write                         | WRITE | -                              | -
          a key that decrypts         | role=read interval=30s             | READ  | -                              | -
          a role that nobody knows    | role=admire                        | -     | -                              | -
          a Lease                     | lease=kube-system/kms-kmshealth-a  | -     | kube-system/kms-kmshealth-a    | -
          a Lease of no namespace     | lease=kms-kmshealth-a              | -     | -                              | -
          a Lease with a path         | lease=../etc/passwd                | -     | -                              | -
          a Lease in capitals         | lease=Kube/x                       | -     | -                              | -
          old keys                    | oldKeys=unreadable                 | -     | -                              | []
          old keys by their hash      | oldKeys=unreadable:HEX             | -     | -                              | [sha256:HEX]
          a hash twice and half a one | oldKeys=unreadable:HEX,HEX,12      | -     | -                              | [sha256:HEX]
          old keys that are fine      | oldKeys=fine                       | -     | -                              | -
          all of it before a detail   | oldKeys=unreadable lease=a/b role=write detail=role=read lease=c/d | WRITE | a/b | []
          """)
  void what_newer_reporters_add_is_read(
      String rule,
      String tokens,
      @Nullable String role,
      @Nullable String lease,
      @Nullable String oldKeys) {
    var line = "keyID=2 status=healthy lastChecked=" + TIME + " " + tokens.replace("HEX", HEX);
    var plugin = plugin(read(line));

    assertThat(plugin.health()).isEqualTo(ReportedHealth.HEALTHY);
    assertThat(plugin.role()).isEqualTo(role == null ? null : ReportedRole.valueOf(role));
    assertThat(plugin.lease() == null ? null : shown(plugin.lease())).isEqualTo(lease);
    assertThat(plugin.unreadableKeys() == null ? null : plugin.unreadableKeys().hashes().toString())
        .isEqualTo(oldKeys == null ? null : oldKeys.replace("HEX", HEX));
  }

  private static String shown(LeaseName lease) {
    return lease.namespace() + "/" + lease.name();
  }

  private static PluginReport plugin(NodeReport report) {
    return Objects.requireNonNull(report.plugins().get(KeyId.parse("2").orElseThrow()));
  }

  @Test
  void typed_entries_say_the_same() {
    var entry =
        new TypedEntry(
            "a",
            "2",
            "Healthy",
            Instant.parse(TIME),
            "kek",
            null,
            null,
            30,
            "Write",
            "kube-system/kms-kmshealth-a",
            List.of("sha256:" + HEX));
    var line =
        "keyID=2 status=healthy lastChecked=%s remoteKeyID=kek role=write interval=30s lease=%s oldKeys=unreadable:%s"
            .formatted(TIME, "kube-system/kms-kmshealth-a", HEX);

    var typed =
        plugin(Objects.requireNonNull(ReportReader.read(List.of(), List.of(entry)).get("a")));

    assertThat(typed).isEqualTo(plugin(read(line)));
  }

  /** Reporters of earlier versions, and others, called such a plugin unhealthy. */
  @Test
  void a_plugin_that_only_lacks_an_old_key_is_healthy() {
    var plugin =
        plugin(
            read("keyID=2 status=unhealthy lastChecked=%s cause=OldKeyUnreadable".formatted(TIME)));

    assertThat(plugin.health()).isEqualTo(ReportedHealth.HEALTHY);
    assertThat(Objects.requireNonNull(plugin.unreadableKeys()).hashes()).isEmpty();
  }

  @Test
  void keys_that_are_gone_on_purpose_explain_what_cannot_be_read() {
    var gone = "sha256:" + HEX;
    var other = "sha256:" + "f".repeat(64);
    var both = UnreadableKeys.named(Stream.of(gone, other));

    assertThat(both.without(List.of(gone))).contains(UnreadableKeys.named(Stream.of(other)));
    assertThat(both.without(List.of(gone, other))).isEmpty();
    assertThat(UnreadableKeys.unnamed().without(List.of(gone))).contains(UnreadableKeys.unnamed());
  }

  @ParameterizedTest
  @ValueSource(strings = {"%", "%4", "%zz", "%ff%fe", ""})
  void an_id_that_no_plugin_can_have_is_no_id(String id) {
    var line = "keyID=2 status=healthy lastChecked=%s remoteKeyID=".formatted(TIME);

    assertThat(plugin(read(line + id)).remoteKeyId()).isNull();
    assertThat(plugin(read(line + "x".repeat(1025))).remoteKeyId()).isNull();
    assertThat(plugin(read(line + "x".repeat(1024))).remoteKeyId()).hasSize(1024);
  }

  @Test
  void characters_beyond_the_bmp_survive_encoded_or_not() {
    var line = "keyID=2 status=healthy lastChecked=%s remoteKeyID=".formatted(TIME);

    assertThat(plugin(read(line + "\ud83d\udd11")).remoteKeyId()).isEqualTo("\ud83d\udd11");
    assertThat(plugin(read(line + "%F0%9F%94%91")).remoteKeyId()).isEqualTo("\ud83d\udd11");
  }

  @Test
  void key_numbers_have_no_limit_but_a_sane_one() {
    assertThat(KeyId.parse("9".repeat(512)).orElseThrow())
        .isGreaterThan(KeyId.parse("8".repeat(512)).orElseThrow());
    assertThat(KeyId.parse("9".repeat(513))).isEmpty();
    assertThat(KeyId.parse("10").orElseThrow()).isGreaterThan(KeyId.parse("9").orElseThrow());
  }

  @Test
  void too_many_lines_or_too_long_a_message_harm_the_node() {
    var line = "keyID=%d status=healthy lastChecked=" + TIME;
    var lines = new ArrayList<String>();
    for (int i = 0; i < 64; i++) {
      lines.add(line.formatted(i));
    }
    assertThat(read(String.join("\n", lines)).plugins()).hasSize(64);
    lines.add(line.formatted(64));
    assertThat(read(String.join("\n", lines)).malformed()).isTrue();
    assertThat(read(line.formatted(1) + " detail=" + "x".repeat(1_000_000)).malformed()).isTrue();
    assertThat(read("[" + "[".repeat(60_000)).malformed()).isTrue();
  }

  @Test
  void of_several_forms_the_newest_counts_then_the_latest_form() {
    var typed =
        new TypedEntry(
            "a",
            "2",
            "Error",
            Instant.parse(TIME),
            "unknown",
            null,
            null,
            30,
            null,
            null,
            List.of());
    var sameTime = "keyID=2 status=healthy lastChecked=" + TIME;
    var later = "keyID=2 status=healthy lastChecked=2026-05-08T12:34:57Z";

    assertThat(said(both(sameTime, typed))).isEqualTo("2=ERROR");
    assertThat(said(both(later, typed))).isEqualTo("2=HEALTHY");
    assertThat(said(both("keyID=2 status=odd", typed))).isEqualTo("2=MALFORMED");
    assertThat(both("gibberish", typed).malformed()).isTrue();
    assertThat(both(sameTime, typed).plugins().values().iterator().next().remoteKeyId()).isNull();
  }

  private static NodeReport both(String message, TypedEntry typed) {
    return Objects.requireNonNull(
        ReportReader.read(List.of(condition("a", message)), List.of(typed)).get("a"));
  }

  @Test
  void whatever_one_node_writes_the_others_are_read_as_before() {
    var good = condition("good", "keyID=2 status=healthy lastChecked=" + TIME + " interval=30s");
    var expected = ReportReader.read(List.of(good), List.of()).get("good");
    var seed = 17L;
    var random = new Random(seed);
    for (int round = 0; round < 3000; round++) {
      var hostile = condition("bad", noise(random));
      var reports = ReportReader.read(List.of(hostile, good), List.of());
      assertThat(reports.get("good")).as("seed %d round %d", seed, round).isEqualTo(expected);
      assertThat(reports).containsOnlyKeys("bad", "good");
    }
  }

  private static final String[] SCRAPS = {
    "keyID=",
    "2",
    "status=healthy",
    "\n",
    "\r",
    " ",
    "lastChecked=" + TIME,
    "detail=",
    "[",
    "]",
    "{",
    "}",
    "\"",
    ":",
    "\u0000",
    "\u2028",
    "=",
    "%",
    "interval=",
    "9999999999h",
    "remoteKeyID=%4",
    "\uD800",
    "KMSHealthReporter_good",
    ","
  };

  private static String noise(Random random) {
    var text = new StringBuilder();
    for (int i = random.nextInt(40); i > 0; i--) {
      text.append(
          random.nextInt(8) == 0
              ? String.valueOf((char) random.nextInt(0x10000))
              : SCRAPS[random.nextInt(SCRAPS.length)]);
    }
    return text.toString();
  }
}
