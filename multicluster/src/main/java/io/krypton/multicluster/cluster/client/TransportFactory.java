package io.krypton.multicluster.cluster.client;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientImpl;
import java.net.http.HttpClient;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
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
      throw new IllegalStateException("no client was built yet");
    }
    return transport;
  }

  @Override
  protected HttpClient.Builder createNewHttpClientBuilder() {
    return new TransportBuilder(HttpClient.newBuilder().executor(executor), this::remember);
  }

  private HttpClient remember(HttpClient.Builder configured) {
    transport = wrap.apply(configured::build);
    return transport;
  }

  @Override
  protected void closeHttpClient(JdkHttpClientImpl closing) {
    if (isOwner && transport != null) {
      transport.shutdownNow();
    }
  }
}
