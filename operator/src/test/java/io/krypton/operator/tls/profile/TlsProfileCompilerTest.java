// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.tls.profile.TlsProfile.TlsVersion;
import io.krypton.operator.tls.profile.TlsProfileCompiler.CompileResult.Compiled;
import io.krypton.operator.tls.profile.TlsProfileCompiler.CompileResult.Rejected;
import io.krypton.operator.tls.profile.TlsProfileCompiler.ServingKey;
import io.krypton.operator.tls.profile.TlsProfileParser.ParseResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TlsProfileCompilerTest {
  private static final JvmTls JVM = JvmTls.current();
  private static final ServingKey P521 = new ServingKey(ServingKey.Algorithm.EC, "secp521r1");

  /** OpenSSL name, name of the JVM, usable with the security properties that a JDK ships. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "TLS_AES_128_GCM_SHA256,TLS_AES_128_GCM_SHA256,yes",
    "TLS_AES_256_GCM_SHA384,TLS_AES_256_GCM_SHA384,yes",
    "TLS_CHACHA20_POLY1305_SHA256,TLS_CHACHA20_POLY1305_SHA256,yes",
    "ECDHE-ECDSA-AES128-GCM-SHA256,TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,yes",
    "ECDHE-RSA-AES128-GCM-SHA256,TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,yes",
    "ECDHE-ECDSA-AES256-GCM-SHA384,TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,yes",
    "ECDHE-RSA-AES256-GCM-SHA384,TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,yes",
    "ECDHE-ECDSA-CHACHA20-POLY1305,TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,yes",
    "ECDHE-RSA-CHACHA20-POLY1305,TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,yes",
    "ECDHE-ECDSA-AES128-SHA256,TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256,yes",
    "ECDHE-RSA-AES128-SHA256,TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256,yes",
    "ECDHE-ECDSA-AES128-SHA,TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA,yes",
    "ECDHE-RSA-AES128-SHA,TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA,yes",
    "ECDHE-ECDSA-AES256-SHA384,TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384,yes",
    "ECDHE-RSA-AES256-SHA384,TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384,yes",
    "ECDHE-ECDSA-AES256-SHA,TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA,yes",
    "ECDHE-RSA-AES256-SHA,TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA,yes",
    "AES128-GCM-SHA256,TLS_RSA_WITH_AES_128_GCM_SHA256,no",
    "AES256-GCM-SHA384,TLS_RSA_WITH_AES_256_GCM_SHA384,no",
    "AES128-SHA256,TLS_RSA_WITH_AES_128_CBC_SHA256,no",
    "AES256-SHA256,TLS_RSA_WITH_AES_256_CBC_SHA256,no",
    "AES128-SHA,TLS_RSA_WITH_AES_128_CBC_SHA,no",
    "AES256-SHA,TLS_RSA_WITH_AES_256_CBC_SHA,no",
    "DES-CBC3-SHA,SSL_RSA_WITH_3DES_EDE_CBC_SHA,no",
    "DHE-RSA-AES128-GCM-SHA256,TLS_DHE_RSA_WITH_AES_128_GCM_SHA256,yes",
    "DHE-RSA-AES256-GCM-SHA384,TLS_DHE_RSA_WITH_AES_256_GCM_SHA384,yes",
    "DHE-RSA-CHACHA20-POLY1305,TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256,yes",
    "DHE-RSA-AES128-SHA256,TLS_DHE_RSA_WITH_AES_128_CBC_SHA256,yes",
    "DHE-RSA-AES256-SHA256,TLS_DHE_RSA_WITH_AES_256_CBC_SHA256,yes",
    "ECDHE-RSA-DES-CBC3-SHA,TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA,no"
  })
  void each_name_maps_and_this_jvm_is_as_expected(String name, String suite, String usable) {
    assertThat(CipherTable.suiteOf(name)).contains(suite);
    assertThat(CipherTable.suiteOf(suite)).contains(suite);
    assertThat(JVM.suites().contains(suite)).isEqualTo(usable.equals("yes"));
  }

  @ParameterizedTest
  @CsvSource({
    "RC4-SHA",
    "ECDH-RSA-AES128-SHA",
    "ADH-AES128-SHA",
    "NULL-SHA",
    "TLS_AES_128_CCM_SHA256"
  })
  void what_nobody_should_use_is_unknown(String name) {
    assertThat(CipherTable.suiteOf(name)).isEmpty();
  }

  @Test
  void further_spellings_are_understood() {
    assertThat(CipherTable.suiteOf("TLS_RSA_WITH_3DES_EDE_CBC_SHA"))
        .contains("SSL_RSA_WITH_3DES_EDE_CBC_SHA");
    assertThat(CipherTable.suiteOf("TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305"))
        .contains("TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");
  }

  record Case(
      String rule,
      TlsProfile profile,
      ServingKey key,
      String protocols,
      int suites,
      String groups,
      int narrowed) {
    @Override
    public String toString() {
      return rule;
    }
  }

  static Stream<Case> compiled() {
    var base = "x25519 secp256r1 secp384r1";
    return Stream.of(
        new Case(
            "T1 Old loses its old versions and suites",
            PredefinedProfiles.OLD,
            ServingKey.P256,
            "TLSv1.3 TLSv1.2",
            17,
            base,
            9),
        new Case(
            "Intermediate is whole",
            PredefinedProfiles.INTERMEDIATE,
            ServingKey.RSA,
            "TLSv1.3 TLSv1.2",
            9,
            base,
            0),
        new Case(
            "Modern is whole", PredefinedProfiles.MODERN, ServingKey.P256, "TLSv1.3", 3, base, 0),
        new Case(
            "T2 no ciphers mean those of Intermediate",
            profile("VersionTLS12"),
            ServingKey.P256,
            "TLSv1.3 TLSv1.2",
            9,
            base,
            0),
        new Case(
            "T2 repeats and unknown names",
            profile(
                "VersionTLS12",
                "ECDHE-RSA-AES128-GCM-SHA256",
                "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                "RC4-SHA",
                "AES128-SHA"),
            ServingKey.RSA,
            "TLSv1.3 TLSv1.2",
            4,
            base,
            2),
        new Case(
            "T3 named suites of TLS 1.3 are the only ones",
            profile("VersionTLS13", "TLS_AES_256_GCM_SHA384"),
            ServingKey.RSA,
            "TLSv1.3",
            1,
            base,
            0),
        new Case(
            "T3 older names mean nothing from TLS 1.3 on",
            profile("VersionTLS13", "AES128-SHA", "ECDHE-RSA-AES128-SHA"),
            ServingKey.RSA,
            "TLSv1.3",
            3,
            base,
            0),
        new Case(
            "T3 an unknown name is told all the same",
            profile("VersionTLS13", "NEW-1"),
            ServingKey.RSA,
            "TLSv1.3",
            3,
            base,
            1),
        new Case(
            "T4 no suite for the key leaves TLS 1.3",
            profile("VersionTLS12", "ECDHE-ECDSA-AES128-GCM-SHA256"),
            ServingKey.RSA,
            "TLSv1.3",
            3,
            base,
            1),
        new Case(
            "T4 only suites of TLS 1.3",
            profile("VersionTLS12", "TLS_AES_128_GCM_SHA256"),
            ServingKey.P256,
            "TLSv1.3",
            1,
            base,
            1),
        new Case(
            "T5 aliases, case, and what the JVM lacks",
            groups("X25519MLKEM768", "P-256", "x25519", "prime256v1", "SecP384r1MLKEM1024"),
            ServingKey.P256,
            "TLSv1.3 TLSv1.2",
            9,
            "secp256r1 x25519",
            2),
        new Case(
            "T6 a curve outside of the groups leaves TLS 1.3",
            groups("X25519"),
            ServingKey.P256,
            "TLSv1.3",
            3,
            "x25519",
            1),
        new Case(
            "T6 P-521 with the base groups",
            PredefinedProfiles.INTERMEDIATE,
            P521,
            "TLSv1.3",
            3,
            base,
            1),
        new Case(
            "T6 P-521 when it is allowed",
            groups("P-521"),
            P521,
            "TLSv1.3 TLSv1.2",
            9,
            "secp521r1",
            0),
        new Case(
            "T8 the fallback is allowed by all",
            PredefinedProfiles.FALLBACK,
            P521,
            "TLSv1.3",
            3,
            base,
            0));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void compiled(Case row) {
    assertThat(TlsProfileCompiler.compile(row.profile(), JVM, row.key()))
        .isInstanceOfSatisfying(
            Compiled.class,
            compiled -> {
              assertThat(String.join(" ", compiled.protocols())).isEqualTo(row.protocols());
              assertThat(compiled.suites()).hasSize(row.suites());
              assertThat(String.join(" ", compiled.groups())).isEqualTo(row.groups());
              assertThat(compiled.narrowed()).hasSize(row.narrowed());
            });
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "T4,RC4-SHA,VersionTLS12,'',TLS profile specifies ciphers but none are supported",
    "T4,AES128-SHA,VersionTLS10,'',TLS profile specifies ciphers but none are supported",
    "T5,'',VersionTLS12,X25519MLKEM768,TLS profile specifies groups but none are supported",
    "T5,'',VersionTLS13,Foo,TLS profile specifies groups but none are supported"
  })
  void rejected(String rule, String cipher, String minimum, String group, String reason) {
    var profile =
        ((ParseResult.Parsed)
                ParseResult.of(
                    cipher.isEmpty() ? List.of() : List.of(cipher),
                    minimum,
                    group.isEmpty() ? List.of() : List.of(group)))
            .profile();
    assertThat(TlsProfileCompiler.compile(profile, JVM, ServingKey.P256))
        .as(rule)
        .isEqualTo(new Rejected(reason));
  }

  @Test
  void a_jvm_without_the_version_that_is_asked_for_rejects() {
    var old = new JvmTls(JVM.suites(), Set.of("TLSv1.2"), JVM.groups());
    assertThat(TlsProfileCompiler.compile(PredefinedProfiles.MODERN, old, ServingKey.P256))
        .isInstanceOf(Rejected.class);
    assertThat(TlsProfileCompiler.compile(PredefinedProfiles.INTERMEDIATE, old, ServingKey.P256))
        .isInstanceOfSatisfying(
            Compiled.class, it -> assertThat(it.protocols()).containsExactly("TLSv1.2"));
  }

  /** The compiler itself throws when its result allows more than the profile. */
  @Test
  void t7_no_profile_is_ever_exceeded() {
    var seed = new Random().nextLong();
    var random = new Random(seed);
    var names = new ArrayList<>(PredefinedProfiles.OLD.ciphers());
    names.addAll(List.of("RC4-SHA", "DHE-RSA-AES128-SHA256", "NEW-1"));
    var groups = List.of("X25519", "P-256", "secp384r1", "secp521r1", "X25519MLKEM768", "Foo");
    for (var i = 0; i < 2000; i++) {
      var profile =
          new TlsProfile(
              some(names, random),
              List.of(TlsVersion.values()).get(random.nextInt(4)),
              some(groups, random));
      for (var key : List.of(ServingKey.P256, ServingKey.RSA, P521)) {
        var result = TlsProfileCompiler.compile(profile, JVM, key);
        assertThat(result)
            .as("seed %d, %s, %s", seed, profile, key)
            .satisfiesAnyOf(
                it -> assertThat(it).isInstanceOf(Rejected.class),
                it -> assertThat(((Compiled) it).suites()).isNotEmpty());
      }
    }
  }

  private static List<String> some(List<String> names, Random random) {
    return names.stream().filter(name -> random.nextInt(3) == 0).toList();
  }

  private static TlsProfile profile(String minimum, String... ciphers) {
    return new TlsProfile(
        Arrays.asList(ciphers), TlsVersion.named(minimum).orElseThrow(), List.of());
  }

  private static TlsProfile groups(String... groups) {
    return new TlsProfile(
        PredefinedProfiles.INTERMEDIATE.ciphers(), TlsVersion.TLS12, Arrays.asList(groups));
  }
}
