// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.publish;

import io.krypton.agent.reporter.config.ReporterSettings;
import io.krypton.agent.reporter.config.ReporterSettingsParser;
import io.krypton.agent.reporter.publish.LatestSample.Sample;
import io.krypton.base.kmsreport.KeyId;
import io.krypton.base.kmsreport.LeaseName;
import io.krypton.base.kmsreport.NodeReport;
import io.krypton.base.kmsreport.PluginReport;
import io.krypton.base.kmsreport.ReportedHealth;
import io.krypton.base.settings.SettingSources;
import io.krypton.base.settings.SettingsFile;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reports for tests. */
public final class Samples {
  public static final Instant T0 = Instant.parse("2026-05-08T12:00:00Z");
  static final PluginReport HEALTHY_PLUGIN = PluginReport.healthy(KeyId.of(2), T0, "k2");
  static final PluginReport FAILING_PLUGIN =
      PluginReport.failing(KeyId.of(2), ReportedHealth.ERROR, T0, "k2", "SocketMissing", "gone");
  static final NodeReport HEALTHY = report(HEALTHY_PLUGIN);
  static final NodeReport FAILING = report(FAILING_PLUGIN);

  private Samples() {}

  static NodeReport report(PluginReport... plugins) {
    return NodeReport.of(
        "n1", Duration.ofSeconds(30), new LeaseName("ns", "kms-n1"), List.of(plugins));
  }

  /** Settings of node n1 with key id 2; more flags as names and values in turn. */
  public static ReporterSettings settings(String... more) {
    var flags = new HashMap<>(Map.of("kms-sockets", "2=unix:///k", "node-name", "n1"));
    for (int i = 0; i < more.length; i += 2) {
      flags.put(more[i], more[i + 1]);
    }
    var parsed =
        ReporterSettingsParser.parse(
            new SettingSources("KRYPTON_", flags, Map.of(), SettingsFile.NONE));
    return ((ReporterSettingsParser.Parsed.Valid) parsed).settings();
  }

  static Sample sample(NodeReport report, long tick) {
    return new Sample(report, tick, T0, 1);
  }
}
