// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.probe;

import io.krypton.agent.gate.config.GateSettings;
import io.krypton.agent.gate.config.GateSettings.GateMode;
import io.krypton.agent.gate.status.ConfigurationStatus;
import io.krypton.agent.gate.status.GateProvider;
import io.krypton.agent.gate.status.GateSnapshot;
import io.krypton.agent.gate.status.GateSnapshot.ProviderSnapshot;
import io.krypton.kms.config.EncryptionConfiguration.ProviderRole;
import io.krypton.kms.config.ReadResult;
import io.krypton.kms.health.Verdict;
import io.krypton.kms.health.VerdictDebounce;
import io.krypton.kms.probe.PluginProbeResult;
import io.krypton.kms.probe.ProbeListener;
import io.krypton.kms.probe.ProbeListener.PluginState;
import io.krypton.kms.probe.Ticker;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Holds the configuration against its plugins and publishes what it knows as snapshots. A changed
 * file is tried beside the one in use and takes its place once an API server would use it; whoever
 * only waits for a start takes it at once. See DESIGN.md beside this file.
 */
public final class GateController
    implements ProbeListener<Map<ProviderRole, VerdictDebounce>>, AutoCloseable {
  private final GateSettings settings;
  private final Clock clock;
  private final Ticker ticker;
  private final ProbePool pool;
  private final GateMetrics metrics = new GateMetrics();
  private final TransitionLog log = new TransitionLog();
  private final Semaphore changes = new Semaphore(0);

  // Guarded by this; nothing below waits for anything.
  private final ProbedPluginSet plugins;
  private @Nullable LoadedConfiguration inUse;
  private @Nullable LoadedConfiguration trial;
  private ConfigurationStatus.@Nullable Pending invalid;
  private Duration trialStart = Duration.ZERO;

  private final Duration started;
  private volatile boolean passed;
  private volatile Duration waitDuration = Duration.ZERO;
  private volatile GateSnapshot gateSnapshot = GateSnapshot.EMPTY;

  public GateController(GateSettings settings, Clock clock, Ticker ticker) {
    this.settings = settings;
    this.clock = clock;
    this.ticker = ticker;
    this.started = ticker.now();
    this.pool = new ProbePool(settings, clock, ticker, this);
    this.plugins =
        new ProbedPluginSet(
            pool,
            new ProbedPlugin.Intervals(settings.interval(), settings.unhealthyInterval()),
            () -> passed,
            settings.readOptions().automaticReload());
  }

  /** Returns at once; configurations may come before or after. */
  public void start() {
    pool.start();
  }

  /** What is known now; reading it costs nothing. */
  public GateSnapshot snapshot() {
    return gateSnapshot;
  }

  /** The monotonic clock of snapshots. */
  public Duration now() {
    return ticker.now();
  }

  /** Time since the loop of the prober moved. */
  public Duration idle() {
    return ticker.now().minus(pool.lastAdvance());
  }

  public GateMetrics metrics() {
    return metrics;
  }

  /** Whether everything required was OK at some moment. */
  public boolean passed() {
    return passed;
  }

  /** Time from the start to the first moment when everything was OK, or until now. */
  public Duration waitDuration() {
    return passed ? waitDuration : now().minus(started);
  }

  /** Waits until something may have changed, or for the given time. */
  public void awaitChange(Duration limit) throws InterruptedException {
    var changed = changes.tryAcquire(limit.toNanos(), TimeUnit.NANOSECONDS);
    if (changed) {
      changes.drainPermits();
    }
  }

  /** Takes what the file says now. */
  public synchronized void onConfiguration(ReadResult result) {
    log.configuration(result, settings.settingsFile());
    switch (result) {
      case ReadResult.Invalid wrong -> {
        metrics.reloaded(false);
        endTrial();
        var hint = wrong.hint().isEmpty() ? "" : "; hint: " + wrong.hint();
        invalid =
            new ConfigurationStatus.Pending(
                wrong.contentHash(), wrong.text() + hint, true, now(), Duration.ZERO);
      }
      case ReadResult.Loaded loaded -> {
        invalid = null;
        endTrial();
        if (inUse == null || !inUse.hash().equals(loaded.contentHash())) {
          startTrial(LoadedConfiguration.of(loaded, settings.settingsFile(), clock.instant()));
        }
      }
    }
    publish();
  }

  private void endTrial() {
    trial = null;
    plugins.endTrial();
  }

  private void startTrial(LoadedConfiguration loadedConfiguration) {
    var plans = Set.copyOf(loadedConfiguration.plans().values());
    if (inUse == null || settings.mode() != GateMode.SERVE) {
      plugins.use(plans);
      adopt(loadedConfiguration);
    } else {
      trial = loadedConfiguration;
      trialStart = now();
      plugins.startTrial(plans);
      adoptIfReady();
    }
  }

  private void adopt(LoadedConfiguration loadedConfiguration) {
    inUse = loadedConfiguration;
    trial = null;
    metrics.reloaded(true);
    log.adopted(loadedConfiguration);
  }

  /** Also without any result: a file without KMS providers has nothing to wait for. */
  private void adoptIfReady() {
    var loadedConfiguration = trial;
    if (loadedConfiguration != null && failures(loadedConfiguration).isEmpty()) {
      plugins.adoptTrial();
      adopt(loadedConfiguration);
    }
  }

  @Override
  public synchronized void onResult(
      PluginState<Map<ProviderRole, VerdictDebounce>> state, PluginProbeResult result) {
    var probedPlugin = plugins.find(result.plugin());
    if (probedPlugin == null) {
      return;
    }
    probedPlugin.update(state, result);
    metrics.count(namesOf(probedPlugin.plan()), result);
    adoptIfReady();
    publish();
  }

  private Set<String> namesOf(ProbePlan plan) {
    var names = new HashSet<String>();
    for (var loadedConfiguration : new LoadedConfiguration[] {inUse, trial}) {
      if (loadedConfiguration != null) {
        loadedConfiguration.providers().stream()
            .filter(provider -> plan.equals(loadedConfiguration.plans().get(provider.index())))
            .forEach(provider -> names.add(provider.name()));
      }
    }
    return names;
  }

  /**
   * What keeps a file on trial from being used. A running API server that takes it up by itself
   * knows no provider that is not required.
   */
  private List<String> failures(LoadedConfiguration loadedConfiguration) {
    var texts = new ArrayList<String>();
    for (var provider : loadedConfiguration.providers()) {
      var probedPlugin = plugins.onTrial(loadedConfiguration.plans().get(provider.index()));
      var state = view(provider, probedPlugin).at(now());
      if ((plugins.isReloaded() || provider.required()) && !state.isOk()) {
        texts.add(state.text());
      }
    }
    return texts;
  }

  private List<ProviderSnapshot> views(LoadedConfiguration used) {
    return used.providers().stream()
        .map(provider -> view(provider, plugins.inUse(used.plans().get(provider.index()))))
        .toList();
  }

  private static ProviderSnapshot view(GateProvider provider, @Nullable ProbedPlugin probedPlugin) {
    return new ProviderSnapshot(
        provider, probedPlugin == null ? null : probedPlugin.observation(provider.role()));
  }

  private void publish() {
    var configuration =
        new ConfigurationStatus(
            inUse == null ? null : activeConfiguration(inUse), pendingConfiguration());
    gateSnapshot = new GateSnapshot(configuration, inUse == null ? List.of() : views(inUse));
    var gateStatus = gateSnapshot.at(now());
    if (!passed && gateStatus.overall() == Verdict.OK) {
      waitDuration = now().minus(started);
      passed = true;
    }
    log.providers(gateStatus);
    changes.release();
  }

  private static ConfigurationStatus.InUse activeConfiguration(
      LoadedConfiguration loadedConfiguration) {
    return new ConfigurationStatus.InUse(
        loadedConfiguration.hash(), loadedConfiguration.loadedAt());
  }

  private ConfigurationStatus.@Nullable Pending pendingConfiguration() {
    if (trial == null) {
      return invalid;
    }
    var why = String.join(", ", failures(trial));
    return new ConfigurationStatus.Pending(
        trial.hash(), why, false, trialStart, trial.gracePeriod());
  }

  @Override
  public void close() {
    pool.close();
  }
}
