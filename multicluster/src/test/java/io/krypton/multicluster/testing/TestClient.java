// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.testing;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientImpl;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Clients with the settings that the caches, the election and the writers are made for. */
public final class TestClient {
  private TestClient() {}

  public static KubernetesClient of(String kubeconfig, Interceptor... interceptors) {
    var config = Config.fromKubeconfig(kubeconfig);
    config.setConnectionTimeout(2000);
    config.setRequestTimeout(5000);
    config.setRequestRetryBackoffLimit(0);
    config.setWatchReconnectInterval(150);
    var threads = Executors.newVirtualThreadPerTaskExecutor();
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withTaskExecutor(threads)
        .withHttpClientFactory(new Transport(threads))
        .withHttpClientBuilderConsumer(
            builder -> {
              for (var interceptor : interceptors) {
                builder.addOrReplaceInterceptor(interceptor.getClass().getName(), interceptor);
              }
            })
        .build();
  }

  /** Ends the JDK client's threads when it is closed, instead of some time later. */
  private static final class Transport extends JdkHttpClientFactory {
    private final ExecutorService threads;
    private final List<HttpClient> built = new ArrayList<>();

    Transport(ExecutorService threads) {
      this.threads = threads;
    }

    @Override
    protected HttpClient.Builder createNewHttpClientBuilder() {
      var real = HttpClient.newBuilder().executor(threads);
      return (HttpClient.Builder)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {HttpClient.Builder.class},
              (proxy, method, arguments) -> {
                try {
                  var result = method.invoke(real, arguments);
                  if (result instanceof HttpClient client) {
                    built.add(client);
                  }
                  return result instanceof HttpClient.Builder ? proxy : result;
                } catch (InvocationTargetException thrown) {
                  throw thrown.getCause();
                }
              });
    }

    @Override
    protected void closeHttpClient(JdkHttpClientImpl closed) {
      super.closeHttpClient(closed);
      built.forEach(HttpClient::shutdownNow);
    }
  }
}
