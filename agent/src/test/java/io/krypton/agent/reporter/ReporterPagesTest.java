// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.agent.kube.ApiResult;
import io.krypton.agent.reporter.config.ReporterSettings;
import io.krypton.agent.reporter.config.ReporterSettings.Heartbeat;
import io.krypton.agent.reporter.publish.LatestSample;
import io.krypton.agent.reporter.publish.ProcessClock;
import io.krypton.agent.reporter.publish.PublishStatus;
import io.krypton.agent.reporter.publish.PublishStatus.WriteKind;
import io.krypton.agent.reporter.publish.Samples;
import io.krypton.base.http.PageRequest;
import io.krypton.base.http.PageResponse;
import io.krypton.base.kmsreport.KeyHash;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReporterPagesTest {
  private final ReporterSettings settings =
      Samples.settings("kms-sockets", "1=unix:///a,2=unix:///b");
  private final LatestSample latestSample = new LatestSample();
  private final NodeHealthCollector view =
      new NodeHealthCollector(settings, latestSample, Clock.systemUTC());
  private final ProbedNode node = new ProbedNode(view);
  private final PublishStatus journal = new PublishStatus(Heartbeat.LEASE);
  private final AtomicLong nanos = new AtomicLong();
  private final ProcessClock clock =
      new ProcessClock(Clock.fixed(Samples.T0, ZoneOffset.UTC), nanos::get);
  private boolean alive = true;

  @Test
  void health_tells_plugins_publishing_and_changes() {
    node.good("2", 0, "k2");
    node.gone("1", 0, "", "socket /a does not exist");
    journal.recordWrite(WriteKind.REPORT, new ApiResult.Unreachable("connection refused"));

    assertThat(page("/healthz"))
        .isEqualTo(
            PageResponse.ok(
                """
                keyID=2 status=healthy lastChecked=2026-05-08T12:00:00Z remoteKeyID=%s \
                interval=30s lease=krypton-system/kms-kmshealth-n1
                keyID=1 status=pending cause=SocketMissing detail=socket /a does not exist
                last publish: never
                last API error: report: unreachable: connection refused
                2026-05-08T12:00:00Z keyID 2 healthy
                """
                    .formatted(KeyHash.label("k2"))));
  }

  @Test
  void health_stays_200_when_a_plugin_fails_and_tells_the_age_of_the_last_report() {
    node.good("2", 0, "k2");
    node.good("1", 0, "k1");
    node.gone("1", 10, "k1", "");
    node.gone("1", 20, "k1", "");
    journal.recordWrite(WriteKind.REPORT, ApiResult.Done.withoutBody());
    journal.recordPublished(Duration.ZERO, 1);
    nanos.set(Duration.ofMillis(90_700).toNanos());

    assertThat(page("/healthz").status()).isEqualTo(200);
    assertThat(page("/healthz").body())
        .contains("keyID=1 status=unreachable")
        .contains("last publish: 1m30s ago\nlast API error: none\n")
        .contains("keyID 1 error SocketMissing (was healthy)");
  }

  @Test
  void ready_after_the_first_tick_whatever_it_found() {
    assertThat(page("/readyz")).isEqualTo(PageResponse.text(503, "first probes under way\n"));
    view.onTick(1);
    assertThat(page("/readyz")).isEqualTo(PageResponse.ok("ok\n"));
  }

  @Test
  void alive_as_long_as_the_loops_move() {
    assertThat(page("/livez")).isEqualTo(PageResponse.ok("ok\n"));
    alive = false;
    assertThat(page("/livez").status()).isEqualTo(503);
  }

  @Test
  void metrics_name_everything_and_remote_keys_by_hash_only() {
    node.good("2", 0, "k2-secret-name");
    node.goodDeep("2", 0, "k2-secret-name");
    node.gone("1", 0, "", "");
    journal.recordWrite(WriteKind.REPORT, ApiResult.Done.withoutBody());
    journal.recordWrite(WriteKind.LEASE, new ApiResult.Forbidden("403"));
    journal.recordPublished(Duration.ZERO, 0);
    nanos.set(Duration.ofSeconds(5).toNanos());

    assertThat(page("/metrics").body().lines().filter(line -> !line.startsWith("#")))
        .containsExactly(
            "krypton_kms_plugin_healthy{key_id=\"2\"} 1",
            "krypton_kms_remote_key_info{key_id=\"2\",key_id_hash=\""
                + KeyHash.label("k2-secret-name")
                + "\"} 1",
            "krypton_kms_probe_total{key_id=\"1\",phase=\"connect\",class=\"error\","
                + "cause=\"SocketMissing\"} 1",
            "krypton_kms_probe_total{key_id=\"2\",phase=\"deep\",class=\"healthy\",cause=\"\"} 1",
            "krypton_kms_probe_total{key_id=\"2\",phase=\"status\",class=\"healthy\",cause=\"\"} 1",
            "krypton_kms_probe_duration_seconds_sum{key_id=\"1\",phase=\"status\"} 0.250000",
            "krypton_kms_probe_duration_seconds_count{key_id=\"1\",phase=\"status\"} 1",
            "krypton_kms_probe_duration_seconds_sum{key_id=\"2\",phase=\"deep\"} 0.250000",
            "krypton_kms_probe_duration_seconds_count{key_id=\"2\",phase=\"deep\"} 1",
            "krypton_kms_probe_duration_seconds_sum{key_id=\"2\",phase=\"status\"} 0.250000",
            "krypton_kms_probe_duration_seconds_count{key_id=\"2\",phase=\"status\"} 1",
            "krypton_kms_deep_calls_total{key_id=\"2\",operation=\"encrypt\",result=\"OK\"} 1",
            "krypton_reporter_api_connected 1",
            "krypton_reporter_last_publish_age_seconds 5",
            "krypton_reporter_unpublished_transitions 0",
            "krypton_reporter_writes_total{kind=\"report\",result=\"written\"} 1",
            "krypton_reporter_writes_total{kind=\"lease\",result=\"forbidden\"} 1",
            "krypton_reporter_heartbeat_mode{mode=\"lease\"} 1");
    assertThat(page("/metrics").body()).doesNotContain("k2-secret-name");
  }

  private PageResponse page(String path) {
    var pages = new ReporterPages(settings, view, latestSample, journal, clock, () -> alive);
    try {
      return pages
          .page()
          .respond(new PageRequest("GET", path, "", Map.of(), InetAddress.getLoopbackAddress()));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
