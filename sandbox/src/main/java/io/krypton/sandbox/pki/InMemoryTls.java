// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.pki;

import io.krypton.sandbox.pki.CertificateAuthority.IssuedIdentity;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** TLS contexts made from certificates that live in memory only. */
public final class InMemoryTls {
  private static final char[] NO_PASSWORD = new char[0];

  private InMemoryTls() {}

  public static SSLContext client(X509Certificate authority, IssuedIdentity issuedIdentity) {
    return context(issuedIdentity, authority);
  }

  public static SSLContext server(IssuedIdentity issuedIdentity) {
    return context(issuedIdentity, null);
  }

  private static SSLContext context(
      IssuedIdentity issuedIdentity, @Nullable X509Certificate authority) {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(
          keyManagers(issuedIdentity),
          authority == null ? null : trust(authority).getTrustManagers(),
          null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("cannot set up TLS for " + issuedIdentity, e);
    }
  }

  private static KeyManager[] keyManagers(IssuedIdentity issuedIdentity)
      throws GeneralSecurityException, IOException {
    var store = emptyStore();
    store.setKeyEntry(
        "own", issuedIdentity.key(), NO_PASSWORD, new Certificate[] {issuedIdentity.certificate()});
    var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, NO_PASSWORD);
    return factory.getKeyManagers();
  }

  private static TrustManagerFactory trust(X509Certificate authority)
      throws GeneralSecurityException, IOException {
    var store = emptyStore();
    store.setCertificateEntry("authority", authority);
    var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory;
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    return store;
  }
}
