// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.publish;

import static io.krypton.agent.reporter.publish.Samples.FAILING;
import static io.krypton.agent.reporter.publish.Samples.HEALTHY;
import static io.krypton.agent.reporter.publish.Samples.HEALTHY_PLUGIN;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.krypton.agent.kube.ApiRequest;
import io.krypton.agent.kube.ApiResult;
import io.krypton.agent.reporter.config.ReporterSettings.ReportFormat;
import io.krypton.base.kmsreport.KeyId;
import io.krypton.base.kmsreport.PluginReport;
import io.krypton.base.kmsreport.ReportTarget;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReportWriterTest {
  private static final Instant NOW = Instant.parse("2026-05-08T13:00:00Z");
  private final FakeApi api = new FakeApi();
  private final AtomicLong nanos = new AtomicLong();

  @Test
  void a_fresh_process_keeps_the_stored_transition_time_if_the_status_is_the_same()
      throws Exception {
    serverHas(condition("True", "2026-01-01T00:00:00Z"));
    var writer = writer(ReportFormat.CONDITION, ReportTarget.KMSHEALTH);

    writer.write(HEALTHY);
    assertThat(sentTime()).isEqualTo("2026-01-01T00:00:00Z");

    writer.write(FAILING);
    assertThat(sentTime()).isEqualTo("2026-05-08T13:00:00Z");
    assertThat(api.calls()).filteredOn(call -> call.method().equals("GET")).hasSize(1);
  }

  @Test
  void a_fresh_process_that_finds_another_status_begins_now() throws Exception {
    serverHas(condition("Unknown", "2026-01-01T00:00:00Z"));
    writer(ReportFormat.CONDITION, ReportTarget.KMSHEALTH).write(HEALTHY);

    assertThat(sentTime()).isEqualTo("2026-05-08T13:00:00Z");
  }

  @Test
  void a_stored_condition_that_makes_no_sense_is_a_new_beginning() throws Exception {
    serverHas(condition("True", "yesterday"));
    writer(ReportFormat.CONDITION, ReportTarget.KMSHEALTH).write(HEALTHY);

    assertThat(sentTime()).isEqualTo("2026-05-08T13:00:00Z");
  }

  @Test
  void without_the_right_to_look_the_time_is_now() throws Exception {
    api.answers(
        call ->
            call.method().equals("GET")
                ? new ApiResult.Forbidden("403")
                : ApiResult.Done.withoutBody());
    writer(ReportFormat.CONDITION, ReportTarget.KMSHEALTH).write(HEALTHY);

    assertThat(sentTime()).isEqualTo("2026-05-08T13:00:00Z");
  }

  @Test
  void nothing_is_written_before_the_stored_condition_was_looked_at() throws Exception {
    api.answers(new ApiResult.Unreachable("refused"));

    assertThat(writer(ReportFormat.CONDITION, ReportTarget.KMSHEALTH).write(HEALTHY))
        .isEqualTo(new ApiResult.Unreachable("refused"));
    assertThat(api.reports()).isEmpty();
  }

  @Test
  void a_schema_without_typed_list_turns_reports_into_conditions_for_good() throws Exception {
    api.answers(
        call ->
            String.valueOf(call.body()).contains("healthReports")
                ? new ApiResult.UndeclaredField("500 .status.x: field not declared in schema")
                : ApiResult.Done.withoutBody());
    var writer = writer(ReportFormat.TYPED, ReportTarget.KUBEAPISERVER);

    assertThat(writer.write(HEALTHY)).isInstanceOf(ApiResult.Done.class);
    assertThat(writer.write(FAILING)).isInstanceOf(ApiResult.Done.class);

    assertThat(api.reports())
        .filteredOn(call -> String.valueOf(call.body()).contains("healthReports"))
        .hasSize(1);
  }

  @Test
  void a_definition_of_an_earlier_release_gets_typed_reports_without_what_it_does_not_know()
      throws Exception {
    api.answers(
        call ->
            String.valueOf(call.body()).contains("lease")
                ? new ApiResult.UndeclaredField("500 .role: field not declared in schema")
                : ApiResult.Done.withoutBody());
    var writer = writer(ReportFormat.TYPED, ReportTarget.KMSHEALTH);

    assertThat(writer.write(HEALTHY)).isInstanceOf(ApiResult.Done.class);
    assertThat(keyIds(api.reports().getLast())).containsExactly("2");
    assertThat(writer.write(FAILING)).isInstanceOf(ApiResult.Done.class);
    assertThat(api.reports()).as("known by now").hasSize(3);

    api.answers(ApiResult.Done.withoutBody());
    nanos.set(Duration.ofMinutes(10).toNanos());
    writer.write(HEALTHY);
    assertThat(lastReport().at("/status/encryptionStatus/healthReports/0/lease").asText())
        .as("a refresh finds that the definition was replaced")
        .isEqualTo("ns/kms-n1");
  }

  @Test
  void an_entry_that_the_server_refuses_does_not_sink_its_siblings() throws Exception {
    var refused = PluginReport.healthy(KeyId.of(1), NOW, "bad");
    api.answers(
        call ->
            String.valueOf(call.body()).contains("bad")
                ? new ApiResult.Invalid(
                    422, List.of("status.encryptionStatus.healthReports[3].remoteKeyID"), "422")
                : ApiResult.Done.withoutBody());

    var result =
        writer(ReportFormat.TYPED, ReportTarget.KMSHEALTH)
            .write(Samples.report(HEALTHY_PLUGIN, refused));

    assertThat(result).isInstanceOf(ApiResult.Done.class);
    assertThat(keyIds(api.reports().getLast())).containsExactly("2");
    assertThat(api.reports().getLast().pathAndQuery()).doesNotContain("dryRun");
    assertThat(api.reports())
        .filteredOn(call -> call.pathAndQuery().endsWith("&dryRun=All"))
        .hasSize(2);
  }

  @Test
  void if_every_entry_is_refused_the_refusal_stands() throws Exception {
    var refusal = new ApiResult.Invalid(422, List.of("status.healthReports[0]"), "422");
    api.answers(refusal);

    assertThat(writer(ReportFormat.TYPED, ReportTarget.KMSHEALTH).write(HEALTHY))
        .isEqualTo(refusal);
  }

  private ReportWriter writer(ReportFormat form, ReportTarget reportTarget) {
    return new ReportWriter(
        Samples.settings("report-as", form.value(), "target", reportTarget.value()),
        api,
        new ProcessClock(Clock.fixed(NOW, ZoneOffset.UTC), nanos::get));
  }

  private void serverHas(JsonNode object) {
    api.answers(
        call ->
            call.method().equals("GET")
                ? new ApiResult.Done(object)
                : ApiResult.Done.withoutBody());
  }

  private String sentTime() {
    return lastReport().at("/status/conditions/0/lastTransitionTime").asText();
  }

  private JsonNode lastReport() {
    return body(api.reports().getLast());
  }

  private static List<String> keyIds(ApiRequest call) {
    return body(call)
        .at("/status/encryptionStatus/healthReports")
        .valueStream()
        .map(entry -> entry.path("keyID").asText())
        .toList();
  }

  private static JsonNode body(ApiRequest call) {
    var body = call.body();
    assertThat(body).isNotNull();
    return body == null ? new ObjectMapper().nullNode() : body;
  }

  private static JsonNode condition(String status, String time) throws JsonProcessingException {
    return new ObjectMapper()
        .readTree(
            """
            {"status": {"conditions": [
              {"type": "Other", "status": "False", "lastTransitionTime": "2020-01-01T00:00:00Z"},
              {"type": "KMSHealthReporter_n1", "status": "%s", "lastTransitionTime": "%s"}]}}
            """
                .formatted(status, time));
  }
}
