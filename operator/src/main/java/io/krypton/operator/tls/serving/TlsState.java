// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.serving;

import io.krypton.operator.tls.profile.TlsProfile;
import io.krypton.operator.tls.profile.TlsProfileCompiler.CompileResult.Compiled;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;

/**
 * Certificate and profile that belong together, ready for connections. Each has a context of its
 * own, so that sessions of an earlier one cannot be resumed.
 *
 * @param source of the profile: file, flags, none or fallback
 * @param narrowed what the profile allows and cannot be served
 */
public record TlsState(
    SSLContext context,
    SSLParameters parameters,
    String profileHash,
    String source,
    List<String> narrowed,
    Instant certificateNotAfter,
    Instant since) {
  private static final char[] NO_PASSWORD = new char[0];

  static TlsState of(
      ServingIdentity identity, LoadedProfile profile, Compiled compiled, Instant now) {
    var parameters = new SSLParameters();
    parameters.setProtocols(compiled.protocols().toArray(String[]::new));
    parameters.setCipherSuites(compiled.suites().toArray(String[]::new));
    parameters.setNamedGroups(compiled.groups().toArray(String[]::new));
    parameters.setUseCipherSuitesOrder(true);
    return new TlsState(
        contextOf(identity),
        parameters,
        profile.profile().hash(),
        profile.source(),
        compiled.narrowed(),
        identity.notAfter(),
        now);
  }

  private static SSLContext contextOf(ServingIdentity identity) {
    try {
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, NO_PASSWORD);
      store.setKeyEntry(
          "serving", identity.key(), NO_PASSWORD, identity.chain().toArray(Certificate[]::new));
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, NO_PASSWORD);
      var context = SSLContext.getInstance("TLS");
      // No trust: clients show tokens, not certificates.
      context.init(keys.getKeyManagers(), new TrustManager[0], null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("no TLS for " + identity, e);
    }
  }

  /**
   * A profile and where it came from.
   *
   * @param digest of the bytes it was read from; empty if it was not read from a file
   */
  record LoadedProfile(TlsProfile profile, String source, String digest) {}
}
