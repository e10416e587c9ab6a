// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.multicluster.client.ApiReader;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.ClusterConnection;
import io.krypton.multicluster.client.RequestObserver;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One command's access to one cluster. The client library is only started for what needs it:
 * watches, changes, plans, and credentials that only it can get.
 */
public final class Session implements AutoCloseable {
  private final Supplier<Config> config;
  private final ClientSettings settings;
  private final String context;
  private final String namespace;
  private final @Nullable ApiReader direct;
  private @Nullable ClientFactory clients;
  private @Nullable ClusterConnection connection;

  /**
   * Access by a context.
   *
   * @param direct null where only the client library gets through
   */
  Session(
      Supplier<Config> config,
      ClientSettings settings,
      String context,
      String namespace,
      @Nullable ApiReader direct) {
    this.config = config;
    this.settings = settings;
    this.context = context;
    this.namespace = namespace;
    this.direct = direct;
  }

  /** For looking only. */
  public ApiReader api() {
    return direct == null ? connection().reader() : direct;
  }

  public KubernetesClient client() {
    return connection().client();
  }

  /** For further clusters that this one knows the way to. */
  public synchronized ClientFactory clients() {
    if (clients == null) {
      clients = new ClientFactory(RequestObserver.none());
    }
    return clients;
  }

  private synchronized ClusterConnection connection() {
    if (connection == null) {
      connection = clients().connectTrusted(context, config.get(), settings);
    }
    return connection;
  }

  public String context() {
    return context;
  }

  /** The one asked for, or that of the context. */
  public String namespace() {
    return namespace;
  }

  public String server() {
    return api().server();
  }

  @Override
  public synchronized void close() {
    if (connection != null) {
      connection.close();
    }
    if (clients != null) {
      clients.close();
    }
    if (direct != null) {
      direct.close();
    }
  }
}
