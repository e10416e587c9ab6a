package io.krypton.multicluster.cluster.client;

import io.krypton.multicluster.cluster.kubeconfig.ClientIdentity;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Shows its certificate to every server that asks. The JDK's own key manager keeps it back when the
 * server does not name its issuer; the API server would then take us for an anonymous user, answer
 * /version, and refuse everything else with a riddle instead of a plain 401.
 */
final class FixedIdentity extends X509ExtendedKeyManager {
  private static final String ALIAS = "client";

  private final ClientIdentity identity;

  FixedIdentity(ClientIdentity identity) {
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
