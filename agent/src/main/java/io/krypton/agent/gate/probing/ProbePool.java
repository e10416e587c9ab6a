package io.krypton.agent.gate.probing;

import io.krypton.agent.gate.settings.GateMode;
import io.krypton.agent.gate.settings.GateSettings;
import io.krypton.kms.encryption.ProviderRole;
import io.krypton.kms.probe.CanaryDirectory;
import io.krypton.kms.probe.CanaryStore;
import io.krypton.kms.probe.GateTimetable;
import io.krypton.kms.probe.PluginSpec;
import io.krypton.kms.probe.ProbeListener;
import io.krypton.kms.probe.ProbeTools;
import io.krypton.kms.probe.Prober;
import io.krypton.kms.probe.StatusSignal;
import io.krypton.kms.probe.Ticker;
import io.krypton.kms.protocol.Endpoint;
import io.krypton.kms.protocol.KmsApi;
import io.krypton.kms.protocol.PluginConnections;
import io.krypton.kms.verdict.Classification;
import io.krypton.kms.verdict.Confirmation;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The prober as the gate uses it: one probe per plan, by a name that never comes back. */
final class ProbePool implements AutoCloseable {
  /** Between two rounds when several in a row must be good. */
  private static final Duration ROUND = Duration.ofSeconds(1);

  private final GateSettings settings;
  private final NamedCanaries canaries;
  private final ProbeTools tools;
  private final PluginConnections connections = new PluginConnections();
  private final Prober<Map<ProviderRole, Confirmation>> prober;
  private int started;

  ProbePool(
      GateSettings settings,
      Clock clock,
      Ticker ticker,
      ProbeListener<Map<ProviderRole, Confirmation>> listener) {
    this.settings = settings;
    var directory = settings.canaryDirectory();
    this.canaries =
        new NamedCanaries(
            directory == null ? CanaryStore.inMemory() : new CanaryDirectory(directory));
    this.tools =
        new ProbeTools(
            new Classification(settings.document().fatalPatterns()),
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
      ProbePlan plan, KubeStatusSignal kube, BooleanSupplier gating, Supplier<Moment> moment) {
    started++;
    var name = "probe-" + started;
    canaries.name(name, plan.canaryName());
    var pace =
        new GateTimetable.Settings(
            settings.unhealthyInterval(), deepInterval(plan), settings.fatalConfirmations());
    var byRole = new EnumMap<ProviderRole, GateTimetable>(ProviderRole.class);
    for (var role : plan.roles()) {
      byRole.put(
          role,
          new GateTimetable(
              pace,
              gating,
              result -> RoleReading.read(role, plan.api(), result, moment.get()),
              tools.random()));
    }
    prober.watch(
        new PluginSpec(name, plan.api(), Endpoint.ofAddress(plan.address()), plan.timeout()),
        new RoleTimetables(byRole),
        signals(plan, kube));
    return name;
  }

  /**
   * Version proves nothing, so that kube-apiserver checks a v1 plugin by a round trip each time.
   */
  private Duration deepInterval(ProbePlan plan) {
    var deep = settings.deepInterval();
    return plan.api() == KmsApi.V1 && deep.compareTo(settings.interval()) > 0
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
      signals.add(new HttpSignal(http, plan.timeout()));
    }
    return signals;
  }

  void forget(String name) {
    prober.forget(name);
    canaries.forget(name);
  }

  @Override
  public void close() {
    prober.close();
    connections.close();
  }
}
