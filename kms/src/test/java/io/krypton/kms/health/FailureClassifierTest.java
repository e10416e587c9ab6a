// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.health;

import static io.krypton.kms.health.HealthClass.ERROR;
import static io.krypton.kms.health.HealthClass.HEALTHY;
import static io.krypton.kms.health.HealthClass.UNHEALTHY;
import static io.krypton.kms.health.Verdict.FATAL;
import static io.krypton.kms.health.Verdict.OK;
import static io.krypton.kms.health.Verdict.WAIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.base.kmsreport.KeyHash;
import io.krypton.kms.health.FailureClassifier.SocketReasons;
import io.krypton.kms.health.ProbeFinding.ProbePhase;
import io.krypton.kms.health.ProbeOutcome.UnreadableKey;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure.NoConnection;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure.NoMessage;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure.NotGrpc;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure.Rpc;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure.SocketFault;
import io.krypton.kms.rpc.Endpoint;
import io.krypton.kms.rpc.KmsApiVersion;
import io.krypton.kms.rpc.KmsClient.EncryptedSample;
import io.krypton.kms.rpc.KmsClient.PluginStatus;
import io.krypton.kms.rpc.RpcCode;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** One row per rule: what was observed, and what it is called, means and weighs. */
class FailureClassifierTest {
  private static final FailureClassifier RULES = new FailureClassifier(FatalPatterns.DEFAULT);
  private static final byte[] PLAIN = new byte[32];

  /** Reasons that are not found by looking at an answer of the KMS service. */
  private static final Set<Reason> FOUND_ELSEWHERE =
      EnumSet.of(Reason.DECRYPT_UNPROVEN, Reason.NOT_SERVING, Reason.HTTP_HEALTHZ);

  record Row(
      String rule,
      ProbeFinding found,
      String cause,
      ProbePhase phase,
      HealthClass healthClass,
      Verdict verdict) {
    @Override
    public String toString() {
      return rule;
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void every_rule_gives_its_cause_phase_class_and_verdict(Row row) {
    assertThat(row.found().cause()).isEqualTo(row.cause());
    assertThat(row.found().phase()).isEqualTo(row.phase());
    assertThat(row.found().healthClass()).isEqualTo(row.healthClass());
    assertThat(row.found().verdict()).isEqualTo(row.verdict());
    assertThat(row.found().message()).isNotEmpty();
    assertThat(row.found().hint()).isNotEmpty();
  }

  @Test
  void every_reason_has_a_row() {
    var covered = rows().map(row -> row.found().reason()).collect(Collectors.toSet());
    covered.addAll(FOUND_ELSEWHERE);
    assertThat(covered).containsExactlyInAnyOrder(Reason.values());
  }

  static Stream<Row> rows() {
    return Stream.of(sockets(), calls(), statuses(), roundTrips(), canaries())
        .flatMap(List::stream);
  }

  private static List<Row> sockets() {
    var address = RULES.address(Endpoint.ofAddress("")).orElseThrow();
    return List.of(
        new Row("unusable address", address, "AddressUnusable", ProbePhase.ADDRESS, ERROR, FATAL),
        row(
            "missing",
            socket(SocketFault.MISSING, "ENOENT"),
            "SocketMissing",
            ProbePhase.CONNECT,
            ERROR,
            WAIT),
        row(
            "refused",
            socket(SocketFault.REFUSED, "ECONNREFUSED"),
            "SocketRefused",
            ProbePhase.CONNECT,
            ERROR,
            WAIT),
        row(
            "other errno",
            socket(SocketFault.FAILED, "EAGAIN"),
            "ConnectFailed",
            ProbePhase.CONNECT,
            ERROR,
            WAIT),
        row(
            "denied",
            socket(SocketFault.DENIED, "EACCES"),
            "SocketDenied",
            ProbePhase.CONNECT,
            ERROR,
            FATAL),
        row(
            "a file",
            socket(SocketFault.NOT_A_SOCKET, "ENOTSOCK"),
            "NotASocket",
            ProbePhase.CONNECT,
            ERROR,
            FATAL),
        row("HTTP/1.1", new NotGrpc("no settings"), "NotGrpc", ProbePhase.CONNECT, ERROR, FATAL));
  }

  private static List<Row> calls() {
    return Stream.of(
            status("UNAVAILABLE", "RpcError:UNAVAILABLE", WAIT),
            status("DEADLINE_EXCEEDED", "Timeout", WAIT),
            status("RESOURCE_EXHAUSTED", "RpcError:RESOURCE_EXHAUSTED", WAIT),
            status("ABORTED", "RpcError:ABORTED", WAIT),
            status("CANCELLED", "RpcError:CANCELLED", WAIT),
            status("INTERNAL", "RpcError:INTERNAL", WAIT),
            status("UNKNOWN", "RpcError:UNKNOWN", WAIT),
            status("ALREADY_EXISTS", "RpcError:ALREADY_EXISTS", WAIT),
            status("UNAUTHENTICATED", "Unauthenticated", WAIT),
            status("UNIMPLEMENTED", "Unimplemented", FATAL),
            status("PERMISSION_DENIED", "RpcRefused:PERMISSION_DENIED", FATAL),
            status("FAILED_PRECONDITION", "RpcRefused:FAILED_PRECONDITION", FATAL),
            status("NOT_FOUND", "RpcRefused:NOT_FOUND", FATAL),
            status("INVALID_ARGUMENT", "RpcRefused:INVALID_ARGUMENT", FATAL),
            status("OUT_OF_RANGE", "RpcRefused:OUT_OF_RANGE", FATAL),
            status("DATA_LOSS", "RpcRefused:DATA_LOSS", FATAL),
            row("nil", new NoMessage(), "NilResponse", ProbePhase.STATUS, UNHEALTHY, WAIT))
        .toList();
  }

  private static List<Row> statuses() {
    return List.of(
        answer("not ok", new PluginStatus("v2", "broken", "k"), "NotOk", ProbePhase.STATUS, WAIT),
        answer(
            "OK in capitals", new PluginStatus("v2", "OK", "k"), "NotOk", ProbePhase.STATUS, WAIT),
        answer("no healthz", new PluginStatus("v2", "", "k"), "NotOk", ProbePhase.STATUS, WAIT),
        answer(
            "health before version",
            new PluginStatus("v9", "x", ""),
            "NotOk",
            ProbePhase.STATUS,
            WAIT),
        answer(
            "text of doom",
            new PluginStatus("v2", "key is disabled", "k"),
            "NotOk",
            ProbePhase.STATUS,
            FATAL),
        answer(
            "bad version",
            new PluginStatus("v1", "ok", "k"),
            "BadVersion",
            ProbePhase.VERSION,
            FATAL),
        answer(
            "version before key",
            new PluginStatus("", "ok", ""),
            "BadVersion",
            ProbePhase.VERSION,
            FATAL),
        answer(
            "new version",
            new PluginStatus("v2beta1", "ok", "k"),
            "VersionChanged",
            ProbePhase.VERSION,
            FATAL),
        answer("no key", new PluginStatus("v2", "ok", ""), "EmptyKeyID", ProbePhase.KEY_ID, FATAL),
        answer(
            "long key",
            new PluginStatus("v2", "ok", "k".repeat(1025)),
            "KeyIDTooLong",
            ProbePhase.KEY_ID,
            FATAL),
        new Row(
            "v1 version",
            RULES.status(KmsApiVersion.V1, new PluginStatus("v2", "", ""), "").orElseThrow(),
            "BadVersion",
            ProbePhase.VERSION,
            UNHEALTHY,
            FATAL));
  }

  private static List<Row> roundTrips() {
    return List.of(
        call(ProbePhase.ENCRYPT, "UNAVAILABLE", "EncryptFailed:UNAVAILABLE", WAIT),
        call(ProbePhase.ENCRYPT, "DEADLINE_EXCEEDED", "EncryptFailed:DEADLINE_EXCEEDED", WAIT),
        call(ProbePhase.ENCRYPT, "UNIMPLEMENTED", "EncryptFailed:UNIMPLEMENTED", FATAL),
        call(ProbePhase.ENCRYPT, "UNAUTHENTICATED", "EncryptFailed:UNAUTHENTICATED", WAIT),
        call(ProbePhase.DECRYPT, "NOT_FOUND", "DecryptFailed:NOT_FOUND", FATAL),
        call(ProbePhase.DECRYPT, "DATA_LOSS", "DecryptFailed:DATA_LOSS", FATAL),
        encrypted("no ciphertext", sample(0, "k", Map.of())),
        encrypted("long ciphertext", sample(1025, "k", Map.of())),
        encrypted("no key id", sample(9, "", Map.of())),
        encrypted("long key id", sample(9, "k".repeat(1025), Map.of())),
        encrypted("one segment", sample(9, "k", Map.of("version", new byte[1]))),
        encrypted("capitals", sample(9, "k", Map.of("A.b", new byte[1]))),
        encrypted("long label", sample(9, "k", Map.of("a".repeat(64) + ".b", new byte[1]))),
        encrypted("big annotations", sample(9, "k", Map.of("a.b", new byte[32766]))),
        new Row(
            "not encrypted",
            RULES
                .encrypted(
                    KmsApiVersion.V2, PLAIN, new EncryptedSample("k", PLAIN.clone(), Map.of()))
                .orElseThrow(),
            "NotEncrypted",
            ProbePhase.ENCRYPT,
            UNHEALTHY,
            FATAL),
        new Row(
            "other bytes",
            RULES.decrypted(PLAIN, new byte[31]).orElseThrow(),
            "DecryptMismatch",
            ProbePhase.DECRYPT,
            UNHEALTHY,
            FATAL),
        new Row(
            "two key ids",
            RULES.keyIdMismatch("a", "b"),
            "KeyIDMismatch",
            ProbePhase.KEY_ID_MISMATCH,
            UNHEALTHY,
            WAIT));
  }

  private static List<Row> canaries() {
    var notFound = failed(new Rpc(RpcCode.NOT_FOUND, "gone"));
    var unavailable = failed(new Rpc(RpcCode.UNAVAILABLE, "later"));
    var changed = RULES.canaryChanged();
    return List.of(
        canary("refused", RULES.canaryFailed("k", notFound), "CanaryFailed", FATAL),
        canary("later", RULES.canaryFailed("k", unavailable), "CanaryFailed", WAIT),
        canary("changed", RULES.canaryFailed("k", changed), "CanaryFailed", FATAL),
        new Row(
            "canary: of older keys",
            unreadable(new UnreadableKey("k", notFound), new UnreadableKey("j", changed)).finding(),
            "OldKeyUnreadable",
            ProbePhase.CANARY,
            HEALTHY,
            OK),
        new Row(
            "died meanwhile",
            RULES.canaryFailed("k", failed(socket(SocketFault.REFUSED, "ECONNREFUSED"))),
            "SocketRefused",
            ProbePhase.CONNECT,
            ERROR,
            WAIT));
  }

  @Test
  void good_answers_give_no_finding() {
    assertThat(RULES.status(KmsApiVersion.V2, new PluginStatus("v2", "ok", "k".repeat(1024)), ""))
        .isEmpty();
    assertThat(RULES.status(KmsApiVersion.V2, new PluginStatus("v2beta1", "ok", "k"), "v2beta1"))
        .isEmpty();
    assertThat(RULES.status(KmsApiVersion.V1, new PluginStatus("v1beta1", "", ""), "")).isEmpty();
    assertThat(
            RULES.encrypted(
                KmsApiVersion.V2, PLAIN, sample(1024, "k", Map.of("a.b.", new byte[32764]))))
        .isEmpty();
    assertThat(RULES.encrypted(KmsApiVersion.V1, PLAIN, sample(65535, "", Map.of()))).isEmpty();
    assertThat(RULES.decrypted(PLAIN, PLAIN.clone())).isEmpty();
    assertThat(RULES.address(Endpoint.ofAddress("/a"))).isEmpty();
  }

  @Test
  void a_long_v1_ciphertext_is_refused() {
    assertThat(RULES.encrypted(KmsApiVersion.V1, PLAIN, sample(65536, "", Map.of()))).isPresent();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("textsOfDoom")
  void a_fatal_pattern_raises_wait_to_fatal_and_keeps_the_reason(String text) {
    var probeFinding = RULES.failedCall(ProbePhase.STATUS, new Rpc(RpcCode.UNKNOWN, text));
    assertThat(probeFinding.verdict()).isEqualTo(FATAL);
    assertThat(probeFinding.cause()).isEqualTo("RpcError:UNKNOWN");
  }

  static List<String> textsOfDoom() {
    return List.of(
        "Key was destroyed",
        "the KEY version is pending deletion",
        "key abc not found",
        "com.amazonaws DisabledException: x",
        "KMSInvalidStateException",
        "remote said 403 Forbidden");
  }

  @Test
  void a_pattern_is_not_applied_to_connect_errors_nor_found_inside_words() {
    var missing = new NoConnection(SocketFault.MISSING, "ENOENT", "key not found");
    assertThat(RULES.failedCall(ProbePhase.STATUS, missing).verdict()).isEqualTo(WAIT);
    var unrelated = new Rpc(RpcCode.UNKNOWN, "monkeys 14031 disabled");
    assertThat(RULES.failedCall(ProbePhase.STATUS, unrelated).verdict()).isEqualTo(WAIT);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "Error making API request. Code: 503. Errors: Vault is sealed | unseal it",
        "could not read transit key. Check transit engine and key and permissions | policy there",
        "permission denied | does not pass by itself",
        "failed to get the key: no such thing | check that the key exists there",
        "something odd | a permanent fault may show the same error",
      })
  void a_plain_error_waits_with_a_hint_about_the_kms_behind_the_plugin(String text, String hint) {
    var probeFinding = RULES.failedCall(ProbePhase.STATUS, new Rpc(RpcCode.UNKNOWN, text));
    assertThat(probeFinding.verdict()).isEqualTo(WAIT);
    assertThat(probeFinding.healthClass()).isEqualTo(UNHEALTHY);
    assertThat(probeFinding.message()).isEqualTo(text);
    assertThat(probeFinding.hint()).contains(hint).doesNotContain("socket");
  }

  @Test
  void own_patterns_replace_the_default_ones() {
    var own = new FailureClassifier(FatalPatterns.of(List.of("quota")));
    assertThat(own.failedCall(ProbePhase.STATUS, new Rpc(RpcCode.UNKNOWN, "quota")).verdict())
        .isEqualTo(FATAL);
    assertThat(
            own.failedCall(ProbePhase.STATUS, new Rpc(RpcCode.UNKNOWN, "key disabled")).verdict())
        .isEqualTo(WAIT);
  }

  @Test
  void key_ids_appear_as_hashes_only() {
    var mismatch = RULES.keyIdMismatch("arn:key-a", "arn:key-b").message();
    assertThat(mismatch)
        .doesNotContain("arn:")
        .contains(KeyHash.label("arn:key-a").substring(0, 19));
    assertThat(KeyHash.label("")).isEmpty();
    assertThat(KeyHash.label("1"))
        .isEqualTo("sha256:6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b");
  }

  @Test
  void unreadable_older_keys_are_named_by_their_hashes_and_codes() {
    var one = unreadable(new UnreadableKey("1", failed(new Rpc(RpcCode.NOT_FOUND, "key is gone"))));
    assertThat(one.finding().message())
        .isEqualTo("cannot decrypt data of older key sha256:6b86b273ff34: NOT_FOUND: key is gone");
    assertThat(one.keyHashes()).containsExactly(KeyHash.label("1"));

    var two =
        unreadable(
            new UnreadableKey("1", failed(new Rpc(RpcCode.NOT_FOUND, ""))),
            new UnreadableKey("2", RULES.canaryChanged()));
    assertThat(two.finding().message())
        .isEqualTo(
            "cannot decrypt data of older keys sha256:6b86b273ff34: NOT_FOUND;"
                + " sha256:d4735e3a265e: Decrypt returned other bytes");
  }

  @Test
  void an_errno_leads_to_its_reason() {
    assertThat(SocketReasons.ofErrno("ENOENT")).contains(Reason.SOCKET_MISSING);
    assertThat(SocketReasons.ofErrno("EPERM")).contains(Reason.SOCKET_DENIED);
    assertThat(SocketReasons.ofErrno("EMFILE")).contains(Reason.CONNECT_FAILED);
    assertThat(SocketReasons.ofErrno("NOT_FOUND")).isEmpty();
  }

  private static ProbeOutcome.OldKeysUnreadable unreadable(UnreadableKey... keys) {
    return (ProbeOutcome.OldKeysUnreadable) RULES.oldKeysUnreadable(List.of(keys));
  }

  private static ProbeFinding failed(CallFailure failure) {
    return RULES.failedCall(ProbePhase.CANARY, failure);
  }

  private static NoConnection socket(SocketFault fault, String errno) {
    return new NoConnection(fault, errno, "text");
  }

  private static Row row(
      String rule,
      CallFailure failure,
      String cause,
      ProbePhase probePhase,
      HealthClass kind,
      Verdict verdict) {
    return new Row(
        rule, RULES.failedCall(ProbePhase.STATUS, failure), cause, probePhase, kind, verdict);
  }

  private static Row status(String code, String cause, Verdict verdict) {
    var kind = code.equals("DEADLINE_EXCEEDED") ? ERROR : UNHEALTHY;
    return row(
        code, new Rpc(RpcCode.valueOf(code), "text"), cause, ProbePhase.STATUS, kind, verdict);
  }

  private static Row call(ProbePhase probePhase, String code, String cause, Verdict verdict) {
    var probeFinding = RULES.failedCall(probePhase, new Rpc(RpcCode.valueOf(code), "text"));
    return new Row(probePhase + " " + code, probeFinding, cause, probePhase, UNHEALTHY, verdict);
  }

  private static Row answer(
      String rule, PluginStatus status, String cause, ProbePhase probePhase, Verdict verdict) {
    Optional<ProbeFinding> finding = RULES.status(KmsApiVersion.V2, status, "v2");
    return new Row(rule, finding.orElseThrow(), cause, probePhase, UNHEALTHY, verdict);
  }

  private static Row encrypted(String rule, EncryptedSample sample) {
    var probeFinding = RULES.encrypted(KmsApiVersion.V2, PLAIN, sample).orElseThrow();
    return new Row(rule, probeFinding, "BadEncryptResponse", ProbePhase.ENCRYPT, UNHEALTHY, FATAL);
  }

  private static Row canary(String rule, ProbeFinding probeFinding, String cause, Verdict verdict) {
    return new Row("canary: " + rule, probeFinding, cause, ProbePhase.CANARY, UNHEALTHY, verdict);
  }

  private static EncryptedSample sample(int size, String keyId, Map<String, byte[]> annotations) {
    var ciphertext = new byte[size];
    Arrays.fill(ciphertext, (byte) 7);
    return new EncryptedSample(keyId, ciphertext, annotations);
  }
}
