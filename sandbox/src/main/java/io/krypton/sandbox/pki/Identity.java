package io.krypton.sandbox.pki;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;

/** A certificate and its private key; the key never appears in {@link #toString()}. */
public record Identity(X509Certificate certificate, PrivateKey key) {

  public String certificatePem() {
    return Pem.of(certificate);
  }

  public String keyPem() {
    return Pem.of(key);
  }

  @Override
  public String toString() {
    return "Identity[" + certificate.getSubjectX500Principal().getName() + "]";
  }
}
