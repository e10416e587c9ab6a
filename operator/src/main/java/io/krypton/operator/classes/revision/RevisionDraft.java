// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.revision;

import io.krypton.api.event.EventReason;
import io.krypton.api.tenantclass.TenantClass;
import io.krypton.api.tenantclass.TenantClassSpec;
import io.krypton.api.tenantclass.TenantClassStatus.ClassReasons;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.operator.classes.revision.CentralValues.ForClusters;
import io.krypton.operator.release.chart.ChartRef;
import io.krypton.operator.release.chart.ChartResult;
import io.krypton.operator.release.chart.ChartStore;
import io.krypton.operator.release.reconcile.ReferencedValues;
import io.krypton.operator.release.reconcile.ReferencedValues.ReadResult;
import io.krypton.operator.release.values.ChartValues;
import java.util.List;

/** What a class asks for now, or why that is not known or not acceptable. */
public sealed interface RevisionDraft {

  /** It can be rolled out. */
  record Complete(ChartRef chart, String digest, CentralValues values) implements RevisionDraft {
    /** Under this number of its class. */
    public ClassRevision numbered(String className, int number) {
      return ClassRevision.of(className, number, chart, digest, values);
    }
  }

  /** The chart is being loaded; the class is enqueued when that has ended. */
  record Loading() implements RevisionDraft {}

  /**
   * It cannot be rolled out as things are.
   *
   * @param reason of the condition
   */
  record Unusable(String reason, String message) implements RevisionDraft {}

  /** Reads what a class refers to. */
  static RevisionDraft of(
      TenantClass tenantClass, WorkKey key, ReferencedValues references, ChartStore charts) {
    var spec = tenantClass.getSpec();
    ChartRef chart;
    try {
      chart = chartOf(spec, key.namespace());
    } catch (IllegalArgumentException invalid) {
      return new Unusable(
          ClassReasons.CLASS_INVALID, inWordsOfAClass(String.valueOf(invalid.getMessage())));
    }
    return switch (references.read(key, spec.valuesFrom())) {
      case ReadResult.Invalid(var reason, var message) -> new Unusable(reason.value(), message);
      case ReadResult.Found(var referenced) -> {
        var request = key + "@" + tenantClass.getMetadata().getGeneration();
        yield withChart(chart, charts.chart(chart, request), valuesOf(spec, referenced));
      }
    };
  }

  /** The chart that a class names. */
  private static ChartRef chartOf(TenantClassSpec spec, String namespace) {
    var named = spec.chart();
    var chart = ChartRef.of(named.repo(), named.name(), named.version());
    if (!chart.hasExactVersion()) {
      throw new IllegalArgumentException(
          "spec.chart.version '%s': give an exact version such as 1.2.3"
              .formatted(named.version()));
    }
    return chart.openedBy(
        RevisionSecrets.secrets(namespace, named.credentialsSecret(), named.caSecret()));
  }

  private static CentralValues valuesOf(TenantClassSpec spec, ChartValues referenced) {
    List<ForClusters> byCluster =
        spec.clusterValues().stream()
            .map(some -> new ForClusters(some.clusters(), ChartValues.of(some.values())))
            .toList();
    return new CentralValues(referenced, byCluster, ChartValues.of(spec.values()));
  }

  private static RevisionDraft withChart(ChartRef chart, ChartResult result, CentralValues values) {
    return switch (result) {
      case ChartResult.Loaded loaded -> new Complete(chart, loaded.digest(), values);
      case ChartResult.Loading loading -> new Loading();
      case ChartResult.VersionInvalid(var version) ->
          new Unusable(
              ClassReasons.CLASS_INVALID,
              "spec.chart.version '%s' is no version".formatted(version));
      case ChartResult.VersionNotFound(var message) -> unavailable(message);
      case ChartResult.DigestMismatch(var message) ->
          new Unusable(EventReason.CHART_DIGEST_MISMATCH.value(), message);
      case ChartResult.NotLoaded(var message) -> unavailable(message);
      case ChartResult.ToolUnusable(var message) -> unavailable(message);
    };
  }

  private static RevisionDraft unavailable(String message) {
    return new Unusable(ClassReasons.CHART_UNAVAILABLE, inWordsOfAClass(message));
  }

  /** The same checks speak of flags where flags name the chart. */
  private static String inWordsOfAClass(String message) {
    return message
        .replace(
            "--chart-repo-username and --chart-repo-password-file", "spec.chart.credentialsSecret")
        .replace("--chart-repo-ca-file and --chart-repo-cert-file", "spec.chart.caSecret")
        .replace("--chart-repo", "spec.chart.repo")
        .replace("--chart-name", "spec.chart.name")
        .replace("--chart-version", "spec.chart.version");
  }
}
