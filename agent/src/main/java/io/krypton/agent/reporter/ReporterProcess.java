package io.krypton.agent.reporter;

import io.krypton.agent.local.LocalServer;
import io.krypton.agent.publish.AccessSource;
import io.krypton.agent.publish.ApiConnection;
import io.krypton.agent.publish.Credentials;
import io.krypton.agent.publish.InClusterAccess;
import io.krypton.agent.publish.KubeconfigFile;
import io.krypton.kms.probe.PluginSpec;
import io.krypton.kms.probe.ProbeTools;
import io.krypton.kms.probe.Prober;
import io.krypton.kms.probe.ReporterTimetable;
import io.krypton.kms.protocol.PluginConnections;
import io.krypton.kms.verdict.Damping;
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
 * A running reporter: prober, publisher and local pages, joined by one mailbox. Nothing here waits
 * for the network, so that the first probe happens at once and a missing API server holds up
 * nothing.
 */
public final class ReporterProcess implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ReporterProcess.class);

  /** A loop that has not moved for so many of its longest steps stands still. */
  private static final int MISSED_STEPS = 3;

  /** Beside being told by the file system. */
  private static final Duration ROLE_POLL = Duration.ofSeconds(10);

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(4);

  private final ReporterSettings settings;
  private final ProbeTools tools = ProbeTools.standard();
  private final PluginConnections connections = new PluginConnections();
  private final NodeView node;
  private final Prober<Damping> prober;
  private final Publisher publisher;
  private final Optional<LocalServer> server;
  private volatile @Nullable RoleWatch roles;

  public ReporterProcess(ReporterSettings settings, Map<String, String> environment) {
    this.settings = settings;
    var clock = ProcessClock.system();
    var mailbox = new Mailbox();
    this.node = new NodeView(settings, mailbox, Clock.systemUTC());
    this.prober = new Prober<>(settings.interval(), connections, tools, node);
    this.publisher =
        new Publisher(
            settings,
            mailbox,
            new ApiConnection(new Credentials(accessFor(settings, environment), System::nanoTime)),
            clock,
            tools.random());
    var pages = new LocalPages(settings, node, mailbox, publisher.journal(), clock, this::isAlive);
    this.server =
        switch (settings.listen()) {
          case ListenAddress.Off _ -> Optional.empty();
          case ListenAddress.On(var address) ->
              Optional.of(new LocalServer(address, pages.byPath(), LocalServer.RETRY));
        };
  }

  private static AccessSource accessFor(
      ReporterSettings settings, Map<String, String> environment) {
    return settings.kubeconfig().isEmpty()
        ? new InClusterAccess(InClusterAccess.MOUNT, environment)
        : new KubeconfigFile(Path.of(settings.kubeconfig()));
  }

  /** Returns at once. */
  public void start() {
    var pace = new ReporterTimetable.Settings(settings.interval(), settings.deepInterval());
    for (var socket : settings.sockets()) {
      prober.watch(
          new PluginSpec(
              socket.keyId().toString(),
              settings.kmsApi(),
              socket.endpoint(),
              settings.readTimeout()),
          new ReporterTimetable(pace, tools.random()));
    }
    prober.start();
    followRoles();
    publisher.start();
    server.ifPresent(LocalServer::start);
    log.atInfo()
        .addKeyValue("node", settings.nodeName())
        .addKeyValue("target", settings.target().word())
        .addKeyValue("plugins", settings.sockets().size())
        .log("reporter started");
  }

  /** Reads the file once before anything is published, while the first probes are under way. */
  private void followRoles() {
    if (!settings.encryptionConfig().isEmpty()) {
      roles =
          new RoleWatch(
              Path.of(settings.encryptionConfig()), settings.sockets(), ROLE_POLL, node::useRoles);
    }
  }

  /** Where the local pages are; empty if they are off or wait for their port. */
  public Optional<InetSocketAddress> localAddress() {
    return server.flatMap(LocalServer::address);
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

  /** Ends everything within five seconds; what can be told of the stop is told meanwhile. */
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
    server.ifPresent(LocalServer::close);
    try {
      if (!probes.join(CLOSE_LIMIT)) {
        log.warn("a probe did not stop in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
