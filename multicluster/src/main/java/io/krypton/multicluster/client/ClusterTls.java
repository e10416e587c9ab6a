// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import io.krypton.multicluster.kubeconfig.ApiEndpoint;
import io.krypton.multicluster.kubeconfig.ClusterCredentials.ClientIdentity;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trust and identity of one cluster. Built here, not by the client library: that one adds a
 * cluster's authority to those of the JVM, so any public authority could vouch for it, and reads
 * elliptic-curve keys only with further libraries.
 */
final class ClusterTls {
  private ClusterTls() {}

  static TrustManager[] trust(ApiEndpoint endpoint) {
    if (endpoint.skipsTlsVerification()) {
      return new TrustManager[] {new TrustAll()};
    }
    try {
      var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(endpoint.authorities().isEmpty() ? null : authorities(endpoint));
      return factory.getTrustManagers();
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("cannot build a trust store from accepted certificates", e);
    }
  }

  static KeyManager @Nullable [] identity(@Nullable ClientIdentity identity) {
    return identity == null ? null : new KeyManager[] {new FixedKeyManager(identity)};
  }

  /**
   * ChaCha20 before AES-GCM, nothing left out. Only the second compiler of the JVM uses the
   * processor's instructions for AES, and the operator runs without it: AES-GCM then takes three
   * times as long. API servers follow a client that asks for ChaCha20 first.
   */
  static String[] preferChaCha20(String[] suites) {
    return Stream.of(suites)
        .sorted(Comparator.comparing(suite -> !suite.contains("CHACHA20")))
        .toArray(String[]::new);
  }

  private static KeyStore authorities(ApiEndpoint endpoint)
      throws GeneralSecurityException, IOException {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    for (var authority : endpoint.authorities()) {
      store.setCertificateEntry("ca-" + store.size(), authority);
    }
    return store;
  }

  /** For kubeconfigs that say insecure-skip-tls-verify themselves. */
  private static final class TrustAll extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  /**
   * Shows its certificate to every server that asks. The JDK's own key manager keeps it back when
   * the server does not name its issuer; the API server would then take us for an anonymous user,
   * answer /version, and refuse everything else with 403 instead of a plain 401.
   */
  static final class FixedKeyManager extends X509ExtendedKeyManager {
    private static final String ALIAS = "client";

    private final ClientIdentity identity;

    FixedKeyManager(ClientIdentity identity) {
      this.identity = identity;
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
        String[] keyTypes, Principal @Nullable [] issuers, SSLEngine engine) {
      return Arrays.asList(keyTypes).contains(identity.key().getAlgorithm()) ? ALIAS : null;
    }

    @Override
    public @Nullable String chooseClientAlias(
        String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
      return Arrays.asList(keyTypes).contains(identity.key().getAlgorithm()) ? ALIAS : null;
    }

    @Override
    public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
      return new String[] {ALIAS};
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return identity.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return identity.key();
    }

    @Override
    public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
      return new String[0];
    }

    @Override
    public @Nullable String chooseServerAlias(
        String keyType, Principal @Nullable [] issuers, Socket socket) {
      return null;
    }
  }
}
