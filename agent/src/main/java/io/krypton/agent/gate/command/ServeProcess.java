package io.krypton.agent.gate.command;

import io.krypton.agent.gate.probing.Gatekeeper;
import io.krypton.agent.gate.serve.GateServer;
import io.krypton.agent.gate.settings.GateSettings;
import io.krypton.agent.gate.settings.OnFatal;
import io.krypton.agent.gate.snapshot.Judgement;
import io.krypton.agent.gate.wait.Decision;
import io.krypton.agent.gate.wait.ProgressLog;
import io.krypton.agent.gate.wait.TerminationReport;
import io.krypton.kms.encryption.ConfigurationWatch;
import io.krypton.kms.encryption.EncryptionConfigurations;
import io.krypton.kms.encryption.ReadResult;
import io.krypton.kms.probe.Ticker;
import io.krypton.kms.verdict.Verdict;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A gate that serves: prober, configuration watch and HTTP server. */
public final class ServeProcess implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServeProcess.class);
  private static final Duration POLL_FOR_FIRST = Duration.ofSeconds(1);
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration GOODBYE = Duration.ofSeconds(2);

  private final GateSettings settings;
  private final Ticker ticker = Ticker.system();
  private final Gatekeeper gatekeeper;
  private final GateServer server;
  private @Nullable ConfigurationWatch watch;

  /**
   * Prepares everything; nothing happens before {@link #start}.
   *
   * @param flushLog brings out what is logged, and blocks if that is impossible
   */
  public ServeProcess(GateSettings settings, Runnable flushLog) {
    this.settings = settings;
    this.gatekeeper = new Gatekeeper(settings, Clock.systemUTC(), ticker);
    this.server = new GateServer(settings, gatekeeper, flushLog);
  }

  /** Returns at once. */
  public void start() {
    gatekeeper.start();
    var first = EncryptionConfigurations.read(settings.configuration(), settings.readOptions());
    gatekeeper.read(first);
    var poll = first instanceof ReadResult.Loaded ? settings.configPoll() : shorterPoll();
    watch =
        ConfigurationWatch.startAfter(
            first, settings.configuration(), settings.readOptions(), poll, gatekeeper::read);
    server.start();
    LOG.atInfo()
        .addKeyValue("configuration", settings.configuration())
        .addKeyValue("listen", settings.listen())
        .log("gate started");
  }

  private Duration shorterPoll() {
    var poll = settings.configPoll();
    return poll.compareTo(POLL_FOR_FIRST) < 0 ? poll : POLL_FOR_FIRST;
  }

  /** Where it listens; empty while the address is taken. */
  public Optional<InetSocketAddress> address() {
    return server.address();
  }

  /** Returns only if the settings name a reason to end, and it came about. */
  public Decision awaitEnd() throws InterruptedException {
    var progress = new ProgressLog(gatekeeper.now());
    while (true) {
      var now = gatekeeper.now();
      var judgement = gatekeeper.snapshot().at(now);
      var decision = end(judgement);
      if (decision != Decision.GO_ON) {
        return decision;
      }
      progress.tell(judgement, now);
      gatekeeper.awaitChange(LOOK);
    }
  }

  private Decision end(Judgement judgement) {
    var configuration = judgement.configuration();
    if (!settings.waitForConfig()
        && configuration.inUse() == null
        && configuration.waiting() != null) {
      return Decision.BAD_CONFIGURATION;
    }
    return settings.onFatal() == OnFatal.EXIT && judgement.overall() == Verdict.FATAL
        ? Decision.FATAL
        : Decision.GO_ON;
  }

  TerminationReport report(Decision decision) {
    var judgement = gatekeeper.snapshot().at(gatekeeper.now());
    return new TerminationReport(
        settings.mode().command(),
        decision.word(),
        decision.exit(),
        ticker.now(),
        judgement.configuration().hash(),
        judgement.complaint(),
        judgement.providers());
  }

  /** Says not ready for a while, so that nobody is surprised, and stops. */
  public void shutDown() {
    server.shutDown();
    try {
      Thread.sleep(GOODBYE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    close();
  }

  @Override
  public void close() {
    server.close();
    if (watch != null) {
      watch.close();
    }
    gatekeeper.close();
  }
}
