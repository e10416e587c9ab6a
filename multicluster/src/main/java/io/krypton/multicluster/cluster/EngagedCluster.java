package io.krypton.multicluster.cluster;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cluster with a live client. Whatever is started on it is given to {@link #own}; it ends with
 * the cluster, last started first, and the client after all of it.
 */
public final class EngagedCluster {
  private static final Logger LOG = LoggerFactory.getLogger(EngagedCluster.class);

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
      Runnable progress) {
    this.name = name;
    this.secret = secret;
    this.kubeconfig = kubeconfig;
    this.client = client;
    this.serverVersion = serverVersion;
    this.retry = progress;
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
   * The access as it is now, for child processes that need a kubeconfig of their own. It is asked
   * for at each start: tokens are renewed while the cluster stays engaged.
   */
  public ParsedKubeconfig.Accepted kubeconfig() {
    return kubeconfig.get();
  }

  public String serverVersion() {
    return serverVersion;
  }

  /**
   * What a step of this type has started on this cluster, started now if it was not before. A step
   * that could not be completed is tried again on the same cluster, and goes on from here.
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

  /** A step that had to wait may be completed now: it is tried again at once. */
  public void retryEngagement() {
    retry.run();
  }

  /** Ties something to this cluster; on a cluster that is already gone it is closed at once. */
  public void own(AutoCloseable resource) {
    synchronized (owned) {
      if (!released) {
        owned.push(resource);
        return;
      }
    }
    closeQuietly(resource);
  }

  /** Ends what was started on this cluster; the client is closed by whoever built it. */
  void release() {
    Deque<AutoCloseable> ending;
    synchronized (owned) {
      released = true;
      ending = new ArrayDeque<>(owned);
      owned.clear();
    }
    ending.forEach(this::closeQuietly);
  }

  /** One resource that fails to close must not keep the others, and the client, open. */
  private void closeQuietly(AutoCloseable resource) {
    try {
      resource.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      LOG.atError()
          .setCause(e)
          .addKeyValue("cluster", name)
          .addKeyValue("resource", resource.getClass().getName())
          .log("a resource of a cluster failed to close");
    }
  }

  @Override
  public String toString() {
    return "Cluster[" + name + "]";
  }
}
