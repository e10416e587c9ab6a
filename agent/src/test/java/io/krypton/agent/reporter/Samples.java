package io.krypton.agent.reporter;

import io.krypton.agent.report.NodeReport;
import io.krypton.agent.report.PluginReport;
import io.krypton.agent.settings.SettingLayers;
import io.krypton.kms.verdict.HealthClass;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reports for tests. */
final class Samples {
  static final Instant T0 = Instant.parse("2026-05-08T12:00:00Z");
  static final PluginReport HEALTHY_PLUGIN =
      new PluginReport(BigInteger.TWO, HealthClass.HEALTHY, T0, "k2", null, null);
  static final PluginReport FAILING_PLUGIN =
      new PluginReport(BigInteger.TWO, HealthClass.ERROR, T0, "k2", "SocketMissing", "gone");
  static final NodeReport HEALTHY = report(HEALTHY_PLUGIN);
  static final NodeReport FAILING = report(FAILING_PLUGIN);

  private Samples() {}

  static NodeReport report(PluginReport... plugins) {
    return new NodeReport("n1", Duration.ofSeconds(30), "ns/kms-n1", List.of(plugins));
  }

  /** Settings of node n1 with key id 2; more flags as names and values in turn. */
  static ReporterSettings settings(String... more) {
    var flags = new HashMap<>(Map.of("kms-sockets", "2=unix:///k", "node-name", "n1"));
    for (int i = 0; i < more.length; i += 2) {
      flags.put(more[i], more[i + 1]);
    }
    var parsed = SettingsParser.parse(new SettingLayers(flags, Map.of(), Map.of()));
    return ((SettingsParser.Parsed.Valid) parsed).settings();
  }

  static Sample sample(NodeReport report, long tick) {
    return new Sample(report, tick, T0, 1);
  }
}
