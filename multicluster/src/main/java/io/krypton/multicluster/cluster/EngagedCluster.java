// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cluster with a live client. Whatever is started on it is passed to {@link #own} and closed with
 * the cluster, in reverse order and before the client.
 */
public final class EngagedCluster {
  private static final Logger log = LoggerFactory.getLogger(EngagedCluster.class);

  private final ClusterName name;
  private final SecretRef secret;
  private final Supplier<ParsedKubeconfig.Accepted> kubeconfig;
  private final KubernetesClient client;
  private final String serverVersion;
  private final Runnable retry;
  private final Deque<AutoCloseable> owned = new ArrayDeque<>();
  private boolean released;

  EngagedCluster(
      ClusterName name,
      SecretRef secret,
      Supplier<ParsedKubeconfig.Accepted> kubeconfig,
      KubernetesClient client,
      String serverVersion,
      Runnable retry) {
    this.name = name;
    this.secret = secret;
    this.kubeconfig = kubeconfig;
    this.client = client;
    this.serverVersion = serverVersion;
    this.retry = retry;
  }

  public ClusterName name() {
    return name;
  }

  public SecretRef secret() {
    return secret;
  }

  public KubernetesClient client() {
    return client;
  }

  /**
   * The current credentials, for child processes that need a kubeconfig. Read it at each start:
   * tokens are renewed while the cluster stays engaged.
   */
  public ParsedKubeconfig.Accepted kubeconfig() {
    return kubeconfig.get();
  }

  public String serverVersion() {
    return serverVersion;
  }

  /**
   * The resource of this type that a step started on this cluster before, else a new one. So a
   * retried step continues with what it has started.
   */
  public <T extends AutoCloseable> T owned(Class<T> type, Supplier<T> start) {
    synchronized (owned) {
      for (var resource : owned) {
        if (type.isInstance(resource)) {
          return type.cast(resource);
        }
      }
    }
    var started = start.get();
    own(started);
    return started;
  }

  /** Retries a step that was not ready, without waiting for its back-off. */
  public void retryEngagement() {
    retry.run();
  }

  /** Closes the resource with this cluster; at once if the cluster is already disengaged. */
  public void own(AutoCloseable resource) {
    synchronized (owned) {
      if (!released) {
        owned.push(resource);
        return;
      }
    }
    closeQuietly(resource);
  }

  /** Closes what was started on this cluster; the client is closed by its owner. */
  void release() {
    Deque<AutoCloseable> ending;
    synchronized (owned) {
      released = true;
      ending = new ArrayDeque<>(owned);
      owned.clear();
    }
    ending.forEach(this::closeQuietly);
  }

  /** A resource that fails to close must not keep the others open. */
  private void closeQuietly(AutoCloseable resource) {
    try {
      resource.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      log.atError()
          .setCause(e)
          .addKeyValue("cluster", name)
          .addKeyValue("resource", resource.getClass().getName())
          .log("failed to close a resource of a cluster");
    }
  }

  @Override
  public String toString() {
    return "EngagedCluster[" + name + "]";
  }
}
