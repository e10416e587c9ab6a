// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.kube;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trust and identity towards one API server.
 *
 * @param base the URL to call; its host is an IP literal when another TLS name is expected
 */
record ServerTls(URI base, SSLContext context, SSLParameters parameters) {
  private static final char[] NO_PASSWORD = new char[0];

  static ServerTls of(ApiClientConfig access) throws UnusableCredentialsException {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(identity(access), new TrustManager[] {trust(access)}, null);
      return withServerName(access, context);
    } catch (GeneralSecurityException | IOException e) {
      // Provider messages may quote key material.
      throw new UnusableCredentialsException(
          "TLS cannot be set up: " + e.getClass().getSimpleName());
    }
  }

  private static ServerTls withServerName(ApiClientConfig access, SSLContext context)
      throws UnusableCredentialsException {
    var parameters = new SSLParameters();
    var name = access.tlsServerName();
    if (name == null) {
      return new ServerTls(access.server(), context, parameters);
    }
    try {
      parameters.setServerNames(List.of(new SNIHostName(name)));
    } catch (IllegalArgumentException e) {
      throw new UnusableCredentialsException("tls-server-name is not a host name");
    }
    return new ServerTls(withIpLiteral(access.server()), context, parameters);
  }

  /**
   * The JDK's client replaces the server names by the URL's host, unless that is an IP literal;
   * then SNI carries the name we set.
   */
  private static URI withIpLiteral(URI server) throws UnusableCredentialsException {
    try {
      var addresses = InetAddress.getAllByName(server.getHost());
      var chosen =
          Arrays.stream(addresses)
              .filter(Inet4Address.class::isInstance)
              .findFirst()
              .orElse(addresses[0])
              .getHostAddress();
      var literal = chosen.contains(":") ? "[" + chosen + "]" : chosen;
      var port = server.getPort() == -1 ? 443 : server.getPort();
      return URI.create("https://" + literal + ":" + port + server.getRawPath());
    } catch (UnknownHostException e) {
      throw new UnusableCredentialsException("the host name of the server cannot be resolved");
    }
  }

  private static TrustManager trust(ApiClientConfig access)
      throws GeneralSecurityException, IOException, UnusableCredentialsException {
    if (access.skipTlsVerify()) {
      return new InsecureTrustManager();
    }
    var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trustStore(access));
    var name = access.tlsServerName();
    for (var manager : factory.getTrustManagers()) {
      if (manager instanceof X509ExtendedTrustManager trust) {
        return name == null ? trust : new ServerNameTrustManager(trust, name);
      }
    }
    throw new GeneralSecurityException("the JDK has no X.509 trust manager");
  }

  /** Null asks for the certificates that the Java runtime brings. */
  private static @Nullable KeyStore trustStore(ApiClientConfig access)
      throws GeneralSecurityException, IOException, UnusableCredentialsException {
    var certificates = access.trustedCertificates();
    if (certificates == null) {
      return null;
    }
    var store = emptyStore();
    int index = 0;
    for (var certificate : PemReader.certificates("certificate-authority", certificates)) {
      store.setCertificateEntry("ca-" + index++, certificate);
    }
    return store;
  }

  private static KeyManager @Nullable [] identity(ApiClientConfig access)
      throws GeneralSecurityException, IOException, UnusableCredentialsException {
    var client = access.clientCertificate();
    if (client == null) {
      return null;
    }
    var chain = PemReader.certificates("client-certificate", client.chain());
    var key =
        PemReader.privateKey("client-key", client.privateKey(), chain.getFirst().getPublicKey());
    var store = emptyStore();
    store.setKeyEntry("client", key, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
    var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, NO_PASSWORD);
    return factory.getKeyManagers();
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  /**
   * What {@code insecure-skip-tls-verify: true} asks for; the extended type also skips the name.
   */
  static final class InsecureTrustManager extends X509ExtendedTrustManager {
    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
