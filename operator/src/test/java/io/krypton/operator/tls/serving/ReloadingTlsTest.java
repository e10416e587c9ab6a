// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.serving;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.operator.tls.profile.JvmTls;
import io.krypton.operator.tls.profile.PredefinedProfiles;
import io.krypton.operator.tls.serving.ReloadingTls.ReloadListener;
import io.krypton.operator.tls.serving.ServingInputs.PodAnnotations;
import io.krypton.operator.tls.serving.ServingInputs.ProfileSource;
import io.krypton.operator.tls.serving.ServingInputs.TlsInput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReloadingTlsTest {
  private static final KeyPair P256 = TestIdentity.keys("secp256r1");
  private static final KeyPair OTHER = TestIdentity.keys("secp256r1");
  private static final KeyPair RSA = TestIdentity.keys("RSA");
  private static final TestIdentity GOOD = TestIdentity.of("good", P256);
  private static final String MODERN = PredefinedProfiles.MODERN.canonicalJson();
  private static final String INTERMEDIATE = PredefinedProfiles.INTERMEDIATE.canonicalJson();

  @TempDir Path directory;
  private final List<String> told = new ArrayList<>();
  private KubeletDirectory certificates;
  private KubeletDirectory profiles;

  @BeforeEach
  void mount() throws IOException {
    certificates = new KubeletDirectory(directory.resolve("serving"));
    profiles = new KubeletDirectory(directory.resolve("tls"));
  }

  @Test
  void h10_without_any_file_a_certificate_of_its_own_serves_tls_13_only() throws Exception {
    try (var tls = tls();
        var server = new TlsServer(tls)) {
      assertThat(tls.state().source()).isEqualTo("fallback");
      var connection = server.connect("TLSv1.3", "TLSv1.2");
      assertThat(connection.protocol()).isEqualTo("TLSv1.3");
      assertThat(connection.subject()).isEqualTo("CN=krypton-self-signed");
      assertThat(server.refuses("TLSv1.2")).isTrue();
      assertThat(told).isEmpty();

      profiles.swap(Map.of("profile.json", bytes(INTERMEDIATE)));
      certificates.swap(files(GOOD));
      tls.reload();

      assertThat(server.connect("TLSv1.2").subject()).isEqualTo("CN=good");
      assertThat(told).containsExactlyInAnyOrder("reloaded certificate", "reloaded profile");
      assertThat(tls.state().source()).isEqualTo("file");
      assertThat(tls.state().profileHash()).isEqualTo(PredefinedProfiles.INTERMEDIATE.hash());
    }
  }

  record Bad(String what, Map<String, byte[]> files, String reason) {
    @Override
    public String toString() {
      return what;
    }
  }

  static Stream<Bad> badCertificates() {
    var now = Instant.now();
    var hour = Duration.ofHours(1);
    return Stream.of(
        new Bad(
            "key of another certificate",
            Map.of(
                "tls.crt", GOOD.certificatePem(), "tls.key", TestIdentity.of("x", OTHER).pkcs8()),
            "key-mismatch"),
        new Bad(
            "key of another kind",
            Map.of(
                "tls.crt", GOOD.certificatePem(), "tls.key", TestIdentity.of("x", RSA).olderForm()),
            "key-mismatch"),
        new Bad("empty files", Map.of("tls.crt", new byte[0], "tls.key", new byte[0]), "malformed"),
        new Bad(
            "empty key",
            Map.of("tls.crt", GOOD.certificatePem(), "tls.key", new byte[0]),
            "malformed"),
        new Bad("missing key", Map.of("tls.crt", GOOD.certificatePem()), "missing"),
        new Bad(
            "oversized",
            Map.of("tls.crt", new byte[300 * 1024], "tls.key", GOOD.pkcs8()),
            "oversized"),
        new Bad(
            "torn certificate",
            Map.of("tls.crt", Arrays.copyOf(GOOD.certificatePem(), 200), "tls.key", GOOD.pkcs8()),
            "malformed"),
        new Bad(
            "garbage in PEM",
            Map.of(
                "tls.crt",
                bytes("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"),
                "tls.key",
                GOOD.pkcs8()),
            "malformed"),
        new Bad(
            "expired",
            files(TestIdentity.of("x", P256, now.minus(hour), now.minusSeconds(1))),
            "expired"),
        new Bad(
            "not yet valid",
            files(TestIdentity.of("x", P256, now.plus(hour), now.plus(hour.plus(hour)))),
            "not-yet-valid"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badCertificates")
  void h9_a_bad_certificate_leaves_the_old_one_and_is_told_once(Bad bad) throws Exception {
    certificates.swap(files(GOOD));
    try (var tls = tls();
        var server = new TlsServer(tls)) {
      told.clear();

      certificates.swap(bad.files());
      tls.reload();
      tls.reload();

      assertThat(told).containsExactly("refused certificate " + bad.reason());
      assertThat(server.connect("TLSv1.3").subject()).isEqualTo("CN=good");

      certificates.swap(files(TestIdentity.of("next", OTHER)));
      tls.reload();
      assertThat(server.connect("TLSv1.3").subject()).isEqualTo("CN=next");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "{\"ciphers\":[\"RC4-SHA\"]}",
        "{\"groups\":[\"X25519MLKEM768\"]}",
        "{\"minTLSVersion\":\"VersionTLS99\"}",
        "oversized"
      })
  void h9_a_bad_profile_leaves_the_old_one_and_is_told_once(String text) throws Exception {
    profiles.swap(Map.of("profile.json", bytes(INTERMEDIATE)));
    certificates.swap(files(GOOD));
    try (var tls = tls()) {
      told.clear();
      var content = text.equals("oversized") ? new byte[65 * 1024] : bytes(text);

      profiles.swap(Map.of("profile.json", content));
      tls.reload();
      tls.reload();

      assertThat(told).hasSize(1).first().asString().startsWith("refused profile ");
      assertThat(tls.state().profileHash()).isEqualTo(PredefinedProfiles.INTERMEDIATE.hash());

      // The other input is not held back by the bad one.
      certificates.swap(files(TestIdentity.of("next", OTHER)));
      tls.reload();
      assertThat(told).last().isEqualTo("reloaded certificate");
      profiles.swap(Map.of("profile.json", bytes(MODERN)));
      tls.reload();
      assertThat(tls.state().profileHash()).isEqualTo(PredefinedProfiles.MODERN.hash());
    }
  }

  @Test
  void keys_in_pkcs8_pkcs1_and_sec1_are_read() throws Exception {
    try (var tls = tls();
        var server = new TlsServer(tls)) {
      for (var keys : List.of(P256, RSA, TestIdentity.keys("secp384r1"))) {
        for (var older : List.of(true, false)) {
          var identity =
              TestIdentity.of("key-%s-%s".formatted(keys.getPublic().getAlgorithm(), older), keys);
          certificates.swap(
              Map.of(
                  "tls.crt",
                  identity.certificatePem(),
                  "tls.key",
                  older ? identity.olderForm() : identity.pkcs8()));
          tls.reload();
          assertThat(server.connect("TLSv1.3").subject()).isEqualTo(identity.name());
        }
      }
    }
  }

  @Test
  void h8_a_new_issuer_behind_the_same_certificate_is_a_change() throws Exception {
    certificates.swap(files(GOOD));
    try (var tls = tls()) {
      told.clear();
      var chain = new ByteArrayOutputStream();
      chain.writeBytes(GOOD.certificatePem());
      chain.writeBytes(TestIdentity.of("issuer", OTHER).certificatePem());
      certificates.swap(Map.of("tls.crt", chain.toByteArray(), "tls.key", GOOD.pkcs8()));
      tls.reload();
      tls.reload();
      assertThat(told).containsExactly("reloaded certificate");
    }
  }

  @Test
  void h6_changes_are_seen_by_watch_and_by_poll_and_also_in_plain_directories() throws Exception {
    var late = directory.resolve("late");
    var inputs =
        new ServingInputs(
            new MountedDirectory(late),
            new ProfileSource.File(profiles.path()),
            Duration.ofMillis(200));
    try (var tls = new ReloadingTls(inputs, JvmTls.current(), InstantSource.system(), listener())) {
      tls.start();
      profiles.swap(Map.of("profile.json", bytes(MODERN)));
      await().until(() -> tls.state().source().equals("file"));
      profiles.swap(Map.of("profile.json", bytes(INTERMEDIATE)));
      await().until(() -> tls.state().profileHash().equals(PredefinedProfiles.INTERMEDIATE.hash()));

      // Not there when the watch began, and without the links of a kubelet.
      Files.createDirectory(late);
      Files.write(late.resolve("tls.key"), GOOD.pkcs8());
      Files.write(late.resolve("tls.crt"), GOOD.certificatePem());
      await()
          .until(
              () ->
                  tls.state()
                      .certificateNotAfter()
                      .equals(GOOD.certificate().getNotAfter().toInstant()));
    }
  }

  @Test
  void h11_the_expected_hash_is_read_from_the_pods_annotations() throws IOException {
    var info = new PodAnnotations(directory);
    assertThat(info.expectedProfileHash()).isEmpty();
    Files.writeString(
        directory.resolve("annotations"),
        "a=\"b\"\nmesh.openkcm.io/tls-profile-hash=\"0123abc\"\nz=\"y\"\n");
    assertThat(info.expectedProfileHash()).contains("0123abc");
  }

  private ReloadingTls tls() {
    return new ReloadingTls(
        new ServingInputs(
            new MountedDirectory(certificates.path()),
            new ProfileSource.File(profiles.path()),
            Duration.ofSeconds(10)),
        JvmTls.current(),
        InstantSource.system(),
        listener());
  }

  private ReloadListener listener() {
    return new ReloadListener() {
      @Override
      public void reloaded(TlsInput input) {
        told.add("reloaded " + input.value());
      }

      @Override
      public void refused(TlsInput input, String reason) {
        told.add("refused %s %s".formatted(input.value(), reason));
      }
    };
  }

  private static Map<String, byte[]> files(TestIdentity identity) {
    return Map.of("tls.crt", identity.certificatePem(), "tls.key", identity.pkcs8());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
