// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.crypto;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import org.junit.jupiter.api.Test;

class PemTest {
  static final String CERTIFICATE =
      """
      -----BEGIN CERTIFICATE-----
      MIIBMjCB2aADAgECAggIfU24uxd4ZzAKBggqhkjOPQQDAzANMQswCQYDVQQDEwJF
      QzAgFw0yNjExMTgxNDI1MzlaGA8yMTI2MTAyNTE0MjUzOVowDTELMAkGA1UEAxMC
      RUMwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARO983yTVmf/AuNHRvg7pApG3M0
      MjIfWXlh/YBuzelY4phmypjngJdnevRChqGw8OGtLkoBgQSGi82riSaBquEfoyEw
      HzAdBgNVHQ4EFgQUYS+ElR8jAwj3cnXCSgC6F+7b0NwwCgYIKoZIzj0EAwMDSAAw
      RQIgHZ4frxdyThd4YF4dmlzgG7UAh25RpFTNz6cCXKDAj6kCIQDrzTLXdfQDL1EY
      Bbd5aVd+2xW2b/+GhX+985BwCy/wkg==
      -----END CERTIFICATE-----
      """;

  @Test
  void a_bundle_gives_all_its_certificates_and_ignores_what_stands_between() throws PemException {
    var bundle = "# first\n" + CERTIFICATE + "\n# second\r\n" + CERTIFICATE.replace("\n", "\r\n");

    var certificates = Pem.certificates(bundle);

    assertThat(certificates).hasSize(2);
    assertThat(certificates.getFirst().getSubjectX500Principal()).hasToString("CN=EC");
    assertThat(certificates.getLast()).isEqualTo(certificates.getFirst());
    assertThat(Pem.certificates(bundle.getBytes(US_ASCII))).isEqualTo(certificates);
  }

  @Test
  void a_certificate_is_written_as_it_was_read() throws PemException {
    assertThat(Pem.encode(Pem.certificates(CERTIFICATE).getFirst())).isEqualTo(CERTIFICATE);
  }

  @Test
  void keys_are_written_by_their_kind() throws GeneralSecurityException {
    var pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();

    assertThat(Pem.encode(pair.getPrivate())).startsWith("-----BEGIN PRIVATE KEY-----\n");
    assertThat(Pem.encode(pair.getPublic())).startsWith("-----BEGIN PUBLIC KEY-----\n");
    assertThat(Pem.blocks(Pem.encode(pair.getPrivate())).getFirst().der())
        .isEqualTo(pair.getPrivate().getEncoded());
  }

  @Test
  void unusable_text_is_refused_without_being_quoted() {
    assertThatThrownBy(() -> Pem.certificates("c2VjcmV0"))
        .hasMessage("holds no PEM certificate")
        .isInstanceOfSatisfying(
            PemException.class,
            it -> {
              assertThat(it.problem()).isEqualTo(PemException.Problem.NO_CERTIFICATE);
              assertThat(it.messageFor("ca.crt")).isEqualTo("ca.crt holds no PEM certificate");
            });
    assertThatThrownBy(() -> Pem.certificates(block("c2Vj=")))
        .hasMessage("holds a PEM block that is not base64");
    assertThatThrownBy(() -> Pem.certificates(block("c2Vj")))
        .hasMessage("holds a certificate that cannot be read");
  }

  @Test
  void a_block_does_not_show_its_content() throws PemException {
    assertThat(Pem.blocks(block("c2Vj")).toString()).isEqualTo("[CERTIFICATE]");
    assertThat(Pem.blocks("nothing")).isEmpty();
  }

  private static String block(String body) {
    return "-----BEGIN CERTIFICATE-----\n" + body + "\n-----END CERTIFICATE-----\n";
  }
}
