// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.publish;

import io.krypton.agent.kube.ApiRequest;
import io.krypton.agent.kube.ApiResult;
import io.krypton.agent.kube.ApiServer;
import io.krypton.agent.reporter.config.ReporterSettings;
import io.krypton.agent.reporter.config.ReporterSettings.ReportFormat;
import io.krypton.agent.reporter.report.StatusApply;
import io.krypton.base.kmsreport.LineReport;
import io.krypton.base.kmsreport.NodeReport;
import io.krypton.base.kmsreport.ReportNames;
import io.krypton.base.kmsreport.ReportTarget;
import io.krypton.base.kmsreport.TypedEntry;
import io.krypton.base.kmsreport.TypedReport;
import io.krypton.base.kmsreport.TypedReport.Schema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes a whole report in the form the target understands. Used by one thread. */
final class ReportWriter {
  private static final Logger log = LoggerFactory.getLogger(ReportWriter.class);

  private final ApiServer api;
  private final ProcessClock clock;
  private final StatusApply apply;
  private final ReportTarget target;
  private final Duration timeout;
  private final OwnConditionState conditionState;
  private final Duration refreshInterval;
  private ReportFormat form;
  private @Nullable Duration earlierSchemaUntil;

  ReportWriter(ReporterSettings settings, ApiServer api, ProcessClock clock) {
    this.api = api;
    this.clock = clock;
    this.apply = new StatusApply(settings.target(), settings.nodeName());
    this.target = settings.target();
    this.timeout = settings.writeTimeout();
    this.conditionState = new OwnConditionState(ReportNames.conditionType(settings.nodeName()));
    this.refreshInterval = settings.refreshInterval();
    this.form = settings.reportAs();
  }

  ApiResult write(NodeReport report) throws InterruptedException {
    return switch (form) {
      case CONDITION -> writeCondition(report);
      case TYPED -> writeTyped(report);
    };
  }

  private ApiResult writeCondition(NodeReport report) throws InterruptedException {
    if (!conditionState.isKnown()) {
      var answer = call(apply.read());
      if (!conditionState.initializeFrom(answer)) {
        return answer;
      }
    }
    var status = report.outcome().status();
    var since = conditionState.transitionTime(status, clock.now());
    var result = call(apply.condition(LineReport.condition(report, since)));
    if (result instanceof ApiResult.Done) {
      conditionState.update(status, since);
    }
    return result;
  }

  private ApiResult writeTyped(NodeReport report) throws InterruptedException {
    var schema = schemaToTry();
    var result = writeTyped(report, schema);
    if (result instanceof ApiResult.UndeclaredField && schema == Schema.KMS_HEALTH) {
      fallBackToEarlierSchema();
      result = writeTyped(report, Schema.EARLIER_KMS_HEALTH);
    } else if (result instanceof ApiResult.Done && schema == Schema.KMS_HEALTH) {
      earlierSchemaUntil = null;
    }
    if (result instanceof ApiResult.UndeclaredField) {
      log.atWarn()
          .addKeyValue("target", target.value())
          .log("target has no typed list of reports, falling back to conditions until restart");
      form = ReportFormat.CONDITION;
      return writeCondition(report);
    }
    return result;
  }

  /** A definition that lacked fields may have been replaced, which a refresh finds out. */
  private Schema schemaToTry() {
    if (target.isOpenShift()) {
      return Schema.OPENSHIFT;
    }
    return earlierSchemaUntil != null && clock.elapsed().compareTo(earlierSchemaUntil) < 0
        ? Schema.EARLIER_KMS_HEALTH
        : Schema.KMS_HEALTH;
  }

  private void fallBackToEarlierSchema() {
    if (earlierSchemaUntil == null) {
      log.atWarn()
          .addKeyValue("target", target.value())
          .log("KmsHealth is defined by an earlier release, reporting without role and Lease");
    }
    earlierSchemaUntil = clock.elapsed().plus(refreshInterval.dividedBy(2));
  }

  private ApiResult writeTyped(NodeReport report, Schema schema) throws InterruptedException {
    var entries = TypedReport.write(report, schema);
    var result = call(apply.healthReports(entries));
    return rejectsSingleEntry(result) ? writeValidEntries(entries, result) : result;
  }

  /**
   * One bad entry gets the whole apply refused. The index in the refusal counts the merged list of
   * all nodes, so it does not identify ours; a dry run of each one does.
   */
  private ApiResult writeValidEntries(List<TypedEntry> entries, ApiResult refusal)
      throws InterruptedException {
    var acceptable = new ArrayList<TypedEntry>();
    for (var entry : entries) {
      var answer = call(apply.healthReports(List.of(entry)).asDryRun());
      switch (answer) {
        case ApiResult.Done _ -> acceptable.add(entry);
        case ApiResult.Invalid invalid ->
            log.atWarn()
                .addKeyValue("keyID", entry.keyID())
                .addKeyValue("answer", invalid.explanation())
                .log("API server rejected the entry of a plugin, reporting without it");
        default -> {
          return answer;
        }
      }
    }
    return acceptable.isEmpty() || acceptable.size() == entries.size()
        ? refusal
        : call(apply.healthReports(acceptable));
  }

  private static boolean rejectsSingleEntry(ApiResult result) {
    return result instanceof ApiResult.Invalid invalid
        && invalid.fields().stream().anyMatch(field -> field.contains("healthReports["));
  }

  private ApiResult call(ApiRequest call) throws InterruptedException {
    return api.call(call, timeout);
  }
}
