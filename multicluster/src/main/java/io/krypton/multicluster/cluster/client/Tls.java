package io.krypton.multicluster.cluster.client;

import io.krypton.multicluster.cluster.kubeconfig.ApiEndpoint;
import io.krypton.multicluster.cluster.kubeconfig.ClientIdentity;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Comparator;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trust and identity of one cluster. Built here, not by the client library: that one adds a
 * cluster's authority to those of the JVM, so any public authority could vouch for it, and reads
 * elliptic-curve keys only with further libraries.
 */
final class Tls {
  private Tls() {}

  static TrustManager[] trust(ApiEndpoint endpoint) {
    if (endpoint.skipsTlsVerification()) {
      return new TrustManager[] {new Blind()};
    }
    try {
      var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(endpoint.authorities().isEmpty() ? null : authorities(endpoint));
      return factory.getTrustManagers();
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("checked certificates must make a trust store", e);
    }
  }

  static KeyManager @Nullable [] identity(@Nullable ClientIdentity identity) {
    return identity == null ? null : new KeyManager[] {new FixedIdentity(identity)};
  }

  /**
   * ChaCha20 before AES-GCM, nothing left out. Only the second compiler of the JVM uses the
   * processor's instructions for AES, and the operator runs without it: AES-GCM then takes three
   * times as long. API servers follow a client that asks for ChaCha20 first.
   */
  static String[] cheapestFirst(String[] suites) {
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
  private static final class Blind extends X509ExtendedTrustManager {
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
}
