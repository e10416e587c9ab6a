// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter;

import io.krypton.agent.http.PrometheusText;
import io.krypton.agent.reporter.config.ReporterSettings;
import io.krypton.agent.reporter.publish.LatestSample;
import io.krypton.agent.reporter.publish.ProcessClock;
import io.krypton.agent.reporter.publish.PublishStatus;
import io.krypton.base.http.Page;
import io.krypton.base.http.PageResponse;
import io.krypton.base.kmsreport.KeyHash;
import io.krypton.base.kmsreport.LineReport;
import io.krypton.base.kmsreport.NodeReport;
import io.krypton.base.kmsreport.ReportedHealth;
import io.krypton.base.text.GoDuration;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** The local pages of the reporter; they need no API server. */
final class ReporterPages {
  private final ReporterSettings settings;
  private final NodeHealthCollector node;
  private final LatestSample latestSample;
  private final PublishStatus publishStatus;
  private final ProcessClock clock;
  private final BooleanSupplier alive;

  ReporterPages(
      ReporterSettings settings,
      NodeHealthCollector node,
      LatestSample latestSample,
      PublishStatus publishStatus,
      ProcessClock clock,
      BooleanSupplier alive) {
    this.settings = settings;
    this.node = node;
    this.latestSample = latestSample;
    this.publishStatus = publishStatus;
    this.clock = clock;
    this.alive = alive;
  }

  Page page() {
    return Page.byPath(
        Map.of(
            "/healthz",
            _ -> health(),
            "/livez",
            _ -> PageResponse.probe(alive.getAsBoolean(), "a loop is stuck"),
            "/readyz",
            _ -> PageResponse.probe(latestSample.latest().tick() > 0, "first probes under way"),
            "/metrics",
            _ -> metrics()));
  }

  /** Always 200: a failing plugin must not get the reporter restarted. */
  private PageResponse health() {
    var text = new StringBuilder();
    node.plugins().forEach(plugin -> text.append(line(plugin)).append('\n'));
    text.append("last publish: ").append(lastPublish()).append('\n');
    text.append("last API error: ").append(publishStatus.lastError().orElse("none")).append('\n');
    for (var transition : node.transitions()) {
      text.append(
          "%s keyID %s %s\n"
              .formatted(
                  transition.to().lastChecked(), transition.to().keyId(), transition.describe()));
    }
    return PageResponse.ok(text.toString());
  }

  private String line(PluginHealthState plugin) {
    var report = plugin.report();
    if (report != null) {
      return LineReport.write(
          NodeReport.of(
              settings.nodeName(), settings.interval(), settings.lease(), List.of(report)));
    }
    var finding = plugin.lastFinding();
    return "keyID=%s status=pending%s"
        .formatted(
            plugin.keyId(),
            finding == null
                ? ""
                : " cause=%s detail=%s".formatted(finding.cause(), finding.message()));
  }

  private String lastPublish() {
    return publishStatus
        .publishedAt()
        .map(at -> GoDuration.compact(wholeSeconds(clock.elapsed().minus(at))) + " ago")
        .orElse("never");
  }

  private PageResponse metrics() {
    var text = new PrometheusText();
    pluginMetrics(text);
    node.metrics().writeTo(text);
    publishMetrics(text);
    return PageResponse.metrics(text.toString());
  }

  private void pluginMetrics(PrometheusText text) {
    var healthy = "krypton_kms_plugin_healthy";
    text.gauge(healthy, "Whether the plugin is reported as healthy.");
    for (var plugin : node.plugins()) {
      plugin
          .currentReport()
          .ifPresent(
              report ->
                  text.sample(
                      healthy,
                      report.health() == ReportedHealth.HEALTHY ? 1 : 0,
                      "key_id",
                      plugin.keyId().toString()));
    }
    var key = "krypton_kms_remote_key_info";
    text.gauge(key, "The remote key of the plugin, as a hash.");
    for (var plugin : node.plugins()) {
      var remote = plugin.remoteKeyId();
      if (remote != null) {
        text.sample(
            key, 1, "key_id", plugin.keyId().toString(), "key_id_hash", KeyHash.label(remote));
      }
    }
  }

  private void publishMetrics(PrometheusText text) {
    text.gauge(
            "krypton_reporter_api_connected", "Whether the API server responded to the last call.")
        .sample("krypton_reporter_api_connected", publishStatus.connected() ? 1 : 0);
    var age = "krypton_reporter_last_publish_age_seconds";
    text.gauge(age, "Time since the API server last accepted a report.");
    publishStatus
        .publishedAt()
        .ifPresent(at -> text.sample(age, seconds(clock.elapsed().minus(at))));
    var unpublished = "krypton_reporter_unpublished_transitions";
    text.gauge(unpublished, "Changes since the last accepted report.")
        .sample(
            unpublished,
            (double) (latestSample.latest().transitions() - publishStatus.publishedTransitions()));
    var writes = "krypton_reporter_writes_total";
    text.counter(writes, "Total writes to the API server by kind and result.");
    publishStatus
        .counts()
        .forEach(
            (outcome, count) ->
                text.sample(
                    writes,
                    (double) count,
                    "kind",
                    outcome.kind().value(),
                    "result",
                    outcome.result()));
    var mode = "krypton_reporter_heartbeat_mode";
    text.gauge(mode, "The heartbeat in use.")
        .sample(mode, 1, "mode", publishStatus.heartbeat().value());
  }

  private static double seconds(Duration duration) {
    return (double) duration.toMillis() / 1e3;
  }

  private static Duration wholeSeconds(Duration duration) {
    return Duration.ofSeconds(duration.toSeconds());
  }
}
