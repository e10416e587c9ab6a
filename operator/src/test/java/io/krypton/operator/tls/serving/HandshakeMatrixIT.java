// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.tls.profile.JvmTls;
import io.krypton.operator.tls.profile.PredefinedProfiles;
import io.krypton.operator.tls.profile.TlsProfile;
import io.krypton.operator.tls.profile.TlsProfile.TlsVersion;
import io.krypton.operator.tls.serving.ReloadingTls.ReloadListener;
import io.krypton.operator.tls.serving.ServingInputs.ProfileSource;
import io.krypton.operator.tls.serving.ServingInputs.TlsInput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Handshakes with OpenSSL, which was written by others than those who wrote our TLS. */
class HandshakeMatrixIT {
  private static final Pattern AGREED = Pattern.compile("New, (\\S+), Cipher is (\\S+)");
  private static final List<String> CLIENTS = List.of("tls1", "tls1_1", "tls1_2", "tls1_3");
  private static final TestIdentity P256 = TestIdentity.of("p256", TestIdentity.keys("secp256r1"));
  private static final TestIdentity P521 = TestIdentity.of("p521", TestIdentity.keys("secp521r1"));
  private static final TestIdentity RSA = TestIdentity.of("rsa", TestIdentity.keys("RSA"));
  private static final TlsProfile CUSTOM =
      new TlsProfile(
          List.of("ECDHE-RSA-AES256-SHA384", "DHE-RSA-AES128-GCM-SHA256", "RC4-SHA"),
          TlsVersion.TLS11,
          List.of("secp384r1"));

  /** Whether a client of TLS 1.0, 1.1, 1.2, 1.3 gets through: y or n for each. */
  private record Row(String profile, String key, String expected) {}

  private static final List<Row> ROWS =
      List.of(
          new Row("Old", "P-256", "nnyy"),
          new Row("Old", "P-521", "nnny"),
          new Row("Old", "RSA", "nnyy"),
          new Row("Intermediate", "P-256", "nnyy"),
          new Row("Intermediate", "P-521", "nnny"),
          new Row("Intermediate", "RSA", "nnyy"),
          new Row("Modern", "P-256", "nnny"),
          new Row("Modern", "P-521", "nnny"),
          new Row("Modern", "RSA", "nnny"),
          new Row("Custom", "P-256", "nnny"),
          new Row("Custom", "P-521", "nnny"),
          new Row("Custom", "RSA", "nnyy"),
          new Row("fallback", "P-256", "nnny"),
          new Row("fallback", "P-521", "nnny"),
          new Row("fallback", "RSA", "nnny"));

  @TempDir Path directory;

  @BeforeAll
  static void openssl_is_there() throws Exception {
    assertThat(run("version")).startsWith("OpenSSL 3");
  }

  @Test
  void nothing_outside_of_a_profile_is_ever_agreed_on() throws Exception {
    var certificates = new KubeletDirectory(directory.resolve("serving"));
    var profiles = new KubeletDirectory(directory.resolve("tls"));
    var differences = new ArrayList<String>();
    for (var row : ROWS) {
      var identity = identity(row.key());
      certificates.swap(Map.of("tls.crt", identity.certificatePem(), "tls.key", identity.pkcs8()));
      profiles.swap(
          row.profile().equals("fallback")
              ? Map.of()
              : Map.of(
                  "profile.json",
                  profile(row.profile()).canonicalJson().getBytes(StandardCharsets.UTF_8)));
      var source = new ProfileSource.File(profiles.path());
      try (var tls =
              new ReloadingTls(
                  new ServingInputs(
                      new MountedDirectory(certificates.path()), source, Duration.ofSeconds(10)),
                  JvmTls.current(),
                  InstantSource.system(),
                  new Quiet());
          var server = new TlsServer(tls)) {
        differences.addAll(differences(row, server));
      }
    }
    assertThat(differences).isEmpty();
  }

  private static List<String> differences(Row row, TlsServer server) throws Exception {
    var differences = new ArrayList<String>();
    var allowed = profile(row.profile()).ciphers();
    for (var i = 0; i < CLIENTS.size(); i++) {
      var agreed = cipher(handshake(server, CLIENTS.get(i), "ALL:@SECLEVEL=0"));
      if (agreed.isEmpty() == (row.expected().charAt(i) == 'y')) {
        differences.add(
            "%s %s %s: '%s'".formatted(row.profile(), row.key(), CLIENTS.get(i), agreed));
      }
      if (!agreed.isEmpty() && !agreed.startsWith("TLS_") && !allowed.contains(agreed)) {
        differences.add(
            "%s %s: outside of the profile: %s".formatted(row.profile(), row.key(), agreed));
      }
    }
    var others = new StringBuilder("ALL:COMPLEMENTOFALL");
    allowed.stream()
        .filter(name -> !name.startsWith("TLS_"))
        .forEach(name -> others.append(":!").append(name));
    var outside = cipher(handshake(server, "tls1_2", others + ":@SECLEVEL=0"));
    if (!outside.isEmpty()) {
      differences.add(
          "%s %s: outside of the profile: %s".formatted(row.profile(), row.key(), outside));
    }
    return differences;
  }

  @Test
  void groups_outside_of_a_profile_are_not_agreed_on() throws Exception {
    var certificates = new KubeletDirectory(directory.resolve("serving"));
    certificates.swap(Map.of("tls.crt", RSA.certificatePem(), "tls.key", RSA.pkcs8()));
    try (var tls =
            new ReloadingTls(
                new ServingInputs(
                    new MountedDirectory(certificates.path()),
                    new ProfileSource.Flags(CUSTOM),
                    Duration.ofSeconds(10)),
                JvmTls.current(),
                InstantSource.system(),
                new Quiet());
        var server = new TlsServer(tls)) {
      assertThat(cipher(handshake(server, "tls1_3", "ALL", "-groups", "P-384"))).isNotEmpty();
      assertThat(cipher(handshake(server, "tls1_3", "ALL", "-groups", "X25519:P-256"))).isEmpty();
    }
  }

  private static TestIdentity identity(String key) {
    return switch (key) {
      case "P-256" -> P256;
      case "P-521" -> P521;
      default -> RSA;
    };
  }

  private static TlsProfile profile(String name) {
    return switch (name) {
      case "Old" -> PredefinedProfiles.OLD;
      case "Intermediate" -> PredefinedProfiles.INTERMEDIATE;
      case "Custom" -> CUSTOM;
      default -> PredefinedProfiles.MODERN;
    };
  }

  private static String handshake(TlsServer server, String version, String ciphers, String... more)
      throws Exception {
    var arguments =
        new ArrayList<>(
            List.of(
                "s_client",
                "-connect",
                "127.0.0.1:" + server.port(),
                "-" + version,
                "-cipher",
                ciphers));
    arguments.addAll(List.of(more));
    return run(arguments.toArray(String[]::new));
  }

  /** What was agreed on; empty if nothing was. */
  private static String cipher(String output) {
    var agreed = AGREED.matcher(output);
    return agreed.find() && !agreed.group(2).equals("(NONE)") ? agreed.group(2) : "";
  }

  private static String run(String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("openssl"));
    command.addAll(List.of(arguments));
    var process =
        new ProcessBuilder(command)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return output;
  }

  private static final class Quiet implements ReloadListener {
    @Override
    public void reloaded(TlsInput input) {}

    @Override
    public void refused(TlsInput input, String reason) {
      throw new AssertionError("%s refused: %s".formatted(input, reason));
    }
  }
}
