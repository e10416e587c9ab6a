// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.kube;

import io.krypton.base.crypto.Pem;
import io.krypton.base.crypto.PemException;
import io.krypton.base.crypto.PrivateKeys;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.List;

/** Reads the PEM of credentials; a message names the source and never quotes the text. */
final class PemReader {
  private PemReader() {}

  /** All certificates, at least one. */
  static List<X509Certificate> certificates(String source, String pem)
      throws UnusableCredentialsException {
    try {
      return Pem.certificates(pem);
    } catch (PemException unusable) {
      throw new UnusableCredentialsException(unusable.messageFor(source));
    }
  }

  /** The first private key, of the algorithm of its certificate's key. */
  static PrivateKey privateKey(String source, String pem, PublicKey owner)
      throws UnusableCredentialsException {
    try {
      return PrivateKeys.read(pem, owner);
    } catch (PemException unusable) {
      throw new UnusableCredentialsException(unusable.messageFor(source));
    }
  }
}
