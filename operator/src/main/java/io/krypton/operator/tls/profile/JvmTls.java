// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.profile;

import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/**
 * What a JVM can do, as its security properties leave it.
 *
 * @param suites the supported ones: those that are disabled are not listed, although an engine
 *     would take their names without a word
 * @param protocols the default ones: the supported ones also list those that are disabled
 */
public record JvmTls(Set<String> suites, Set<String> protocols, Set<String> groups) {
  public JvmTls {
    suites = Set.copyOf(suites);
    protocols = Set.copyOf(protocols);
    groups = Set.copyOf(groups);
  }

  /** The JVM we run on. */
  public static JvmTls current() {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[0], null);
      var defaults = context.getDefaultSSLParameters();
      return new JvmTls(
          Set.copyOf(List.of(context.getSupportedSSLParameters().getCipherSuites())),
          Set.copyOf(List.of(defaults.getProtocols())),
          Set.copyOf(List.of(defaults.getNamedGroups())));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM has no TLS", e);
    }
  }
}
