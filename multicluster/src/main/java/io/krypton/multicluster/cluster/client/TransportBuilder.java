package io.krypton.multicluster.cluster.client;

import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * Collects settings as the JDK's builder does, and lets its owner decide what is built from them.
 */
final class TransportBuilder implements HttpClient.Builder {
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
    suites = Tls.cheapestFirst(sslContext.getDefaultSSLParameters().getCipherSuites());
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
