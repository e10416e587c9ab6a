// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.kube;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.sandbox.pki.CertificateAuthority;
import io.krypton.sandbox.pki.CertificateAuthority.IssuedIdentity;
import java.util.List;
import org.junit.jupiter.api.Test;

class PemReaderTest {
  private static final CertificateAuthority AUTHORITY = CertificateAuthority.named("test");
  private static final IssuedIdentity RSA = AUTHORITY.user("rsa", List.of());
  private static final IssuedIdentity EC = AUTHORITY.server("ec", List.of());

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
        .hasMessage("client-key is encrypted; use a key without a passphrase");
    assertThatThrownBy(() -> PemReader.certificates("ca", block("CERTIFICATE", "c2Vj")))
        .hasMessage("ca holds a certificate that cannot be read");
  }

  private static String block(String label, String body) {
    return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
  }
}
