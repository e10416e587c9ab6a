// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.kmshealth.NodeHealth;
import io.krypton.base.kmsreport.NodeReport;
import io.krypton.base.kmsreport.ReportNames;
import io.krypton.multicluster.cache.ObjectCache;
import io.krypton.multicluster.controller.Reconciler.ReconcileResult;
import io.krypton.multicluster.status.StatusWriter;
import io.krypton.multicluster.status.StatusWriter.StatusResult;
import io.krypton.operator.kmshealth.aggregate.AggregationResult;
import io.krypton.operator.kmshealth.aggregate.AggregatorState;
import io.krypton.operator.kmshealth.aggregate.HealthAggregator;
import io.krypton.operator.kmshealth.aggregate.Observation;
import io.krypton.operator.kmshealth.cleanup.OrphanCleanup;
import io.krypton.operator.kmshealth.cleanup.OrphanRemover;
import io.krypton.operator.kmshealth.cleanup.OwnedStatus;
import io.krypton.operator.kmshealth.input.ApiServerKeyReader;
import io.krypton.operator.kmshealth.input.ClockReading;
import io.krypton.operator.kmshealth.input.ExpectedNodesResolver;
import io.krypton.operator.kmshealth.input.LeaseWatch;
import io.krypton.operator.kmshealth.input.LeaseWatch.LeaseSnapshot;
import io.krypton.operator.kmshealth.input.NodeLeases;
import io.krypton.operator.kmshealth.input.NodeWatch;
import io.krypton.operator.kmshealth.input.ReportParser;
import io.krypton.operator.kmshealth.summary.HealthSummary;
import io.krypton.operator.kmshealth.targets.HealthTarget;
import io.krypton.operator.kmshealth.targets.HealthTarget.TargetState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reconciles one object of one cluster: observe, aggregate, publish, remove orphans. */
final class KmsHealthReconciler<T extends HasMetadata> {
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final Duration PAST = Duration.ofMillis(5);

  private static final Logger log = LoggerFactory.getLogger(KmsHealthReconciler.class);

  private final Dependencies<T> dependencies;
  private final StatusWriter<T> statusWriter;
  private final OrphanRemover<T> orphanRemover;
  private final OrphanCleanup orphanCleanup;
  private final ApiServerKeyReader serverKey;
  private final AtomicReference<@Nullable AggregatorState> aggregatorState =
      new AtomicReference<>();
  private final AtomicReference<@Nullable AggregationResult> lastResult = new AtomicReference<>();

  /** What a reconciler needs. */
  record Dependencies<T extends HasMetadata>(
      String cluster,
      KubernetesClient client,
      KmsHealthSettings settings,
      HealthTarget<T> target,
      ObjectCache<T> objects,
      LeaseWatch leases,
      NodeWatch nodes,
      HealthSummary<T> summary,
      KmsHealthEvents events,
      KmsHealthListener listener,
      Supplier<ClockReading> clock) {}

  KmsHealthReconciler(Dependencies<T> dependencies) {
    this.dependencies = dependencies;
    this.statusWriter = new StatusWriter<>(dependencies.client, ReportNames.AGGREGATOR);
    this.serverKey = new ApiServerKeyReader(dependencies.client);
    this.orphanRemover =
        new OrphanRemover<>(
            dependencies.client, dependencies.target.type(), dependencies.target::blank);
    this.orphanCleanup =
        new OrphanCleanup(
            dependencies.cluster, () -> dependencies.clock.get().uptime(), new Random());
  }

  String targetName() {
    return dependencies.target.targetName();
  }

  ObjectCache<T> objects() {
    return dependencies.objects;
  }

  /** Drops the state: events may have been missed, so the next reconcile is like the first. */
  void reset() {
    aggregatorState.set(null);
  }

  ReconcileResult reconcile() {
    if (dependencies.objects.failure().isPresent() || dependencies.leases.failure().isPresent()) {
      // Without a working watch nothing is known of the nodes; their silence is ours.
      reset();
      return ReconcileResult.requeueAfter(SOON);
    }
    var found = dependencies.objects.get("", HealthTarget.NAME);
    if (found.isEmpty()) {
      reset();
      dependencies.target.createIfOwned(dependencies.client);
      dependencies.summary.onSourceMissing();
      return ReconcileResult.requeueAfter(SOON);
    }
    return reconcile(found.get(), dependencies.clock.get());
  }

  private ReconcileResult reconcile(T cached, ClockReading now) {
    var stored = aggregatorState.get();
    var before = stored == null ? AggregatorState.initial(now) : stored;
    watchReportedLeases(cached);
    var pass = new Pass(before, now, dependencies.leases.fromCache(), false);
    var first = aggregate(pass, cached);
    if (first.suspectedStale().isEmpty()) {
      return publish(stored, pass, cached, first);
    }
    // A node is stale only if the server itself has nothing newer: a watch may have stalled.
    var live =
        dependencies.client.resources(dependencies.target.type()).withName(HealthTarget.NAME).get();
    var confirmed = new Pass(before, now, dependencies.leases.fromServer(), true);
    if (live == null
        || observe(confirmed, live).differsFrom(observe(pass, cached), first.suspectedStale())) {
      log.atInfo()
          .addKeyValue("cluster", dependencies.cluster)
          .addKeyValue("nodes", first.suspectedStale().size())
          .log("watch is behind the server, reconnecting");
      reconnect();
      return ReconcileResult.requeueAfter(SOON);
    }
    return publish(stored, confirmed, live, aggregate(confirmed, live));
  }

  /**
   * The input of one reconcile.
   *
   * @param fromServer read from the server, not from a cache
   */
  private record Pass(
      AggregatorState before, ClockReading now, LeaseSnapshot leases, boolean fromServer) {}

  private ReconcileResult publish(
      @Nullable AggregatorState stored, Pass pass, T cached, AggregationResult first) {
    var now = pass.now;
    var published = publish(pass, cached, first);
    if (published.outcome != null) {
      return published.outcome;
    }
    // A reset in between must not be undone.
    aggregatorState.compareAndSet(stored, published.result.state());
    recordChanges(published.live, dependencies.target.stateOf(cached), published.result);
    var next = syncSummary(published.live, published.result, now);
    var retry = removeOrphans(published.live, published.result, pass.leases);
    var agreed = published.result.convergence();
    serverKey.refresh(agreed == null ? null : agreed.remoteKeyHash(), now);
    var pause = shorter(published.result.requeueAfter(), next, now.wall());
    return ReconcileResult.requeueAfter(retry.filter(it -> it.compareTo(pause) < 0).orElse(pause));
  }

  /** How publishing ended; with an outcome if the reconcile ends here. */
  private record PublishResult<T>(
      T live, AggregationResult result, @Nullable ReconcileResult outcome) {}

  private PublishResult<T> publish(Pass pass, T cached, AggregationResult first) {
    if (!first.inUse()) {
      return new PublishResult<>(withdraw(cached), first, null);
    }
    var latest = new AtomicReference<>(first);
    var result =
        statusWriter.write(
            cached,
            live -> {
              var again = aggregate(pass, live);
              latest.set(again);
              return dependencies.target.applyConfiguration(again, live);
            });
    var aggregationResult = Objects.requireNonNull(latest.get());
    return switch (result) {
      case StatusResult.Unchanged<T>(var live) ->
          new PublishResult<>(live, aggregationResult, null);
      case StatusResult.Written<T>(var live) -> {
        dependencies.listener.statusWritten(dependencies.cluster, targetName(), "statement");
        yield new PublishResult<>(live, aggregationResult, null);
      }
      case StatusResult.Conflict<T> conflict ->
          new PublishResult<>(cached, aggregationResult, ReconcileResult.requeueAfter(SOON));
      case StatusResult.Gone<T> gone ->
          new PublishResult<>(cached, aggregationResult, ReconcileResult.requeueAfter(SOON));
      case StatusResult.Refused<T>(var code, var message) ->
          new PublishResult<>(
              cached, aggregationResult, ReconcileResult.retry("HTTP " + code, message));
    };
  }

  private T withdraw(T cached) {
    if (!OwnedStatus.has(cached, ReportNames.AGGREGATOR)) {
      return cached;
    }
    dependencies.listener.statusWritten(dependencies.cluster, targetName(), "withdrawal");
    return OwnedStatus.drop(
        dependencies.client, cached, dependencies.target.blank(), ReportNames.AGGREGATOR);
  }

  private AggregationResult aggregate(Pass pass, T live) {
    return HealthAggregator.aggregate(
        pass.before, observe(pass, live), dependencies.settings.gracePeriods());
  }

  private Observation observe(Pass pass, T live) {
    var state = dependencies.target.stateOf(live);
    var reports = reports(state);
    var nodeLeases =
        NodeLeases.of(targetName(), pass.leases, reports, pass.before.expected().nodes().keySet());
    return new Observation(
        pass.now,
        state.spec(),
        ExpectedNodesResolver.resolve(state.nodeSelection(), dependencies.nodes),
        reports,
        nodeLeases.heartbeats(),
        nodeLeases.missingReasons(),
        state.published(),
        pass.fromServer);
  }

  private static SortedMap<String, NodeReport> reports(TargetState state) {
    return ReportParser.parse(state.conditions(), state.reports());
  }

  /** Reports name the namespaces of their Leases. */
  private void watchReportedLeases(T cached) {
    var namespaces = new HashSet<String>();
    reports(dependencies.target.stateOf(cached))
        .values()
        .forEach(report -> report.lease().ifPresent(lease -> namespaces.add(lease.namespace())));
    dependencies.leases.watchNamespaces(targetName(), namespaces);
  }

  /** Old watches may be dead, and events may have been missed. */
  void reconnect() {
    reset();
    dependencies.objects.reconnect();
    dependencies.nodes.reconnect();
    dependencies.leases.reconnect();
  }

  private void recordChanges(T regarding, TargetState before, AggregationResult after) {
    dependencies.events.recordTransitions(regarding, before.published(), after);
    after
        .warnings()
        .forEach(nodeWarning -> dependencies.events.recordWarning(regarding, nodeWarning));
    var known = malformed(lastResult.getAndSet(after));
    malformed(after).stream()
        .filter(node -> !known.contains(node))
        .forEach(node -> dependencies.listener.malformedReport(dependencies.cluster, targetName()));
  }

  private static Set<String> malformed(@Nullable AggregationResult aggregationResult) {
    var nodes = new HashSet<String>();
    if (aggregationResult != null) {
      aggregationResult.nodes().stream()
          .filter(node -> node.state() == NodeHealth.State.MALFORMED)
          .forEach(node -> nodes.add(node.nodeName()));
    }
    return nodes;
  }

  private Optional<Instant> syncSummary(
      T live, AggregationResult aggregationResult, ClockReading now) {
    return dependencies.summary.sync(
        live, dependencies.target.stateOf(live), aggregationResult.inUse(), now.wall());
  }

  /** Returns when to retry what failed. */
  private Optional<Duration> removeOrphans(
      T regarding, AggregationResult aggregationResult, LeaseSnapshot leases) {
    var nodeLeases =
        NodeLeases.of(
            targetName(),
            leases,
            reports(dependencies.target.stateOf(regarding)),
            aggregationResult.orphans());
    var round =
        orphanCleanup.cleanUp(
            aggregationResult.orphans(),
            node ->
                orphanRemover.remove(HealthTarget.NAME, node, nodeLeases.of(node).orElse(null)));
    for (var node : round.removed()) {
      dependencies.events.recordOrphanRemoved(regarding, node);
      dependencies.listener.orphanRemoved(dependencies.cluster, targetName());
    }
    return round.requeueAfter();
  }

  private static Duration shorter(Duration pause, Optional<Instant> next, Instant now) {
    return next.map(at -> Duration.between(now, at).plus(PAST))
        .filter(left -> left.compareTo(pause) < 0)
        .map(left -> left.isNegative() ? PAST : left)
        .orElse(pause);
  }

  Optional<KmsHealthView> view() {
    return dependencies
        .objects
        .get("", HealthTarget.NAME)
        .map(
            object ->
                KmsHealthView.of(
                    dependencies.cluster,
                    targetName(),
                    dependencies.target.stateOf(object),
                    lastResult.get(),
                    aggregatorState.get(),
                    serverKey.hash().orElse(null),
                    dependencies.clock.get()));
  }
}
