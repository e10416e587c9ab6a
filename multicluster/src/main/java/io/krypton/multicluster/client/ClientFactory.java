// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.TokenRefreshInterceptor;
import io.krypton.multicluster.client.RequestRateLimiter.TokenBucket;
import io.krypton.multicluster.kubeconfig.ApiEndpoint;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The only builder of Kubernetes clients. All of them share one serializer and virtual threads. */
public final class ClientFactory implements AutoCloseable {
  private final RequestObserver observer;
  private final Predicate<String> mayWrite;
  private final ExecutorService executor;
  private final KubernetesSerialization serialization;

  public ClientFactory(RequestObserver observer) {
    this(observer, cluster -> true);
  }

  /**
   * A factory whose clients stop writing when they may not.
   *
   * @param mayWrite called with the name of the cluster before each write
   */
  public ClientFactory(RequestObserver observer, Predicate<String> mayWrite) {
    this(
        observer,
        mayWrite,
        Executors.newVirtualThreadPerTaskExecutor(),
        new KubernetesSerialization());
  }

  private ClientFactory(
      RequestObserver observer,
      Predicate<String> mayWrite,
      ExecutorService executor,
      KubernetesSerialization serialization) {
    this.observer = observer;
    this.mayWrite = mayWrite;
    this.executor = executor;
    this.serialization = serialization;
  }

  /** The same without the write fence, for home: also a non-leader writes there, e.g. the Lease. */
  public ClientFactory forHome() {
    return new ClientFactory(observer, home -> true, executor, serialization);
  }

  /** A client with the credentials of the kubeconfig only; the environment is ignored. */
  public ClusterConnection connect(
      String cluster, ParsedKubeconfig.Accepted kubeconfig, ClientSettings settings) {
    return connect(
        cluster, kubeconfig, TokenSource.of(kubeconfig), settings, RequestObserver.none());
  }

  /** The same with a renewable token and an additional observer. */
  public ClusterConnection connect(
      String cluster,
      ParsedKubeconfig.Accepted kubeconfig,
      TokenSource token,
      ClientSettings settings,
      RequestObserver additional) {
    var transports = transports(cluster, settings, observer.and(additional));
    var tunnel = tunnel(kubeconfig.endpoint(), settings);
    var config = config(kubeconfig, settings, tunnel);
    Consumer<HttpClient.Builder> security =
        http -> {
          http.sslContext(
              ClusterTls.identity(kubeconfig.credentials().identity()),
              ClusterTls.trust(kubeconfig.endpoint()));
          // In place of the library's own, which on 401 looks for other credentials around it.
          http.addOrReplaceInterceptor(TokenRefreshInterceptor.NAME, bearer(token));
          http.addOrReplaceInterceptor("fence", new WriteFence(() -> mayWrite.test(cluster)));
        };
    var client = build(config, transports, security);
    var transport = transports.transport();
    return new ClusterConnection(
        client,
        transport,
        new ApiProbe(
            transport,
            kubeconfig.endpoint().server(),
            request -> authenticate(request, kubeconfig, token),
            failure -> hinted(failure, kubeconfig)),
        fencing(config, transport, security),
        tunnel);
  }

  /**
   * A client from a trusted local kubeconfig. The client library reads it, and runs its credential
   * plugin.
   */
  public ClusterConnection connectTrusted(String cluster, Config trusted, ClientSettings settings) {
    var config = behaviour(new ConfigBuilder(trusted), settings).build();
    var transports = transports(cluster, settings, observer);
    var client = build(config, transports, http -> {});
    // Only the library knows these credentials; a probe without them is answered all the same.
    var probe =
        new ApiProbe(
            transports.transport(),
            URI.create(config.getMasterUrl()),
            request -> {},
            UnaryOperator.identity());
    return new ClusterConnection(
        client,
        transports.transport(),
        probe,
        fencing(config, transports.transport(), http -> {}),
        null);
  }

  /** Builds further clients on the same connections behind a write fence. */
  private Function<BooleanSupplier, KubernetesClient> fencing(
      Config config, ClusterTransport transport, Consumer<HttpClient.Builder> security) {
    return allowed ->
        build(
            config,
            TransportFactory.sharing(executor, transport),
            http -> {
              security.accept(http);
              http.addOrReplaceInterceptor("lease", new WriteFence(allowed));
            });
  }

  private static void authenticate(
      java.net.http.HttpRequest.Builder request,
      ParsedKubeconfig.Accepted kubeconfig,
      TokenSource token) {
    var bearer = token.current();
    if (bearer != null) {
      request.header("Authorization", "Bearer " + bearer);
    }
    kubeconfig
        .credentials()
        .impersonationHeaders()
        .forEach((name, values) -> values.forEach(value -> request.header(name, value)));
  }

  /** The transport sends the host of the URL; a certificate for another name then cannot match. */
  private static ClusterFailure hinted(
      ClusterFailure failure, ParsedKubeconfig.Accepted kubeconfig) {
    return failure.kind() == ClusterFailure.Kind.TLS
            && kubeconfig.endpoint().tlsServerName() != null
        ? new ClusterFailure(
            ClusterFailure.Kind.TLS,
            "tls-server-name is not supported; put a name into server that the certificate holds ("
                + failure.message()
                + ")")
        : failure;
  }

  private TransportFactory transports(
      String cluster, ClientSettings settings, RequestObserver observer) {
    return new TransportFactory(
        executor,
        blueprint ->
            new ClusterTransport(
                cluster,
                blueprint,
                new RequestRateLimiter(limit(settings), limit(settings)),
                observer,
                executor));
  }

  private static TokenBucket limit(ClientSettings settings) {
    return new TokenBucket(settings.requestsPerSecond(), settings.burst(), System::nanoTime);
  }

  private KubernetesClient build(
      Config config, TransportFactory transports, Consumer<HttpClient.Builder> security) {
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withHttpClientFactory(transports)
        .withHttpClientBuilderConsumer(security)
        .withTaskExecutor(executor)
        .withKubernetesSerialization(serialization)
        .build();
  }

  private static Config config(
      ParsedKubeconfig.Accepted kubeconfig, ClientSettings settings, @Nullable ProxyTunnel tunnel) {
    var endpoint = kubeconfig.endpoint();
    var credentials = kubeconfig.credentials();
    var config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl(endpoint.server().toString())
            .withImpersonateUsername(credentials.impersonate())
            .withImpersonateGroups(credentials.impersonateGroups().toArray(String[]::new));
    return behaviour(proxied(config, endpoint, tunnel), settings).build();
  }

  private @Nullable ProxyTunnel tunnel(ApiEndpoint endpoint, ClientSettings settings) {
    var proxy = endpoint.proxy();
    return proxy == null || !ProxyTunnel.isNeededFor(proxy)
        ? null
        : ProxyTunnel.open(endpoint, proxy, settings.connectTimeout(), executor);
  }

  private static ConfigBuilder proxied(
      ConfigBuilder config, ApiEndpoint endpoint, @Nullable ProxyTunnel tunnel) {
    var proxy = tunnel == null ? endpoint.proxy() : tunnel.address();
    return proxy == null
        ? config
        : config.withHttpsProxy(proxy.toString()).withHttpProxy(proxy.toString());
  }

  private static ConfigBuilder behaviour(ConfigBuilder config, ClientSettings settings) {
    return config
        .withConnectionTimeout((int) settings.connectTimeout().toMillis())
        .withRequestTimeout((int) settings.requestTimeout().toMillis())
        .withRequestRetryBackoffLimit(settings.retries())
        .withWatchReconnectInterval((int) settings.watchRetry().toMillis())
        .withWatchReconnectLimit(-1)
        // All watches share one HTTP/2 connection, and die and recover together with the probe's.
        .withOnlyHttpWatches(true)
        .withUserAgent(settings.userAgent());
  }

  private static Interceptor bearer(TokenSource token) {
    return new Interceptor() {
      @Override
      public void before(BasicBuilder request, HttpRequest unsent, RequestTags tags) {
        var bearer = token.current();
        if (bearer != null) {
          request.setHeader("Authorization", "Bearer " + bearer);
        }
      }
    };
  }

  /** Ends the shared threads; connections are closed by their owners before. */
  @Override
  public void close() {
    executor.shutdownNow();
  }
}
