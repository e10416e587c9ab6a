// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.kube;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Locale;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Insists that the server's certificate is for one DNS name. The JDK alone is content with a
 * certificate for the address in the URL, so that any server on this machine would do.
 */
final class ServerNameTrustManager extends X509ExtendedTrustManager {
  private static final int DNS_NAME = 2;

  private final X509ExtendedTrustManager authority;
  private final String name;

  ServerNameTrustManager(X509ExtendedTrustManager authority, String name) {
    this.authority = authority;
    this.name = name.toLowerCase(Locale.ROOT);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    authority.checkServerTrusted(chain, type, engine);
    requireName(chain[0]);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    authority.checkServerTrusted(chain, type, socket);
    requireName(chain[0]);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    authority.checkServerTrusted(chain, type);
    requireName(chain[0]);
  }

  private void requireName(X509Certificate certificate) throws CertificateException {
    var names = certificate.getSubjectAlternativeNames();
    boolean found =
        names != null
            && names.stream()
                .filter(entry -> Integer.valueOf(DNS_NAME).equals(entry.getFirst()))
                .anyMatch(entry -> covers(String.valueOf(entry.getLast())));
    if (!found) {
      throw new CertificateException("No subject alternative DNS name matching " + name + " found");
    }
  }

  /** A star stands for exactly one whole label, the first. */
  private boolean covers(String pattern) {
    var wanted = pattern.toLowerCase(Locale.ROOT);
    if (!wanted.startsWith("*.")) {
      return wanted.equals(name);
    }
    int dot = name.indexOf('.');
    return dot > 0 && name.substring(dot).equals(wanted.substring(1));
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    authority.checkClientTrusted(chain, type, engine);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    authority.checkClientTrusted(chain, type, socket);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    authority.checkClientTrusted(chain, type);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return authority.getAcceptedIssuers();
  }
}
