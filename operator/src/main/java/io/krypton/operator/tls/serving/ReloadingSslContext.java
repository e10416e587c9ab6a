// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.serving;

import java.security.KeyManagementException;
import java.security.SecureRandom;
import java.security.Security;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * A context for servers that asks for the state of the moment whenever a connection begins. A
 * server keeps its context for ever, but makes a new engine of it for each connection.
 */
final class ReloadingSslContext extends SSLContext {
  ReloadingSslContext(Supplier<TlsState> state) {
    super(new Spi(state), Security.getProvider("SunJSSE"), "TLS");
  }

  private static final class Spi extends SSLContextSpi {
    private final Supplier<TlsState> state;

    Spi(Supplier<TlsState> state) {
      this.state = state;
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
      var now = state.get();
      return asServer(now.context().createSSLEngine(), now);
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
      var now = state.get();
      return asServer(now.context().createSSLEngine(host, port), now);
    }

    /** One state for both, so that certificate and profile of a connection belong together. */
    private static SSLEngine asServer(SSLEngine engine, TlsState now) {
      engine.setUseClientMode(false);
      engine.setSSLParameters(now.parameters());
      return engine;
    }

    @Override
    protected void engineInit(
        KeyManager @Nullable [] keys,
        TrustManager @Nullable [] trust,
        @Nullable SecureRandom random)
        throws KeyManagementException {
      throw new KeyManagementException("this context takes its keys from elsewhere");
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
      return state.get().context().getSocketFactory();
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
      return state.get().context().getServerSocketFactory();
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
      return state.get().context().getServerSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
      return state.get().context().getClientSessionContext();
    }

    @Override
    protected SSLParameters engineGetDefaultSSLParameters() {
      return state.get().parameters();
    }

    @Override
    protected SSLParameters engineGetSupportedSSLParameters() {
      return state.get().context().getSupportedSSLParameters();
    }
  }
}
