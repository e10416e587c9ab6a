package io.krypton.agent.reporter.publish;

import io.krypton.agent.reporter.config.ReporterSettings;
import io.krypton.agent.reporter.config.ReporterSettingsParser;
import io.krypton.agent.reporter.publish.LatestSample.Sample;
import io.krypton.agent.reporter.report.NodeHealthReport;
import io.krypton.agent.reporter.report.PluginHealthReport;
import io.krypton.agent.settings.SettingLayers;
import io.krypton.kms.health.HealthClass;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reports for tests. */
public final class Samples {
  public static final Instant T0 = Instant.parse("2026-05-08T12:00:00Z");
  static final PluginHealthReport HEALTHY_PLUGIN =
      new PluginHealthReport(BigInteger.TWO, HealthClass.HEALTHY, T0, "k2", null, null);
  static final PluginHealthReport FAILING_PLUGIN =
      new PluginHealthReport(BigInteger.TWO, HealthClass.ERROR, T0, "k2", "SocketMissing", "gone");
  static final NodeHealthReport HEALTHY = report(HEALTHY_PLUGIN);
  static final NodeHealthReport FAILING = report(FAILING_PLUGIN);

  private Samples() {}

  static NodeHealthReport report(PluginHealthReport... plugins) {
    return new NodeHealthReport("n1", Duration.ofSeconds(30), "ns/kms-n1", List.of(plugins));
  }

  /** Settings of node n1 with key id 2; more flags as names and values in turn. */
  public static ReporterSettings settings(String... more) {
    var flags = new HashMap<>(Map.of("kms-sockets", "2=unix:///k", "node-name", "n1"));
    for (int i = 0; i < more.length; i += 2) {
      flags.put(more[i], more[i + 1]);
    }
    var parsed = ReporterSettingsParser.parse(new SettingLayers(flags, Map.of(), Map.of()));
    return ((ReporterSettingsParser.Parsed.Valid) parsed).settings();
  }

  static Sample sample(NodeHealthReport report, long tick) {
    return new Sample(report, tick, T0, 1);
  }
}
