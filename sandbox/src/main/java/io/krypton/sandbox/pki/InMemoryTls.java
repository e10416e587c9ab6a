// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.pki;

import io.krypton.sandbox.pki.CertificateAuthority.IssuedIdentity;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** TLS contexts made from certificates that live in memory only. */
public final class InMemoryTls {
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
          new KeyManager[] {new OneKeyManager(issuedIdentity)},
          authority == null ? null : trust(authority).getTrustManagers(),
          null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("cannot set up TLS for " + issuedIdentity, e);
    }
  }

  private static TrustManagerFactory trust(X509Certificate authority)
      throws GeneralSecurityException, IOException {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry("authority", authority);
    var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory;
  }

  /**
   * Has one certificate, which a client shows to servers that take its issuer. A key store would
   * encrypt the key by a password and decrypt it again, which takes more processor time than
   * several handshakes.
   */
  private static final class OneKeyManager extends X509ExtendedKeyManager {
    private static final String ALIAS = "own";

    private final IssuedIdentity own;

    OneKeyManager(IssuedIdentity own) {
      this.own = own;
    }

    private @Nullable String aliasFor(String... keyTypes) {
      return Arrays.asList(keyTypes).contains(own.key().getAlgorithm()) ? ALIAS : null;
    }

    /** A server that names the issuers it takes refuses a certificate of anybody else. */
    private boolean isTaken(Principal @Nullable [] issuers) {
      return issuers == null
          || issuers.length == 0
          || Arrays.asList(issuers).contains(own.certificate().getIssuerX500Principal());
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
        String[] keyTypes, Principal @Nullable [] issuers, SSLEngine engine) {
      return isTaken(issuers) ? aliasFor(keyTypes) : null;
    }

    @Override
    public @Nullable String chooseClientAlias(
        String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
      return isTaken(issuers) ? aliasFor(keyTypes) : null;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
        String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
      return aliasFor(keyType);
    }

    @Override
    public @Nullable String chooseServerAlias(
        String keyType, Principal @Nullable [] issuers, Socket socket) {
      return aliasFor(keyType);
    }

    @Override
    public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
      return new String[] {ALIAS};
    }

    @Override
    public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
      return new String[] {ALIAS};
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return new X509Certificate[] {own.certificate()};
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return own.key();
    }
  }
}
