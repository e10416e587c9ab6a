package io.krypton.agent.reporter;

import io.krypton.agent.reporter.SettingsParser.Parsed;
import io.krypton.kms.protocol.KmsApi;
import java.util.ArrayList;

/**
 * Corrects settings that contradict each other. They are not refused: a sidecar that exits can hold
 * back the API server itself.
 */
final class Adjustments {
  private Adjustments() {}

  static Parsed.Valid applyTo(ReporterSettings asked) {
    var warnings = new ArrayList<String>();
    var readTimeout = asked.readTimeout();
    if (readTimeout.compareTo(asked.interval()) > 0) {
      warnings.add("--read-timeout is longer than --interval and was cut to it");
      readTimeout = asked.interval();
    }
    var reportAs = asked.reportAs();
    if (reportAs == ReportForm.TYPED
        && asked.target().isOpenShift()
        && asked.kmsApi() == KmsApi.V1) {
      warnings.add(
          "--report-as=typed needs remote key ids on this target, which --kms-api=v1 has not:"
              + " reporting as condition");
      reportAs = ReportForm.CONDITION;
    }
    return new Parsed.Valid(
        new ReporterSettings(
            asked.sockets(),
            asked.nodeName(),
            asked.interval(),
            readTimeout,
            asked.writeTimeout(),
            asked.kubeconfig(),
            asked.target(),
            reportAs,
            asked.heartbeat(),
            asked.leaseNamespace(),
            asked.refreshInterval(),
            asked.deepInterval(),
            asked.kmsApi(),
            asked.keyIdFormat(),
            asked.encryptionConfig(),
            asked.listen()),
        warnings);
  }
}
