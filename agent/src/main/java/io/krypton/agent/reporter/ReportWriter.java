package io.krypton.agent.reporter;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.krypton.agent.publish.ApiCall;
import io.krypton.agent.publish.ApiResult;
import io.krypton.agent.publish.ApiServer;
import io.krypton.agent.publish.StatusApply;
import io.krypton.agent.publish.Target;
import io.krypton.agent.report.ConditionFormat;
import io.krypton.agent.report.NodeReport;
import io.krypton.agent.report.TypedFormat;
import io.krypton.agent.report.TypedFormat.Schema;
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
  private final Target target;
  private final Duration timeout;
  private final OwnCondition ownCondition;
  private final Duration refreshInterval;
  private ReportForm form;
  private @Nullable Duration earlierSchemaUntil;

  ReportWriter(ReporterSettings settings, ApiServer api, ProcessClock clock) {
    this.api = api;
    this.clock = clock;
    this.apply = new StatusApply(settings.target(), settings.nodeName());
    this.target = settings.target();
    this.timeout = settings.writeTimeout();
    this.ownCondition = new OwnCondition(ConditionFormat.typeFor(settings.nodeName()));
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
    if (!ownCondition.isKnown()) {
      var answer = call(apply.read());
      if (!ownCondition.learnFrom(answer)) {
        return answer;
      }
    }
    var status = report.outcome().status();
    var since = ownCondition.transitionTime(status, clock.now());
    var result = call(apply.condition(ConditionFormat.condition(report, since)));
    if (result instanceof ApiResult.Done) {
      ownCondition.remember(status, since);
    }
    return result;
  }

  private ApiResult writeTyped(NodeReport report) throws InterruptedException {
    var schema = schemaToTry();
    var result = writeTyped(report, schema);
    if (result instanceof ApiResult.UndeclaredField && schema == Schema.KMS_HEALTH) {
      noteEarlierSchema();
      result = writeTyped(report, Schema.EARLIER_KMS_HEALTH);
    } else if (result instanceof ApiResult.Done && schema == Schema.KMS_HEALTH) {
      earlierSchemaUntil = null;
    }
    if (result instanceof ApiResult.UndeclaredField) {
      log.atWarn()
          .addKeyValue("target", target.word())
          .log("the target has no typed list of reports: writing conditions until restart");
      form = ReportForm.CONDITION;
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

  private void noteEarlierSchema() {
    if (earlierSchemaUntil == null) {
      log.atWarn()
          .addKeyValue("target", target.word())
          .log("KmsHealth is defined by an earlier release: reporting without role and Lease");
    }
    earlierSchemaUntil = clock.elapsed().plus(refreshInterval.dividedBy(2));
  }

  private ApiResult writeTyped(NodeReport report, Schema schema) throws InterruptedException {
    var entries = TypedFormat.entries(report, schema);
    var result = call(apply.healthReports(entries));
    return blamesAnEntry(result) ? writeAcceptable(entries, result) : result;
  }

  /**
   * One bad entry gets the whole apply refused. The index in the refusal counts the merged list of
   * all nodes, so it does not tell which of ours it is; a dry run of each one does.
   */
  private ApiResult writeAcceptable(List<ObjectNode> entries, ApiResult refusal)
      throws InterruptedException {
    var acceptable = new ArrayList<ObjectNode>();
    for (var entry : entries) {
      var answer = call(apply.healthReports(List.of(entry)).asDryRun());
      switch (answer) {
        case ApiResult.Done _ -> acceptable.add(entry);
        case ApiResult.Invalid invalid ->
            log.atWarn()
                .addKeyValue("keyID", entry.path("keyID").asText())
                .addKeyValue("answer", invalid.explanation())
                .log("the API server refuses this plugin's entry: reporting without it");
        default -> {
          return answer;
        }
      }
    }
    return acceptable.isEmpty() || acceptable.size() == entries.size()
        ? refusal
        : call(apply.healthReports(acceptable));
  }

  private static boolean blamesAnEntry(ApiResult result) {
    return result instanceof ApiResult.Invalid invalid
        && invalid.fields().stream().anyMatch(field -> field.contains("healthReports["));
  }

  private ApiResult call(ApiCall call) throws InterruptedException {
    return api.call(call, timeout);
  }
}
