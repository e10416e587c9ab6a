// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientImpl;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * Makes the client library work on our transport and hand it back: the library itself only drops
 * its reference on close, and the selector thread would live on until a garbage collection.
 */
final class TransportFactory extends JdkHttpClientFactory {
  private final Executor executor;
  private final Function<Supplier<HttpClient>, ClusterTransport> wrap;
  private final boolean isOwner;
  private @Nullable ClusterTransport transport;

  TransportFactory(Executor executor, Function<Supplier<HttpClient>, ClusterTransport> wrap) {
    this(executor, wrap, true);
  }

  private TransportFactory(
      Executor executor, Function<Supplier<HttpClient>, ClusterTransport> wrap, boolean isOwner) {
    this.executor = executor;
    this.wrap = wrap;
    this.isOwner = isOwner;
  }

  /** For one more client on a transport that another one owns. */
  static TransportFactory sharing(Executor executor, ClusterTransport shared) {
    return new TransportFactory(executor, _ -> shared, false);
  }

  /** The transport of the client that was built with this factory. */
  ClusterTransport transport() {
    if (transport == null) {
      throw new IllegalStateException("client not built yet");
    }
    return transport;
  }

  @Override
  protected HttpClient.Builder createNewHttpClientBuilder() {
    return new TransportBuilder(HttpClient.newBuilder().executor(executor), this::createTransport);
  }

  private HttpClient createTransport(HttpClient.Builder configured) {
    transport = wrap.apply(configured::build);
    return transport;
  }

  @Override
  protected void closeHttpClient(JdkHttpClientImpl closing) {
    if (isOwner && transport != null) {
      transport.shutdownNow();
    }
  }

  /**
   * Collects settings as the JDK's builder does, and lets its owner decide what is built from them.
   */
  static final class TransportBuilder implements HttpClient.Builder {
    private final HttpClient.Builder settings;
    private final Function<HttpClient.Builder, HttpClient> build;
    private String @Nullable [] suites;

    TransportBuilder(HttpClient.Builder settings, Function<HttpClient.Builder, HttpClient> build) {
      this.settings = settings;
      this.build = build;
    }

    @Override
    public HttpClient build() {
      return build.apply(settings);
    }

    @Override
    public HttpClient.Builder cookieHandler(CookieHandler cookieHandler) {
      settings.cookieHandler(cookieHandler);
      return this;
    }

    @Override
    public HttpClient.Builder connectTimeout(Duration duration) {
      settings.connectTimeout(duration);
      return this;
    }

    @Override
    public HttpClient.Builder sslContext(SSLContext sslContext) {
      settings.sslContext(sslContext);
      suites = ClusterTls.preferChaCha20(sslContext.getDefaultSSLParameters().getCipherSuites());
      return sslParameters(sslContext.getDefaultSSLParameters());
    }

    @Override
    public HttpClient.Builder sslParameters(SSLParameters sslParameters) {
      if (suites != null) {
        sslParameters.setCipherSuites(suites);
      }
      settings.sslParameters(sslParameters);
      return this;
    }

    @Override
    public HttpClient.Builder executor(Executor executor) {
      settings.executor(executor);
      return this;
    }

    @Override
    public HttpClient.Builder followRedirects(HttpClient.Redirect policy) {
      // The library asks for ALWAYS. An API server has no reason to send us, and our token,
      // elsewhere.
      settings.followRedirects(HttpClient.Redirect.NEVER);
      return this;
    }

    @Override
    public HttpClient.Builder version(HttpClient.Version version) {
      settings.version(version);
      return this;
    }

    @Override
    public HttpClient.Builder priority(int priority) {
      settings.priority(priority);
      return this;
    }

    @Override
    public HttpClient.Builder proxy(ProxySelector proxySelector) {
      settings.proxy(proxySelector);
      return this;
    }

    @Override
    public HttpClient.Builder authenticator(Authenticator authenticator) {
      settings.authenticator(authenticator);
      return this;
    }
  }
}
