package io.krypton.multicluster.cluster.home;

import io.fabric8.kubernetes.client.Config;
import io.krypton.multicluster.cluster.client.ClientFactory;
import io.krypton.multicluster.cluster.client.ClientSettings;
import io.krypton.multicluster.cluster.client.ClusterConnection;
import io.krypton.multicluster.cluster.client.FileToken;
import io.krypton.multicluster.cluster.client.Pulse;
import io.krypton.multicluster.cluster.client.RequestObserver;
import io.krypton.multicluster.cluster.client.TokenSource;
import io.krypton.multicluster.cluster.kubeconfig.Kubeconfig;
import io.krypton.multicluster.cluster.kubeconfig.LocalKubeconfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Holds the one client in use and replaces it when its credentials changed. */
final class HomeClients implements AutoCloseable {
  private final String name;
  private final ClientFactory clients;
  private final ClientSettings settings;
  private final HomeListener listener;
  private final Duration heartbeat;
  private @Nullable ClusterConnection current;
  private @Nullable Pulse pulse;
  private byte @Nullable [] inUse;
  private byte @Nullable [] judged;
  private boolean closed;

  HomeClients(
      String name,
      ClientFactory clients,
      ClientSettings settings,
      HomeListener listener,
      Duration heartbeat) {
    this.name = name;
    this.heartbeat = heartbeat;
    this.clients = clients;
    this.settings = settings;
    this.listener = listener;
  }

  /**
   * Credentials from this machine. A token file is followed by the client itself. The same bytes
   * again are not judged again: that a key belongs to its certificate is proved by a signature,
   * which every look would have to pay for.
   */
  synchronized void adopt(HomeSource.Local source, LocalKubeconfig kubeconfig) {
    var yaml = kubeconfig.toYaml();
    if (Arrays.equals(yaml, judged)) {
      return;
    }
    judge(source, kubeconfig);
    judged = yaml;
  }

  private void judge(HomeSource.Local source, LocalKubeconfig kubeconfig) {
    switch (kubeconfig.content()) {
      case Kubeconfig.Accepted accepted -> {
        var file = kubeconfig.tokenFile();
        var token = file.<TokenSource>map(FileToken::new).orElseGet(() -> TokenSource.of(accepted));
        var identity = file.isPresent() ? accepted.withToken("").toYaml() : accepted.toYaml();
        replace(identity, kubeconfig, wanted -> connect(accepted, token, wanted));
      }
      case Kubeconfig.Refused refused -> {
        if (!(source instanceof HomeSource.Files files)) {
          throw new IllegalStateException(refused.reason());
        }
        // The owner of a local file is trusted with what a Secret is not: programs, passwords.
        replace(
            kubeconfig.toYaml(), kubeconfig, wanted -> connectTrusted(files, kubeconfig, wanted));
      }
    }
  }

  /** Credentials from a Secret: only what the policy accepts. */
  void adopt(Kubeconfig.Accepted accepted) {
    replace(
        accepted.toYaml(),
        LocalKubeconfig.of(accepted),
        wanted -> connect(accepted, TokenSource.of(accepted), wanted));
  }

  private ClusterConnection connect(
      Kubeconfig.Accepted accepted, TokenSource token, ClientSettings wanted) {
    return clients.connect(name, accepted, token, wanted, RequestObserver.none());
  }

  private ClusterConnection connectTrusted(
      HomeSource.Files files, LocalKubeconfig merged, ClientSettings wanted) {
    var config =
        files.paths().size() == 1
            ? Config.fromKubeconfig(files.context(), files.paths().getFirst().toFile())
            : Config.fromKubeconfig(new String(merged.toYaml(), StandardCharsets.UTF_8));
    return clients.connectTrusted(name, config, wanted);
  }

  private synchronized void replace(
      byte[] identity,
      LocalKubeconfig credentials,
      Function<ClientSettings, ClusterConnection> connect) {
    if (closed || (inUse != null && Arrays.equals(inUse, identity))) {
      return;
    }
    var next = connect.apply(settings);
    try {
      listener.available(new HomeConnection(next.client(), credentials, connect, next::fenced));
    } catch (RuntimeException e) {
      next.close();
      throw e;
    }
    closeCurrent();
    current = next;
    pulse = Pulse.of(next, heartbeat);
    inUse = identity;
  }

  private void closeCurrent() {
    if (pulse != null) {
      pulse.close();
    }
    if (current != null) {
      current.close();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    closeCurrent();
  }
}
