// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.serving;

import io.krypton.base.crypto.Pem;
import io.krypton.base.crypto.PemException;
import io.krypton.base.crypto.PrivateKeys;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** TLS towards a server that others run, by certificates in PEM. */
public final class ClientTls {
  private static final char[] NO_PASSWORD = new char[0];

  private ClientTls() {}

  /**
   * A context that trusts these authorities, or those of the JDK, and shows this certificate, or
   * none.
   *
   * @throws IOException with a text for users
   */
  public static SSLContext context(
      @Nullable String authorities, @Nullable String certificate, @Nullable String key)
      throws IOException {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(
          certificate == null || key == null ? null : identity(certificate, key),
          authorities == null ? null : trust(authorities),
          null);
      return context;
    } catch (GeneralSecurityException refused) {
      throw new IOException("the JDK refuses these certificates: " + refused.getMessage(), refused);
    }
  }

  private static KeyManager[] identity(String certificate, String key)
      throws GeneralSecurityException, IOException {
    var chain = certificates("tls.crt", certificate);
    var owner = chain.getFirst().getPublicKey();
    var store = empty();
    store.setKeyEntry(
        "own", privateKey("tls.key", key, owner), NO_PASSWORD, chain.toArray(Certificate[]::new));
    var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, NO_PASSWORD);
    return factory.getKeyManagers();
  }

  private static TrustManager[] trust(String authorities)
      throws GeneralSecurityException, IOException {
    var store = empty();
    int number = 0;
    for (var authority : certificates("ca.crt", authorities)) {
      store.setCertificateEntry("authority-" + number++, authority);
    }
    var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }

  private static KeyStore empty() throws GeneralSecurityException, IOException {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    return store;
  }

  private static List<X509Certificate> certificates(String name, String pem) throws IOException {
    try {
      return Pem.certificates(pem);
    } catch (PemException unusable) {
      throw new IOException(unusable.messageFor(name), unusable);
    }
  }

  private static PrivateKey privateKey(String name, String pem, PublicKey owner)
      throws IOException {
    try {
      return PrivateKeys.read(pem, owner);
    } catch (PemException unusable) {
      throw new IOException(unusable.messageFor(name), unusable);
    }
  }
}
