// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate;

import io.krypton.agent.gate.config.GateSettings;
import io.krypton.agent.gate.config.GateSettings.OnFatal;
import io.krypton.agent.gate.probe.GateController;
import io.krypton.agent.gate.serve.GateServer;
import io.krypton.agent.gate.status.GateStatus;
import io.krypton.agent.gate.wait.GateDecision;
import io.krypton.agent.gate.wait.ProgressLog;
import io.krypton.agent.gate.wait.TerminationMessage;
import io.krypton.kms.config.ConfigurationWatcher;
import io.krypton.kms.config.EncryptionConfigurations;
import io.krypton.kms.config.ReadResult;
import io.krypton.kms.health.Verdict;
import io.krypton.kms.probe.Ticker;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A gate that serves: prober, configuration watch and HTTP server. */
public final class GateProcess implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(GateProcess.class);
  private static final Duration POLL_FOR_FIRST = Duration.ofSeconds(1);
  private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(1);
  private static final Duration SHUTDOWN_DELAY = Duration.ofSeconds(2);

  private final GateSettings settings;
  private final Ticker ticker = Ticker.system();
  private final GateController controller;
  private final GateServer server;
  private @Nullable ConfigurationWatcher watch;

  /**
   * Prepares everything; nothing happens before {@link #start}.
   *
   * @param flushLog brings out what is logged, and blocks if that is impossible
   */
  public GateProcess(GateSettings settings, Runnable flushLog) {
    this.settings = settings;
    this.controller = new GateController(settings, Clock.systemUTC(), ticker);
    this.server = new GateServer(settings, controller, flushLog);
  }

  /** Returns at once. */
  public void start() {
    controller.start();
    var first = EncryptionConfigurations.read(settings.configuration(), settings.readOptions());
    controller.onConfiguration(first);
    var poll = first instanceof ReadResult.Loaded ? settings.configPoll() : shorterPoll();
    watch =
        ConfigurationWatcher.startAfter(
            first,
            settings.configuration(),
            settings.readOptions(),
            poll,
            controller::onConfiguration);
    server.start();
    log.atInfo()
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
  public GateDecision awaitTermination() throws InterruptedException {
    var progress = new ProgressLog(controller.now());
    while (true) {
      var now = controller.now();
      var gateStatus = controller.snapshot().at(now);
      var gateDecision = exitDecision(gateStatus);
      if (gateDecision != GateDecision.GO_ON) {
        return gateDecision;
      }
      progress.log(gateStatus, now);
      controller.awaitChange(PROGRESS_INTERVAL);
    }
  }

  private GateDecision exitDecision(GateStatus gateStatus) {
    var configuration = gateStatus.configuration();
    if (!settings.waitForConfig()
        && configuration.inUse() == null
        && configuration.pending() != null) {
      return GateDecision.BAD_CONFIGURATION;
    }
    return settings.onFatal() == OnFatal.EXIT && gateStatus.overall() == Verdict.FATAL
        ? GateDecision.FATAL
        : GateDecision.GO_ON;
  }

  TerminationMessage terminationMessage(GateDecision gateDecision) {
    return TerminationMessage.of(
        settings,
        controller.snapshot().at(controller.now()),
        gateDecision.value(),
        gateDecision.exitCode(),
        ticker.now());
  }

  /** Says not ready for a while, so that nobody is surprised, and stops. */
  public void shutDown() {
    server.shutDown();
    try {
      Thread.sleep(SHUTDOWN_DELAY);
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
    controller.close();
  }
}
