// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.home;

import io.fabric8.kubernetes.client.Config;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.ClusterConnection;
import io.krypton.multicluster.client.ConnectionWatchdog;
import io.krypton.multicluster.client.RequestObserver;
import io.krypton.multicluster.client.TokenSource;
import io.krypton.multicluster.client.TokenSource.FileTokenSource;
import io.krypton.multicluster.home.HomeClusterConnector.HomeListener;
import io.krypton.multicluster.kubeconfig.LocalKubeconfig;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Holds the one client in use and replaces it when its credentials changed. */
final class HomeClientHolder implements AutoCloseable {
  private final String name;
  private final ClientFactory clients;
  private final ClientSettings settings;
  private final HomeListener listener;
  private final Duration heartbeat;
  private @Nullable ClusterConnection current;
  private @Nullable ConnectionWatchdog watchdog;
  private byte @Nullable [] inUse;
  private byte @Nullable [] lastEvaluated;
  private boolean closed;

  HomeClientHolder(
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
   * again are not parsed again: whether a key matches its certificate is checked by a signature,
   * which every poll would have to pay for.
   */
  synchronized void adopt(HomeSource.Local source, LocalKubeconfig kubeconfig) {
    var yaml = kubeconfig.toYaml();
    if (Arrays.equals(yaml, lastEvaluated)) {
      return;
    }
    evaluate(source, kubeconfig);
    lastEvaluated = yaml;
  }

  private void evaluate(HomeSource.Local source, LocalKubeconfig kubeconfig) {
    switch (kubeconfig.content()) {
      case ParsedKubeconfig.Accepted accepted -> {
        var file = kubeconfig.tokenFile();
        var token =
            file.<TokenSource>map(FileTokenSource::new).orElseGet(() -> TokenSource.of(accepted));
        var identity = file.isPresent() ? accepted.withToken("").toYaml() : accepted.toYaml();
        replace(identity, kubeconfig, wanted -> connect(accepted, token, wanted));
      }
      case ParsedKubeconfig.Refused refused -> {
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
  void adopt(ParsedKubeconfig.Accepted accepted) {
    replace(
        accepted.toYaml(),
        LocalKubeconfig.of(accepted),
        wanted -> connect(accepted, TokenSource.of(accepted), wanted));
  }

  private ClusterConnection connect(
      ParsedKubeconfig.Accepted accepted, TokenSource token, ClientSettings wanted) {
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
    watchdog = ConnectionWatchdog.of(next, heartbeat);
    inUse = identity;
  }

  private void closeCurrent() {
    if (watchdog != null) {
      watchdog.close();
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
