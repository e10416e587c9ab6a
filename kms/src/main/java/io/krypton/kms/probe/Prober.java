// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.probe;

import io.krypton.base.time.Jitter;
import io.krypton.kms.health.ProbeOutcome.ProbeLevel;
import io.krypton.kms.probe.PluginProbe.PluginSpec;
import io.krypton.kms.probe.PluginProbe.ProbeTools;
import io.krypton.kms.rpc.PluginConnectionPool;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Probes any number of plugins side by side. One loop decides and keeps all state; probes run on
 * threads of their own and hand their results to the loop. A plugin that hangs holds up nobody.
 */
public final class Prober<J> implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Prober.class);
  private static final double TICK_SPREAD = 0.1;
  private static final Duration CLOSE_TIME = Duration.ofSeconds(2);
  private static final Duration ERROR_PAUSE = Duration.ofSeconds(1);

  private final Duration interval;
  private final PluginConnectionPool connections;
  private final ProbeTools tools;
  private final ProbeListener<J> listener;
  private final Jitter jitter;

  /**
   * Holds at most four events per plugin: two results, a socket check, and the loss of a
   * connection.
   */
  private final BlockingQueue<Runnable> inbox = new LinkedBlockingQueue<>();

  private final Map<String, ScheduledPlugin<J>> plugins = new LinkedHashMap<>();
  private final Set<String> missingInTick = new HashSet<>();
  private final ExecutorService tasks =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("kms-probe-", 0).factory());
  private final Thread loop = Thread.ofVirtual().name("kms-prober").unstarted(this::run);

  private Duration nextTick = Duration.ZERO;
  private long ticks;
  private volatile Duration advanced;

  private interface Task {
    void run() throws InterruptedException;
  }

  public Prober(
      Duration interval,
      PluginConnectionPool connections,
      ProbeTools tools,
      ProbeListener<J> listener) {
    this.interval = interval;
    this.connections = connections;
    this.tools = tools;
    this.listener = listener;
    this.jitter = new Jitter(tools.random());
    this.advanced = tools.ticker().now();
  }

  /** The first tick is at once. */
  public void start() {
    loop.start();
  }

  /** Takes a plugin into care; it is probed at once. */
  public void watch(PluginSpec spec, ProbeSchedule<J> probeSchedule) {
    watch(spec, probeSchedule, List.of());
  }

  /** As above; the signals are asked after each Status. */
  public void watch(PluginSpec spec, ProbeSchedule<J> probeSchedule, List<StatusSignal> signals) {
    inbox.add(() -> add(spec, probeSchedule, signals));
  }

  /** Stops probing a plugin and gives up its connection. Results under way are dropped. */
  public void unwatch(String name) {
    inbox.add(() -> remove(name));
  }

  /** When the loop last moved, by the ticker; a loop that stands still is a bug. */
  public Duration lastAdvance() {
    return advanced;
  }

  private void add(PluginSpec spec, ProbeSchedule<J> probeSchedule, List<StatusSignal> signals) {
    remove(spec.name());
    var connection = connections.open(spec.endpoint(), () -> connectionLost(spec.name()));
    var probe = new PluginProbe(spec, connection, tools, signals);
    var scheduledPlugin = new ScheduledPlugin<>(spec, probeSchedule, connection, probe);
    scheduledPlugin.statusRequested = true;
    plugins.put(spec.name(), scheduledPlugin);
  }

  private void remove(String name) {
    var gone = plugins.remove(name);
    if (gone != null) {
      gone.connection.close();
      resultInTick(name);
    }
  }

  /** Called on the I/O thread of the connection. */
  private void connectionLost(String name) {
    inbox.add(() -> requestProbe(name));
  }

  private void requestProbe(String name) {
    var scheduledPlugin = plugins.get(name);
    if (scheduledPlugin != null && scheduledPlugin.earlyProbes.tryAcquire(tools.ticker().now())) {
      scheduledPlugin.statusRequested = true;
    }
  }

  private void run() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        advance();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (RuntimeException | Error e) {
        log.error("the prober goes on after an unexpected error", e);
        pauseAfterError();
      }
    }
  }

  private static void pauseAfterError() {
    try {
      Thread.sleep(ERROR_PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void advance() throws InterruptedException {
    for (var event = inbox.poll(); event != null; event = inbox.poll()) {
      event.run();
    }
    var now = tools.ticker().now();
    advanced = now;
    if (now.compareTo(nextTick) >= 0) {
      tick(now);
    }
    plugins.values().forEach(scheduledPlugin -> startDue(scheduledPlugin, now));
    var event = inbox.poll(untilNext(now).toNanos(), TimeUnit.NANOSECONDS);
    if (event != null) {
      event.run();
    }
  }

  private void tick(Duration now) {
    nextTick = now.plus(jitter.longer(interval, TICK_SPREAD));
    ticks++;
    missingInTick.clear();
    missingInTick.addAll(plugins.keySet());
    // A probe under way counts, so that a tick takes one timeout and not two.
    plugins
        .values()
        .forEach(
            scheduledPlugin -> scheduledPlugin.statusRequested |= !scheduledPlugin.statusRunning);
  }

  private Duration untilNext(Duration now) {
    var next =
        plugins.values().stream()
            .map(ScheduledPlugin::nextDue)
            .reduce(nextTick, ScheduledPlugin::earlier);
    return next.compareTo(now) <= 0 ? Duration.ZERO : next.minus(now);
  }

  private void startDue(ScheduledPlugin<J> scheduledPlugin, Duration now) {
    if (scheduledPlugin.statusDue(now)) {
      scheduledPlugin.statusRequested = false;
      scheduledPlugin.statusRunning = true;
      scheduledPlugin.nextSocketCheck = ProbeSchedule.NEVER;
      start(
          scheduledPlugin,
          () -> scheduledPlugin.statusRunning = false,
          () -> report(scheduledPlugin, scheduledPlugin.probe.status()));
    }
    if (scheduledPlugin.deepDue(now)) {
      scheduledPlugin.deepRunning = true;
      start(
          scheduledPlugin,
          () -> scheduledPlugin.deepRunning = false,
          () -> report(scheduledPlugin, scheduledPlugin.probe.deep()));
    }
    if (scheduledPlugin.socketCheckDue(now)) {
      scheduledPlugin.socketCheckRunning = true;
      scheduledPlugin.nextSocketCheck = ProbeSchedule.NEVER;
      start(
          scheduledPlugin,
          () -> scheduledPlugin.socketCheckRunning = false,
          () -> checkSocket(scheduledPlugin));
    }
  }

  /** Runs a task beside the loop; the loop gets its end, whatever happens. */
  private void start(ScheduledPlugin<J> scheduledPlugin, Runnable ended, Task task) {
    tasks.execute(
        () -> {
          try {
            task.run();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } catch (RuntimeException | Error e) {
            log.atError()
                .addKeyValue("plugin", scheduledPlugin.spec.name())
                .setCause(e)
                .log("a probe ended with an unexpected error");
            pauseAfterError();
          } finally {
            inbox.add(ended);
          }
        });
  }

  private void report(ScheduledPlugin<J> scheduledPlugin, PluginProbeResult result) {
    inbox.add(
        () -> {
          if (plugins.get(scheduledPlugin.spec.name()) == scheduledPlugin) {
            handleResult(scheduledPlugin, result);
          }
        });
  }

  private void handleResult(ScheduledPlugin<J> scheduledPlugin, PluginProbeResult result) {
    var state = scheduledPlugin.after(result);
    scheduledPlugin.scheduleSocketCheck(tools.ticker().now());
    listener.onResult(state, result);
    if (result.level() == ProbeLevel.STATUS) {
      resultInTick(result.plugin());
    }
  }

  private void resultInTick(String name) {
    if (missingInTick.remove(name) && missingInTick.isEmpty()) {
      listener.onTick(ticks);
    }
  }

  /** Sees the end of an outage without a call, and the plugin sees nothing of it before that. */
  private void checkSocket(ScheduledPlugin<J> scheduledPlugin) {
    var fault = scheduledPlugin.connection.checkSocket();
    inbox.add(
        () -> {
          if (fault.isPresent()) {
            scheduledPlugin.scheduleSocketCheck(tools.ticker().now());
          } else {
            requestProbe(scheduledPlugin.spec.name());
          }
        });
  }

  /** Ends the loop and all probes under way, and gives up the connections. */
  @Override
  public void close() {
    loop.interrupt();
    try {
      if (loop.isAlive() && !loop.join(CLOSE_TIME)) {
        log.warn("the prober did not stop in time");
      }
      tasks.shutdownNow();
      if (!tasks.awaitTermination(CLOSE_TIME.toMillis(), TimeUnit.MILLISECONDS)) {
        log.warn("a probe did not stop in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    plugins.values().forEach(scheduledPlugin -> scheduledPlugin.connection.close());
  }
}
