// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.probe;

import io.krypton.agent.gate.config.GateSettings;
import io.krypton.agent.gate.config.GateSettings.GateMode;
import io.krypton.agent.gate.probe.RoleEvaluator.ApiServerPhase;
import io.krypton.kms.config.EncryptionConfiguration.ProviderRole;
import io.krypton.kms.health.FailureClassifier;
import io.krypton.kms.health.VerdictDebounce;
import io.krypton.kms.probe.CanaryStore;
import io.krypton.kms.probe.CanaryStore.Canary;
import io.krypton.kms.probe.FileCanaryStore;
import io.krypton.kms.probe.GateProbeSchedule;
import io.krypton.kms.probe.PluginProbe.PluginSpec;
import io.krypton.kms.probe.PluginProbe.ProbeTools;
import io.krypton.kms.probe.PluginProbeResult;
import io.krypton.kms.probe.ProbeListener;
import io.krypton.kms.probe.ProbeSchedule;
import io.krypton.kms.probe.Prober;
import io.krypton.kms.probe.StatusSignal;
import io.krypton.kms.probe.Ticker;
import io.krypton.kms.rpc.Endpoint;
import io.krypton.kms.rpc.KmsApiVersion;
import io.krypton.kms.rpc.PluginConnectionPool;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/** The prober as the gate uses it: one probe per plan, by a name that never comes back. */
final class ProbePool implements AutoCloseable {
  /** Between two rounds when several in a row must be good. */
  private static final Duration ROUND = Duration.ofSeconds(1);

  private final GateSettings settings;
  private final NamedCanaryStore canaries;
  private final ProbeTools tools;
  private final PluginConnectionPool connections = new PluginConnectionPool();
  private final Prober<Map<ProviderRole, VerdictDebounce>> prober;
  private int started;

  ProbePool(
      GateSettings settings,
      Clock clock,
      Ticker ticker,
      ProbeListener<Map<ProviderRole, VerdictDebounce>> listener) {
    this.settings = settings;
    var directory = settings.canaryDirectory();
    this.canaries =
        new NamedCanaryStore(
            directory == null ? CanaryStore.inMemory() : new FileCanaryStore(directory));
    this.tools =
        new ProbeTools(
            new FailureClassifier(settings.settingsFile().fatalPatterns()),
            canaries,
            clock,
            ticker,
            new SecureRandom());
    this.prober = new Prober<>(interval(settings), connections, tools, listener);
  }

  private static Duration interval(GateSettings settings) {
    return settings.mode() == GateMode.WAIT && settings.successThreshold() > 1
        ? ROUND
        : settings.interval();
  }

  void start() {
    prober.start();
  }

  Duration lastAdvance() {
    return prober.lastAdvance();
  }

  /**
   * Begins to probe.
   *
   * @param gating whether somebody waits for this plugin
   * @param moment what an API server wants of the plugin
   * @return the name of the probe in results
   */
  String watch(
      ProbePlan plan,
      KubeStatusSignal kube,
      BooleanSupplier gating,
      Supplier<ApiServerPhase> moment) {
    started++;
    var name = "probe-" + started;
    canaries.register(name, plan.canaryName());
    var pace =
        new GateProbeSchedule.Settings(
            settings.unhealthyInterval(), deepInterval(plan), settings.fatalConfirmations());
    var byRole = new EnumMap<ProviderRole, GateProbeSchedule>(ProviderRole.class);
    for (var role : plan.roles()) {
      byRole.put(
          role,
          new GateProbeSchedule(
              pace,
              gating,
              result -> RoleEvaluator.evaluate(role, plan.api(), result, moment.get()),
              tools.random()));
    }
    prober.watch(
        new PluginSpec(name, plan.api(), Endpoint.ofAddress(plan.address()), plan.timeout()),
        new SharedProbeSchedule(byRole),
        signals(plan, kube));
    return name;
  }

  /**
   * Version proves nothing, so that kube-apiserver checks a v1 plugin by a round trip each time.
   */
  private Duration deepInterval(ProbePlan plan) {
    var deep = settings.deepInterval();
    return plan.api() == KmsApiVersion.V1 && deep.compareTo(settings.interval()) > 0
        ? settings.interval()
        : deep;
  }

  private List<StatusSignal> signals(ProbePlan plan, KubeStatusSignal kube) {
    var signals = new ArrayList<StatusSignal>(List.of(kube));
    if (settings.grpcHealth()) {
      signals.add(new GrpcHealthSignal(plan.api(), plan.timeout()));
    }
    var http = plan.http();
    if (http != null) {
      signals.add(new HttpHealthzSignal(http, plan.timeout()));
    }
    return signals;
  }

  void forget(String name) {
    prober.unwatch(name);
    canaries.forget(name);
  }

  @Override
  public void close() {
    prober.close();
    connections.close();
  }

  /** Keeps canaries under the names of providers, which outlive the probes of one process. */
  static final class NamedCanaryStore implements CanaryStore {
    private final CanaryStore store;
    private final Map<String, String> names = new ConcurrentHashMap<>();

    NamedCanaryStore(CanaryStore store) {
      this.store = store;
    }

    void register(String probe, String canaryName) {
      names.put(probe, canaryName);
    }

    void forget(String probe) {
      names.remove(probe);
    }

    @Override
    public List<Canary> load(String probe) {
      return store.load(names.getOrDefault(probe, probe));
    }

    @Override
    public void save(String probe, List<Canary> canaries) {
      store.save(names.getOrDefault(probe, probe), canaries);
    }
  }

  /** One plugin that providers of several roles share: probed as the most impatient role wants. */
  static final class SharedProbeSchedule
      implements ProbeSchedule<Map<ProviderRole, VerdictDebounce>> {
    private final Map<ProviderRole, GateProbeSchedule> byRole;

    SharedProbeSchedule(Map<ProviderRole, GateProbeSchedule> byRole) {
      this.byRole = new EnumMap<>(byRole);
    }

    @Override
    public void observe(PluginProbeResult result) {
      byRole.values().forEach(schedule -> schedule.observe(result));
    }

    @Override
    public Map<ProviderRole, VerdictDebounce> assessment() {
      var assessments = new EnumMap<ProviderRole, VerdictDebounce>(ProviderRole.class);
      byRole.forEach((role, schedule) -> assessments.put(role, schedule.assessment()));
      return assessments;
    }

    @Override
    public Duration nextStatus() {
      return earliest(GateProbeSchedule::nextStatus);
    }

    @Override
    public Duration nextDeep() {
      return earliest(GateProbeSchedule::nextDeep);
    }

    @Override
    public boolean awaitsSocket() {
      return byRole.values().stream().anyMatch(GateProbeSchedule::awaitsSocket);
    }

    private Duration earliest(Function<GateProbeSchedule, Duration> moment) {
      return byRole.values().stream().map(moment).min(Comparator.naturalOrder()).orElse(NEVER);
    }
  }
}
