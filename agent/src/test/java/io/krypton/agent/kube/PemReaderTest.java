package io.krypton.agent.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.krypton.sandbox.pki.CertificateAuthority;
import io.krypton.sandbox.pki.CertificateAuthority.IssuedIdentity;
import java.io.IOException;
import java.io.StringWriter;
import java.security.PrivateKey;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.util.io.pem.PemObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PemReaderTest {
  private static final CertificateAuthority AUTHORITY = CertificateAuthority.named("test");
  private static final IssuedIdentity RSA = AUTHORITY.user("rsa", List.of());
  private static final IssuedIdentity EC = AUTHORITY.server("ec", List.of());

  static Stream<Arguments> keys() throws IOException {
    return Stream.of(
        argumentSet("RSA, PKCS#8", RSA, RSA.keyPem()),
        argumentSet("RSA, PKCS#1", RSA, traditional(RSA.key())),
        argumentSet("EC, PKCS#8", EC, EC.keyPem()),
        argumentSet("EC, SEC1 that names its curve", EC, traditional(EC.key())),
        argumentSet("EC, SEC1 without a curve", EC, sec1WithoutCurve(EC.key())),
        argumentSet(
            "behind a certificate and in Windows lines",
            EC,
            (EC.certificatePem() + traditional(EC.key())).replace("\n", "\r\n")));
  }

  @ParameterizedTest
  @MethodSource("keys")
  void every_form_of_a_private_key_is_read(IssuedIdentity issuedIdentity, String pem)
      throws UnusableCredentialsException {
    var key = PemReader.privateKey("client-key", pem, issuedIdentity.certificate().getPublicKey());

    assertThat(key).isEqualTo(issuedIdentity.key());
  }

  @Test
  void a_bundle_gives_all_its_certificates_and_ignores_what_stands_between()
      throws UnusableCredentialsException {
    var bundle = "# first\n" + RSA.certificatePem() + "\n# second\n" + EC.certificatePem();

    assertThat(PemReader.certificates("ca", bundle))
        .containsExactly(RSA.certificate(), EC.certificate());
  }

  @Test
  void the_key_of_another_kind_is_refused_by_name() {
    assertThatThrownBy(
            () -> PemReader.privateKey("client-key", EC.keyPem(), RSA.certificate().getPublicKey()))
        .hasMessage("client-key is not a readable RSA key, as its certificate asks for");
  }

  @Test
  void unusable_text_is_refused_without_being_quoted() {
    var owner = EC.certificate().getPublicKey();
    assertThatThrownBy(() -> PemReader.privateKey("client-key", "c2VjcmV0", owner))
        .hasMessage("client-key holds no PEM private key");
    assertThatThrownBy(
            () -> PemReader.privateKey("client-key", block("PRIVATE KEY", "c2Vj="), owner))
        .hasMessage("client-key holds a PEM block that is not base64");
    assertThatThrownBy(
            () -> PemReader.privateKey("client-key", block("ENCRYPTED PRIVATE KEY", "c2Vj"), owner))
        .hasMessage("client-key is encrypted: use a key without a passphrase");
    assertThatThrownBy(() -> PemReader.certificates("ca", block("CERTIFICATE", "c2Vj")))
        .hasMessage("ca holds a certificate that cannot be read");
  }

  private static String block(String label, String body) {
    return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
  }

  /** What openssl wrote before PKCS#8. */
  private static String traditional(PrivateKey key) throws IOException {
    return write(key);
  }

  private static String sec1WithoutCurve(PrivateKey key) throws IOException {
    var full =
        ECPrivateKey.getInstance(PrivateKeyInfo.getInstance(key.getEncoded()).parsePrivateKey());
    return write(
        new PemObject("EC PRIVATE KEY", new ECPrivateKey(256, full.getKey()).getEncoded()));
  }

  private static String write(Object object) throws IOException {
    var text = new StringWriter();
    try (var writer = new JcaPEMWriter(text)) {
      writer.writeObject(object);
    }
    return text.toString();
  }
}
