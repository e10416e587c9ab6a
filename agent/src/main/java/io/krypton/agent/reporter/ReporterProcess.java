// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter;

import io.krypton.agent.http.PageServerLog;
import io.krypton.agent.kube.ApiConnection;
import io.krypton.agent.kube.CredentialSource;
import io.krypton.agent.kube.InClusterCredentials;
import io.krypton.agent.kube.KubeconfigCredentials;
import io.krypton.agent.kube.ReloadingCredentials;
import io.krypton.agent.reporter.config.ReporterSettings;
import io.krypton.agent.reporter.publish.LatestSample;
import io.krypton.agent.reporter.publish.ProcessClock;
import io.krypton.agent.reporter.publish.Publisher;
import io.krypton.base.http.PageServer;
import io.krypton.base.http.PageServerOptions;
import io.krypton.kms.health.ReportDebounce;
import io.krypton.kms.probe.PluginProbe.PluginSpec;
import io.krypton.kms.probe.PluginProbe.ProbeTools;
import io.krypton.kms.probe.Prober;
import io.krypton.kms.probe.ReporterProbeSchedule;
import io.krypton.kms.rpc.PluginConnectionPool;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running reporter: prober, publisher and local pages, joined by the latest sample. Nothing here
 * waits for the network: the first probe happens at once, with or without an API server.
 */
public final class ReporterProcess implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ReporterProcess.class);

  /** A loop that has not advanced for so many of its longest steps is stuck. */
  private static final int MISSED_STEPS = 3;

  /** In addition to file system events. */
  private static final Duration ROLE_POLL = Duration.ofSeconds(10);

  private static final Duration LISTEN_RETRY = Duration.ofSeconds(30);

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(4);

  private final ReporterSettings settings;
  private final ProbeTools tools = ProbeTools.standard();
  private final PluginConnectionPool connections = new PluginConnectionPool();
  private final NodeHealthCollector node;
  private final Prober<ReportDebounce> prober;
  private final Publisher publisher;
  private final Optional<PageServer> server;
  private volatile @Nullable ProviderRoleWatcher roles;

  public ReporterProcess(ReporterSettings settings, Map<String, String> environment) {
    this.settings = settings;
    var clock = ProcessClock.system();
    var latestSample = new LatestSample();
    this.node = new NodeHealthCollector(settings, latestSample, Clock.systemUTC());
    this.prober = new Prober<>(settings.interval(), connections, tools, node);
    this.publisher =
        new Publisher(
            settings,
            latestSample,
            new ApiConnection(
                new ReloadingCredentials(credentialsFor(settings, environment), System::nanoTime)),
            clock,
            tools.random());
    var pages =
        new ReporterPages(settings, node, latestSample, publisher.status(), clock, this::isAlive);
    this.server =
        settings
            .listen()
            .socket()
            .map(
                address ->
                    new PageServer(
                        address, pages.page(), PageServerOptions.plain(new PageServerLog())));
  }

  private static CredentialSource credentialsFor(
      ReporterSettings settings, Map<String, String> environment) {
    return settings.kubeconfig().isEmpty()
        ? new InClusterCredentials(InClusterCredentials.MOUNT_PATH, environment)
        : new KubeconfigCredentials(Path.of(settings.kubeconfig()));
  }

  /** Returns at once. */
  public void start() {
    var schedule = new ReporterProbeSchedule.Settings(settings.interval(), settings.deepInterval());
    for (var socket : settings.sockets()) {
      prober.watch(
          new PluginSpec(
              socket.keyId().toString(),
              settings.kmsApi(),
              socket.endpoint(),
              settings.readTimeout()),
          new ReporterProbeSchedule(schedule, tools.random()));
    }
    prober.start();
    watchRoles();
    publisher.start();
    server.ifPresent(pages -> pages.startWhenFree(LISTEN_RETRY));
    log.atInfo()
        .addKeyValue("node", settings.nodeName())
        .addKeyValue("target", settings.target().value())
        .addKeyValue("plugins", settings.sockets().size())
        .log("reporter started");
  }

  /** Reads the file once before anything is published, while the first probes are under way. */
  private void watchRoles() {
    if (!settings.encryptionConfig().isEmpty()) {
      roles =
          new ProviderRoleWatcher(
              Path.of(settings.encryptionConfig()),
              settings.sockets(),
              ROLE_POLL,
              node::updateRoles);
    }
  }

  /** The address of the local pages; empty if they are off or the port is taken. */
  public Optional<InetSocketAddress> localAddress() {
    return server.flatMap(PageServer::address);
  }

  private boolean isAlive() {
    var longestStep =
        Collections.max(
            List.of(settings.interval(), settings.readTimeout(), settings.writeTimeout()),
            Comparator.naturalOrder());
    var limit = longestStep.multipliedBy(MISSED_STEPS);
    var sinceProbe = tools.ticker().now().minus(prober.lastAdvance());
    return sinceProbe.compareTo(limit) <= 0 && publisher.progress().isWithin(limit);
  }

  /** Stops everything within five seconds and releases the Lease meanwhile. */
  @Override
  public void close() {
    var probes =
        Thread.ofVirtual()
            .start(
                () -> {
                  prober.close();
                  connections.close();
                });
    publisher.close();
    if (roles != null) {
      roles.close();
    }
    server.ifPresent(PageServer::close);
    try {
      if (!probes.join(CLOSE_LIMIT)) {
        log.warn("graceful shutdown timed out: a probe is still running");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
