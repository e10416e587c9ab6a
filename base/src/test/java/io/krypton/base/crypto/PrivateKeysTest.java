// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.crypto;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.krypton.base.crypto.PemException.Problem;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PrivateKeysTest {
  private static final KeyPair RSA = rsa();
  private static final KeyPair EC = ec("secp256r1");
  private static final KeyPair EC_384 = ec("secp384r1");
  private static final KeyPair ED = ed25519();
  private static final byte[] P_256 = Der.oid("2a8648ce3d030107");

  static Stream<Arguments> keys() {
    return Stream.of(
        argumentSet("RSA, PKCS#8", RSA, Pem.encode(RSA.getPrivate())),
        argumentSet("RSA, PKCS#1", RSA, Pem.encode("RSA PRIVATE KEY", pkcs1())),
        argumentSet("EC, PKCS#8", EC, Pem.encode(EC.getPrivate())),
        argumentSet("EC of another curve", EC_384, Pem.encode(EC_384.getPrivate())),
        argumentSet("EC, SEC1 that names its curve", EC, sec1(P_256)),
        argumentSet("EdDSA", ED, Pem.encode(ED.getPrivate())),
        argumentSet(
            "behind a certificate and in Windows lines",
            EC,
            (PemTest.CERTIFICATE + sec1(P_256)).replace("\n", "\r\n")));
  }

  @ParameterizedTest
  @MethodSource("keys")
  void every_form_of_a_private_key_is_read(KeyPair pair, String pem) throws PemException {
    var bytes = pem.getBytes(US_ASCII);

    assertIs(pair, PrivateKeys.read(pem));
    assertIs(pair, PrivateKeys.read(bytes));
    assertIs(pair, PrivateKeys.read(pem, pair.getPublic()));
    assertIs(pair, PrivateKeys.read(bytes, pair.getPublic()));
  }

  /** The JDK compares encodings, of which an EC key has more than one. */
  private static void assertIs(KeyPair expected, PrivateKey key) {
    if (expected.getPrivate() instanceof ECPrivateKey ec) {
      assertThat(((ECPrivateKey) key).getS()).isEqualTo(ec.getS());
    } else {
      assertThat(key).isEqualTo(expected.getPrivate());
    }
    assertThat(PrivateKeys.belongTogether(key, expected.getPublic())).isTrue();
  }

  @Test
  void the_curve_that_sec1_leaves_out_is_that_of_the_certificate() throws PemException {
    assertIs(EC, PrivateKeys.read(sec1(new byte[0]), EC.getPublic()));
    assertRefused(sec1(new byte[0]), Problem.UNREADABLE_PRIVATE_KEY);
  }

  @Test
  void the_key_of_another_kind_is_refused_by_name() {
    var pem = Pem.encode(EC.getPrivate());

    assertThatThrownBy(() -> PrivateKeys.read(pem, RSA.getPublic()))
        .hasMessage("is not a readable RSA key, as its certificate asks for")
        .isInstanceOfSatisfying(
            PemException.class, it -> assertThat(it.problem()).isEqualTo(Problem.OTHER_ALGORITHM));
  }

  @Test
  void unusable_text_is_refused() {
    assertRefused("c2VjcmV0", Problem.NO_PRIVATE_KEY);
    assertRefused(PemTest.CERTIFICATE, Problem.NO_PRIVATE_KEY);
    assertRefused(Pem.encode("ENCRYPTED PRIVATE KEY", new byte[3]), Problem.ENCRYPTED_PRIVATE_KEY);
    assertRefused(Pem.encode("PRIVATE KEY", new byte[3]), Problem.UNREADABLE_PRIVATE_KEY);
    assertRefused(Pem.encode("EC PRIVATE KEY", new byte[1]), Problem.UNREADABLE_PRIVATE_KEY);
    assertRefused(
        "-----BEGIN PRIVATE KEY-----\nc2Vj=\n-----END PRIVATE KEY-----", Problem.NOT_BASE64);
  }

  @Test
  void damaged_keys_are_refused_whatever_the_damage() {
    var random = new Random(13);
    var whole = Pem.encode("EC PRIVATE KEY", sec1Der(P_256));
    for (int round = 0; round < 2_000; round++) {
      var der = sec1Der(P_256);
      der[random.nextInt(der.length)] ^= (byte) (1 << random.nextInt(8));
      var cut = Arrays.copyOf(der, random.nextInt(der.length) + 1);
      var pem = Pem.encode("EC PRIVATE KEY", cut);
      try {
        PrivateKeys.read(pem);
      } catch (PemException refused) {
        assertThat(refused.getMessage()).doesNotContain(whole.substring(40, 60));
      }
    }
  }

  @Test
  void a_key_belongs_to_the_certificate_that_verifies_what_it_signs() {
    for (var pair : new KeyPair[] {RSA, EC, EC_384, ED}) {
      assertThat(PrivateKeys.belongTogether(pair.getPrivate(), pair.getPublic())).isTrue();
    }
    assertThat(PrivateKeys.belongTogether(EC.getPrivate(), ec("secp256r1").getPublic())).isFalse();
    assertThat(PrivateKeys.belongTogether(EC.getPrivate(), RSA.getPublic())).isFalse();
  }

  private static void assertRefused(String pem, Problem problem) {
    assertThatThrownBy(() -> PrivateKeys.read(pem))
        .isInstanceOfSatisfying(
            PemException.class, it -> assertThat(it.problem()).isEqualTo(problem));
  }

  private static byte[] pkcs1() {
    var key = (RSAPrivateCrtKey) RSA.getPrivate();
    return Der.sequence(
        Der.integer(BigInteger.ZERO),
        Der.integer(key.getModulus()),
        Der.integer(key.getPublicExponent()),
        Der.integer(key.getPrivateExponent()),
        Der.integer(key.getPrimeP()),
        Der.integer(key.getPrimeQ()),
        Der.integer(key.getPrimeExponentP()),
        Der.integer(key.getPrimeExponentQ()),
        Der.integer(key.getCrtCoefficient()));
  }

  private static String sec1(byte[] curve) {
    return Pem.encode("EC PRIVATE KEY", sec1Der(curve));
  }

  private static byte[] sec1Der(byte[] curve) {
    var secret = new byte[32];
    var number = ((ECPrivateKey) EC.getPrivate()).getS().toByteArray();
    int length = Math.min(32, number.length);
    System.arraycopy(number, number.length - length, secret, 32 - length, length);
    var version = Der.integer(BigInteger.ONE);
    return curve.length == 0
        ? Der.sequence(version, Der.octets(secret))
        : Der.sequence(version, Der.octets(secret), Der.tagged(0, curve));
  }

  private static KeyPair rsa() {
    try {
      var generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static KeyPair ec(String curve) {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec(curve));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static KeyPair ed25519() {
    try {
      return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
