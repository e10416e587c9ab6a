package io.krypton.agent.gate.probing;

import io.krypton.agent.gate.settings.GateMode;
import io.krypton.agent.gate.settings.GateSettings;
import io.krypton.agent.gate.snapshot.ConfigurationView;
import io.krypton.agent.gate.snapshot.GateProvider;
import io.krypton.agent.gate.snapshot.ProviderView;
import io.krypton.agent.gate.snapshot.Snapshot;
import io.krypton.kms.encryption.ProviderRole;
import io.krypton.kms.encryption.ReadResult;
import io.krypton.kms.probe.PluginState;
import io.krypton.kms.probe.ProbeListener;
import io.krypton.kms.probe.ProbeResult;
import io.krypton.kms.probe.Ticker;
import io.krypton.kms.verdict.Confirmation;
import io.krypton.kms.verdict.Verdict;
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
public final class Gatekeeper
    implements ProbeListener<Map<ProviderRole, Confirmation>>, AutoCloseable {
  private final GateSettings settings;
  private final Clock clock;
  private final Ticker ticker;
  private final ProbePool pool;
  private final GateMetrics metrics = new GateMetrics();
  private final TransitionLog log = new TransitionLog();
  private final Semaphore changes = new Semaphore(0);

  // Guarded by this; nothing below waits for anything.
  private final ProbedPlugins plugins;
  private @Nullable Candidate inUse;
  private @Nullable Candidate tried;
  private ConfigurationView.@Nullable Waiting invalid;
  private Duration triedSince = Duration.ZERO;

  private final Duration started;
  private volatile boolean passed;
  private volatile Duration waited = Duration.ZERO;
  private volatile Snapshot snapshot = Snapshot.EMPTY;

  public Gatekeeper(GateSettings settings, Clock clock, Ticker ticker) {
    this.settings = settings;
    this.clock = clock;
    this.ticker = ticker;
    this.started = ticker.now();
    this.pool = new ProbePool(settings, clock, ticker, this);
    this.plugins =
        new ProbedPlugins(
            pool,
            new Probed.Intervals(settings.interval(), settings.unhealthyInterval()),
            () -> passed,
            settings.readOptions().automaticReload());
  }

  /** Returns at once; configurations may come before or after. */
  public void start() {
    pool.start();
  }

  /** What is known now; reading it costs nothing. */
  public Snapshot snapshot() {
    return snapshot;
  }

  /** The monotonic clock by which snapshots are judged. */
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
  public Duration waited() {
    return passed ? waited : now().minus(started);
  }

  /** Waits until something may have changed, or for the given time. */
  public void awaitChange(Duration limit) throws InterruptedException {
    var changed = changes.tryAcquire(limit.toNanos(), TimeUnit.NANOSECONDS);
    if (changed) {
      changes.drainPermits();
    }
  }

  /** Takes what the file says now. */
  public synchronized void read(ReadResult result) {
    log.configuration(result, settings.document());
    switch (result) {
      case ReadResult.Invalid wrong -> {
        metrics.reloaded(false);
        endTrial();
        var hint = wrong.hint().isEmpty() ? "" : "; hint: " + wrong.hint();
        invalid =
            new ConfigurationView.Waiting(
                wrong.contentHash(), wrong.text() + hint, true, now(), Duration.ZERO);
      }
      case ReadResult.Loaded loaded -> {
        invalid = null;
        endTrial();
        if (inUse == null || !inUse.hash().equals(loaded.contentHash())) {
          tryOut(Candidate.of(loaded, settings.document(), clock.instant()));
        }
      }
    }
    publish();
  }

  private void endTrial() {
    tried = null;
    plugins.endTrial();
  }

  private void tryOut(Candidate candidate) {
    var plans = Set.copyOf(candidate.plans().values());
    if (inUse == null || settings.mode() != GateMode.SERVE) {
      plugins.use(plans);
      adopt(candidate);
    } else {
      tried = candidate;
      triedSince = now();
      plugins.tryOut(plans);
      adoptIfItWorks();
    }
  }

  private void adopt(Candidate candidate) {
    inUse = candidate;
    tried = null;
    metrics.reloaded(true);
    log.adopted(candidate);
  }

  /** Also without any result: a file without KMS providers has nothing to wait for. */
  private void adoptIfItWorks() {
    var candidate = tried;
    if (candidate != null && failing(candidate).isEmpty()) {
      plugins.adoptTrial();
      adopt(candidate);
    }
  }

  @Override
  public synchronized void onResult(
      PluginState<Map<ProviderRole, Confirmation>> state, ProbeResult result) {
    var probed = plugins.find(result.plugin());
    if (probed == null) {
      return;
    }
    probed.take(state, result);
    metrics.count(namesOf(probed.plan()), result);
    adoptIfItWorks();
    publish();
  }

  private Set<String> namesOf(ProbePlan plan) {
    var names = new HashSet<String>();
    for (var candidate : new Candidate[] {inUse, tried}) {
      if (candidate != null) {
        candidate.providers().stream()
            .filter(provider -> plan.equals(candidate.plans().get(provider.index())))
            .forEach(provider -> names.add(provider.name()));
      }
    }
    return names;
  }

  /**
   * What keeps a file on trial from being used. A running API server that takes it up by itself
   * knows no provider that is not required.
   */
  private List<String> failing(Candidate candidate) {
    var texts = new ArrayList<String>();
    for (var provider : candidate.providers()) {
      var probed = plugins.onTrial(candidate.plans().get(provider.index()));
      var state = view(provider, probed).at(now());
      if ((plugins.isReloaded() || provider.required()) && !state.isOk()) {
        texts.add(state.text());
      }
    }
    return texts;
  }

  private List<ProviderView> views(Candidate used) {
    return used.providers().stream()
        .map(provider -> view(provider, plugins.inUse(used.plans().get(provider.index()))))
        .toList();
  }

  private static ProviderView view(GateProvider provider, @Nullable Probed probed) {
    return new ProviderView(provider, probed == null ? null : probed.as(provider.role()));
  }

  private void publish() {
    var configuration = new ConfigurationView(inUse == null ? null : used(inUse), waiting());
    snapshot = new Snapshot(configuration, inUse == null ? List.of() : views(inUse));
    var judgement = snapshot.at(now());
    if (!passed && judgement.overall() == Verdict.OK) {
      waited = now().minus(started);
      passed = true;
    }
    log.providers(judgement);
    changes.release();
  }

  private static ConfigurationView.InUse used(Candidate candidate) {
    return new ConfigurationView.InUse(candidate.hash(), candidate.loadedAt());
  }

  private ConfigurationView.@Nullable Waiting waiting() {
    if (tried == null) {
      return invalid;
    }
    var why = String.join(", ", failing(tried));
    return new ConfigurationView.Waiting(tried.hash(), why, false, triedSince, tried.grace());
  }

  @Override
  public void close() {
    pool.close();
  }
}
