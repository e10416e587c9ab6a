// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.home;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.kubeconfig.LocalKubeconfig;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.multicluster.provider.ClusterProvider.SecretInformer;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a client for home up to date with its source. Missing or broken credentials are retried:
 * the client in use stays until there is a better one.
 */
public final class HomeClusterConnector implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HomeClusterConnector.class);

  /** The name of home in request metrics. */
  public static final String NAME = "home";

  /** The name of the cluster that holds the Secret with the credentials of home. */
  public static final String HOST = "host";

  private final HomeSource source;
  private final HomeClientHolder home;
  private final HomeClientHolder host;
  private final Duration poll;
  private volatile HomeStatus status = new HomeStatus.Waiting("not read yet");
  private @Nullable Thread poller;
  private @Nullable SecretInformer secretInformer;

  public HomeClusterConnector(
      HomeSource source, ClientFactory clients, ClientSettings settings, HomeListener listener) {
    this(source, clients, settings, listener, Duration.ofSeconds(5), Duration.ofSeconds(10));
  }

  /**
   * The same with other intervals.
   *
   * @param poll how often sources on this machine are read again
   * @param heartbeat how often a silent connection is tested
   */
  public HomeClusterConnector(
      HomeSource source,
      ClientFactory clients,
      ClientSettings settings,
      HomeListener listener,
      Duration poll,
      Duration heartbeat) {
    this.source = source;
    this.poll = poll;
    var unfenced = clients.forHome();
    this.home = new HomeClientHolder(NAME, unfenced, settings, listener, heartbeat);
    this.host =
        new HomeClientHolder(
            HOST, unfenced, settings, found -> watchSecret(found.client()), heartbeat);
  }

  /** Starts in the background. */
  public void start() {
    poller =
        Thread.ofVirtual()
            .name("home-cluster")
            .start(
                switch (source) {
                  case HomeSource.Local local -> () -> pollFor(local, home);
                  case HomeSource.HostSecret secret -> () -> pollFor(secret.host(), host);
                });
  }

  public HomeStatus status() {
    return status;
  }

  private void pollFor(HomeSource.Local local, HomeClientHolder found) {
    try {
      while (true) {
        switch (local.load()) {
          case LocalKubeconfig.Loaded.Unusable(var why) -> waiting(why);
          case LocalKubeconfig.Loaded.Found(var kubeconfig) ->
              adopt(() -> found.adopt(local, kubeconfig), found);
        }
        Thread.sleep(poll);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void adopt(Runnable adoption, HomeClientHolder found) {
    try {
      adoption.run();
      if (found == home) {
        status = new HomeStatus.Available();
      }
    } catch (RuntimeException e) {
      // A failing credential plugin or a bug in a listener: retried with the next poll.
      waiting("a client cannot be built (" + e.getClass().getSimpleName() + ")");
    }
  }

  private synchronized void watchSecret(KubernetesClient hostClient) {
    if (!(source instanceof HomeSource.HostSecret wanted)) {
      return;
    }
    if (secretInformer != null) {
      secretInformer.close();
    }
    secretInformer =
        new SecretInformer(
            hostClient
                .secrets()
                .inNamespace(wanted.secret().namespace())
                .withName(wanted.secret().name())
                .runnableInformer(0),
            secret -> adopt(wanted, secret),
            secret -> waiting("Secret " + wanted.secret() + " was deleted on the host cluster"),
            found -> awaitSecret(wanted, found));
  }

  private void awaitSecret(HomeSource.HostSecret wanted, List<Secret> found) {
    if (found.isEmpty()) {
      waiting("Secret " + wanted.secret() + " does not exist yet on the host cluster");
    }
  }

  private void adopt(HomeSource.HostSecret wanted, Secret secret) {
    var data = secret.getData() == null ? null : secret.getData().get(wanted.key());
    if (data == null) {
      waiting("Secret " + wanted.secret() + " has no key " + wanted.key());
      return;
    }
    switch (ParsedKubeconfig.parse(Base64.getDecoder().decode(data), wanted.context())) {
      case ParsedKubeconfig.Refused(var reason) ->
          waiting("Secret " + wanted.secret() + ": " + reason);
      case ParsedKubeconfig.Accepted accepted -> adopt(() -> home.adopt(accepted), home);
    }
  }

  private void waiting(String why) {
    var now = new HomeStatus.Waiting(why);
    if (!now.equals(status)) {
      log.atWarn().addKeyValue("reason", why).log("waiting for home credentials");
    }
    status = now;
  }

  @Override
  public void close() {
    if (poller != null) {
      poller.interrupt();
    }
    synchronized (this) {
      if (secretInformer != null) {
        secretInformer.close();
      }
    }
    home.close();
    host.close();
  }

  /** Called with each new connection to home, by one thread at a time. */
  @FunctionalInterface
  public interface HomeListener {
    /** Use this one from now on; the one before is closed when this returns. */
    void available(HomeConnection home);
  }

  /** Whether the credentials for home are known. */
  public sealed interface HomeStatus {
    record Available() implements HomeStatus {}

    /** Not yet, or not any more in a usable form; what was known before stays in use. */
    record Waiting(String why) implements HomeStatus {}
  }
}
