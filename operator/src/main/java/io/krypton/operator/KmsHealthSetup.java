// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.kmshealth.NodeHealth;
import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.operator.OperatorSettings.ControllerName;
import io.krypton.operator.kmshealth.KmsHealthController;
import io.krypton.operator.kmshealth.KmsHealthListener;
import io.krypton.operator.kmshealth.KmsHealthSettings;
import io.krypton.operator.kmshealth.KmsHealthView;
import io.krypton.operator.observe.Metrics;
import io.krypton.operator.observe.Metrics.Sample;
import io.krypton.operator.observe.OperatorMetric;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Puts together what aggregates the KMS health of clusters. */
final class KmsHealthSetup {
  private static final ConcurrencyLimits LIMITS = new ConcurrencyLimits(8, 2);

  private final KmsHealthController controller;

  KmsHealthSetup(OperatorSettings settings, Metrics metrics) {
    var options = settings.kms();
    this.controller =
        new KmsHealthController(
            new KmsHealthSettings(
                cluster -> !options.homeOnly() || cluster.equals(HomeBootstrap.SELF),
                options.gracePeriods(),
                options.leaseNamespace(),
                options.statusSyncer(),
                options.discoveryInterval(),
                settings.version()),
            LIMITS,
            KmsHealthController.eventSource(settings.instance()),
            listener(metrics),
            (key, reconcileResult, waited, took) ->
                metrics.time(
                    OperatorMetric.RECONCILE_TIME,
                    Map.of("controller", ControllerName.KMS_HEALTH.value()),
                    took),
            Clock.systemUTC(),
            System::nanoTime);
  }

  KmsHealthController controller() {
    return controller;
  }

  private static KmsHealthListener listener(Metrics metrics) {
    return new KmsHealthListener() {
      @Override
      public void statusWritten(String cluster, String target, String kind) {
        metrics.count(
            OperatorMetric.KMS_STATUS_WRITES,
            Map.of("cluster", cluster, "target", target, "kind", kind));
      }

      @Override
      public void orphanRemoved(String cluster, String target) {
        metrics.count(
            OperatorMetric.KMS_ORPHANS_REMOVED, Map.of("cluster", cluster, "target", target));
      }

      @Override
      public void malformedReport(String cluster, String target) {
        metrics.count(
            OperatorMetric.KMS_MALFORMED_REPORTS, Map.of("cluster", cluster, "target", target));
      }
    };
  }

  /** Clusters on which some object says KMSPluginsDegraded. */
  Set<String> degradedClusters() {
    return controller.views().stream()
        .filter(view -> has(view.degraded(), ConditionStatus.TRUE))
        .map(KmsHealthView::cluster)
        .collect(Collectors.toUnmodifiableSet());
  }

  void registerMetrics(Metrics metrics) {
    metrics.gauges(
        OperatorMetric.KMS_PLUGINS_DEGRADED,
        () -> perView(view -> List.of(statusSample(view, view.degraded()))));
    metrics.gauges(
        OperatorMetric.KMS_KEYS_CONVERGED,
        () ->
            perView(
                view ->
                    List.of(
                        new Sample(
                            labels(view), has(view.converged(), ConditionStatus.TRUE) ? 1 : 0))));
    metrics.gauges(
        OperatorMetric.KMS_WRITE_KEY_FAILING,
        () -> perView(view -> List.of(new Sample(labels(view), view.writeKeyFails() ? 1 : 0))));
    metrics.gauges(OperatorMetric.KMS_NODES, () -> perView(KmsHealthSetup::nodes));
    metrics.gauges(
        OperatorMetric.KMS_EVIDENCE_AGE, () -> perView(view -> perNode(view, view.evidenceAges())));
    metrics.gauges(
        OperatorMetric.KMS_CLOCK_SKEW, () -> perView(view -> perNode(view, view.clockSkews())));
  }

  private List<Sample> perView(Function<KmsHealthView, List<Sample>> samples) {
    return controller.views().stream().flatMap(view -> samples.apply(view).stream()).toList();
  }

  private static Sample statusSample(KmsHealthView view, @Nullable Condition condition) {
    return new Sample(with(labels(view), "status", statusValue(condition)), 1);
  }

  private static List<Sample> nodes(KmsHealthView view) {
    var samples = new ArrayList<Sample>();
    for (var state : NodeHealth.State.values()) {
      var count = view.nodes().stream().filter(node -> node.state() == state).count();
      samples.add(
          new Sample(with(labels(view), "state", state.name().toLowerCase(Locale.ROOT)), count));
    }
    return samples;
  }

  private static List<Sample> perNode(KmsHealthView view, Map<String, Duration> values) {
    return values.entrySet().stream()
        .map(
            value ->
                new Sample(
                    with(labels(view), "node", value.getKey()),
                    value.getValue().toMillis() / 1000.0))
        .toList();
  }

  private static Map<String, String> labels(KmsHealthView view) {
    return Map.of("cluster", view.cluster(), "target", view.target());
  }

  private static Map<String, String> with(Map<String, String> labels, String name, String value) {
    var more = new LinkedHashMap<>(labels);
    more.put(name, value);
    return more;
  }

  private static boolean has(@Nullable Condition condition, ConditionStatus status) {
    return condition != null && condition.status() == status;
  }

  private static String statusValue(@Nullable Condition condition) {
    return condition == null
        ? "None"
        : switch (condition.status()) {
          case TRUE -> "True";
          case FALSE -> "False";
          case UNKNOWN -> "Unknown";
        };
  }

  /** The part of {@code /status} about one cluster, by target; empty if it has none. */
  Map<String, Object> status(String cluster) {
    var targets = new LinkedHashMap<String, Object>();
    controller.views().stream()
        .filter(view -> view.cluster().equals(cluster))
        .forEach(view -> targets.put(view.target(), status(view)));
    return targets;
  }

  private static Map<String, Object> status(KmsHealthView view) {
    var fields = new LinkedHashMap<String, Object>();
    put(fields, "pluginsDegraded", view.degraded());
    put(fields, "degraded", view.summary());
    put(fields, "keysConverged", view.converged());
    fields.put("nodesHealthy", view.nodesHealthy());
    fields.put("writeKeyFailing", view.writeKeyFails());
    if (view.writeKeyId() != null) {
      fields.put("writeKeyID", view.writeKeyId());
    }
    if (view.remoteKeyHash() != null) {
      fields.put("remoteKeyHash", view.remoteKeyHash());
    }
    if (view.serverKeyHash() != null) {
      fields.put("apiServerKeyHash", view.serverKeyHash());
      fields.put("apiServerAgrees", view.serverKeyHash().equals(view.remoteKeyHash()));
    }
    return fields;
  }

  private static void put(Map<String, Object> fields, String name, @Nullable Condition condition) {
    if (condition != null) {
      var said = new LinkedHashMap<String, String>();
      said.put("status", statusValue(condition));
      said.put("reason", condition.reason());
      said.put("since", String.valueOf(condition.lastTransitionTime()));
      said.put("message", condition.message());
      fields.put(name, said);
    }
  }
}
