// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.kmsreport;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.base.kmsreport.ReportReader.ReportCondition;
import io.krypton.base.kmsreport.TypedReport.Schema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a reporter writes is what the aggregator reads. */
class RoundTripTest {
  private static final int ROUNDS = 3_000;

  @Test
  void a_condition_is_read_as_it_was_meant() {
    for (long seed = 0; seed < ROUNDS; seed++) {
      var report = Samples.anyReport(new Random(seed));
      var condition = LineReport.condition(report, Samples.CHECKED);

      var read =
          ReportReader.read(
              List.of(
                  new ReportCondition(
                      Objects.requireNonNull(condition.get("type")),
                      Objects.requireNonNull(condition.get("message")))),
              List.of());

      assertThat(read).as("seed %d", seed).containsOnlyKeys(report.node());
      assertThat(read.get(report.node())).as("seed %d", seed).isEqualTo(report);
    }
  }

  @Test
  void typed_entries_are_read_as_they_were_meant() {
    for (long seed = 0; seed < ROUNDS; seed++) {
      var report = Samples.anyReport(new Random(seed));

      var read = ReportReader.read(List.of(), TypedReport.write(report, Schema.KMS_HEALTH));

      assertThat(read.get(report.node())).as("seed %d", seed).isEqualTo(inWholeSeconds(report));
    }
  }

  /** The typed list has no finer unit. */
  private static NodeReport inWholeSeconds(NodeReport report) {
    var interval = report.interval().orElseThrow().plusMillis(999).toSeconds();
    return NodeReport.of(
        report.node(),
        Duration.ofSeconds(interval),
        report.lease().orElse(null),
        report.plugins().values());
  }

  @Test
  void narrower_schemas_lose_only_what_they_cannot_say() {
    for (long seed = 0; seed < ROUNDS; seed++) {
      var report = Samples.anyReport(new Random(seed));
      for (var schema : List.of(Schema.EARLIER_KMS_HEALTH, Schema.OPENSHIFT)) {
        var entries = TypedReport.write(report, schema);
        if (entries.isEmpty()) {
          continue;
        }
        var read = Objects.requireNonNull(ReportReader.read(List.of(), entries).get(report.node()));
        for (var plugin : read.plugins().values()) {
          var written = Objects.requireNonNull(report.plugins().get(plugin.keyId()));
          assertThat(plugin.health()).as("seed %d", seed).isEqualTo(written.health());
          assertThat(plugin.remoteKeyId()).as("seed %d", seed).isEqualTo(written.remoteKeyId());
          assertThat(plugin.detail()).as("seed %d", seed).isEqualTo(written.detail());
          assertThat(plugin.lastChecked()).as("seed %d", seed).isEqualTo(written.lastChecked());
          assertThat(plugin.role()).isNull();
          assertThat(plugin.lease()).isNull();
          assertThat(plugin.unreadableKeys()).isNull();
          assertThat(plugin.cause()).isEqualTo(schema == Schema.OPENSHIFT ? null : written.cause());
        }
      }
    }
  }

  @Test
  void the_largest_report_that_can_be_written_can_be_read() {
    var plugins = new ArrayList<PluginReport>();
    for (int i = 0; i < ReportLimits.MAX_PLUGINS; i++) {
      plugins.add(
          PluginReport.failing(
              KeyId.of(i),
              ReportedHealth.ERROR,
              Samples.CHECKED,
              "\ud83d\udd11".repeat(256),
              "Timeout",
              "x".repeat(1024)));
    }
    var report = NodeReport.of("n", Samples.INTERVAL, null, plugins);

    var message = LineReport.write(report);
    var read = ReportReader.read("n", message);

    assertThat(message.length()).isLessThanOrEqualTo(ReportLimits.MAX_WRITTEN_MESSAGE);
    assertThat(read.malformed()).isFalse();
    assertThat(read.plugins()).hasSize(ReportLimits.MAX_PLUGINS);
    assertThat(read.plugins().values())
        .allMatch(
            plugin ->
                KeyHash.ofReported(Objects.requireNonNull(plugin.remoteKeyId()))
                    .equals(KeyHash.of("\ud83d\udd11".repeat(256))));
  }
}
