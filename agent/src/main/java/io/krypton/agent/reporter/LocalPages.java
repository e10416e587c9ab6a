package io.krypton.agent.reporter;

import io.krypton.agent.local.MetricsText;
import io.krypton.agent.local.Page;
import io.krypton.agent.report.ConditionFormat;
import io.krypton.agent.settings.GoDuration;
import io.krypton.kms.verdict.HealthClass;
import io.krypton.kms.verdict.KeyIdHash;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** What the reporter tells on its own node, also while the API server is away. */
final class LocalPages {
  private final ReporterSettings settings;
  private final NodeView node;
  private final Mailbox mailbox;
  private final PublishJournal journal;
  private final ProcessClock clock;
  private final BooleanSupplier alive;

  LocalPages(
      ReporterSettings settings,
      NodeView node,
      Mailbox mailbox,
      PublishJournal journal,
      ProcessClock clock,
      BooleanSupplier alive) {
    this.settings = settings;
    this.node = node;
    this.mailbox = mailbox;
    this.journal = journal;
    this.clock = clock;
    this.alive = alive;
  }

  Map<String, Supplier<Page>> byPath() {
    return Map.of(
        "/healthz",
        this::health,
        "/livez",
        () -> Page.probe(alive.getAsBoolean(), "a loop stands still"),
        "/readyz",
        () -> Page.probe(mailbox.latest().tick() > 0, "first probes under way"),
        "/metrics",
        this::metrics);
  }

  /** Tells and does not judge: a status other than 200 might get the reporter restarted. */
  private Page health() {
    var text = new StringBuilder();
    node.plugins().forEach(plugin -> text.append(line(plugin)).append('\n'));
    text.append("last publish: ").append(lastPublish()).append('\n');
    text.append("last API error: ").append(journal.lastError().orElse("none")).append('\n');
    for (var transition : node.transitions()) {
      text.append(
          "%s keyID %s %s\n"
              .formatted(
                  transition.to().lastChecked(), transition.to().keyId(), transition.words()));
    }
    return Page.ok(text.toString());
  }

  private String line(PluginView plugin) {
    var report = plugin.report();
    if (report != null) {
      return ConditionFormat.line(report, settings.interval(), settings.lease());
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
    return journal
        .publishedAt()
        .map(at -> GoDuration.format(wholeSeconds(clock.elapsed().minus(at))) + " ago")
        .orElse("never");
  }

  private Page metrics() {
    var text = new MetricsText();
    pluginMetrics(text);
    node.metrics().writeTo(text);
    publishMetrics(text);
    return Page.ok(text.toString());
  }

  private void pluginMetrics(MetricsText text) {
    var healthy = "krypton_kms_plugin_healthy";
    text.gauge(healthy, "Whether the plugin is reported as healthy.");
    for (var plugin : node.plugins()) {
      plugin
          .judged()
          .ifPresent(
              report ->
                  text.sample(
                      healthy,
                      report.health() == HealthClass.HEALTHY ? 1 : 0,
                      "key_id",
                      plugin.keyId().toString()));
    }
    var key = "krypton_kms_remote_key_info";
    text.gauge(key, "The remote key that the plugin names, as a hash.");
    for (var plugin : node.plugins()) {
      var remote = plugin.remoteKeyId();
      if (remote != null) {
        text.sample(
            key, 1, "key_id", plugin.keyId().toString(), "key_id_hash", KeyIdHash.of(remote));
      }
    }
  }

  private void publishMetrics(MetricsText text) {
    text.gauge("krypton_reporter_api_connected", "Whether the API server answered the last call.")
        .sample("krypton_reporter_api_connected", journal.connected() ? 1 : 0);
    var age = "krypton_reporter_last_publish_age_seconds";
    text.gauge(age, "Time since the API server last took a report.");
    journal.publishedAt().ifPresent(at -> text.sample(age, seconds(clock.elapsed().minus(at))));
    var unpublished = "krypton_reporter_unpublished_transitions";
    text.gauge(unpublished, "Changes that happened since the last report that was taken.")
        .sample(
            unpublished,
            (double) (mailbox.latest().transitions() - journal.publishedTransitions()));
    var writes = "krypton_reporter_writes_total";
    text.counter(writes, "Writes to the API server by how they ended.");
    journal
        .counts()
        .forEach(
            (outcome, count) ->
                text.sample(
                    writes,
                    (double) count,
                    "kind",
                    outcome.kind().word(),
                    "result",
                    outcome.result()));
    var mode = "krypton_reporter_heartbeat_mode";
    text.gauge(mode, "The sign of life in use.")
        .sample(mode, 1, "mode", journal.heartbeat().word());
  }

  private static double seconds(Duration duration) {
    return (double) duration.toMillis() / 1e3;
  }

  private static Duration wholeSeconds(Duration duration) {
    return Duration.ofSeconds(duration.toSeconds());
  }
}
