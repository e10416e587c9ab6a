package io.krypton.multicluster.cluster.kubeconfig;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/** A client certificate, its chain and the key that belongs to it. */
public record ClientIdentity(List<X509Certificate> chain, PrivateKey key) {

  public ClientIdentity {
    chain = List.copyOf(chain);
    if (chain.isEmpty()) {
      throw new IllegalArgumentException("a client identity needs a certificate");
    }
  }

  public X509Certificate certificate() {
    return chain.getFirst();
  }

  @Override
  public String toString() {
    return "ClientIdentity[redacted]";
  }
}
