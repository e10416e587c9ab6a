// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.config;

import static io.krypton.agent.reporter.config.ReporterFlag.INTERVAL;
import static io.krypton.agent.reporter.config.ReporterFlag.NODE_NAME;

import io.krypton.agent.reporter.config.ReporterSettings.Heartbeat;
import io.krypton.agent.reporter.config.ReporterSettings.KeyIdFormat;
import io.krypton.agent.reporter.config.ReporterSettings.PluginSocket;
import io.krypton.agent.reporter.config.ReporterSettings.ReportFormat;
import io.krypton.base.kmsreport.ReportTarget;
import io.krypton.base.settings.SettingSources;
import io.krypton.base.settings.SettingsReader;
import io.krypton.base.text.GoDuration;
import io.krypton.kms.rpc.KmsApiVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Reads the settings of the reporter and reports all errors at once. */
public final class ReporterSettingsParser {
  public static final String ENVIRONMENT_PREFIX = "KRYPTON_";

  /** A quarter of the longest time after which readers call a reporter stale. */
  private static final Duration MAX_INTERVAL = Duration.ofMinutes(15);

  private final SettingsReader reader;

  private ReporterSettingsParser(SettingSources sources) {
    this.reader = new SettingsReader(sources, ReporterFlag.settings());
  }

  /** Usable settings, or everything that is wrong with them. */
  public sealed interface Parsed {
    record Valid(ReporterSettings settings, List<String> warnings) implements Parsed {}

    record Invalid(List<String> errors) implements Parsed {}
  }

  public static Parsed parse(SettingSources sources) {
    return new ReporterSettingsParser(sources).parse();
  }

  private Parsed parse() {
    var settings =
        new ReporterSettings(
            sockets(),
            nodeName(),
            interval(),
            reader.positive(ReporterFlag.READ_TIMEOUT.setting()),
            reader.positive(ReporterFlag.WRITE_TIMEOUT.setting()),
            reader.text(ReporterFlag.KUBECONFIG.setting()),
            oneOf(ReporterFlag.TARGET, ReportTarget.values(), ReportTarget::value),
            oneOf(ReporterFlag.REPORT_AS, ReportFormat.values(), ReportFormat::value),
            oneOf(ReporterFlag.HEARTBEAT, Heartbeat.values(), Heartbeat::value),
            reader.label(ReporterFlag.LEASE_NAMESPACE.setting()),
            reader.positive(ReporterFlag.REFRESH_INTERVAL.setting()),
            reader.notNegative(ReporterFlag.DEEP_INTERVAL.setting()),
            oneOf(ReporterFlag.KMS_API, KmsApiVersion.values(), KmsApiVersion::value),
            oneOf(ReporterFlag.KEY_ID_FORMAT, KeyIdFormat.values(), KeyIdFormat::value),
            reader.text(ReporterFlag.ENCRYPTION_CONFIG.setting()),
            reader.listenAddress(ReporterFlag.LISTEN.setting()));
    return reader.errors().isEmpty()
        ? Adjustments.applyTo(settings)
        : new Parsed.Invalid(reader.errors());
  }

  private List<PluginSocket> sockets() {
    var list = PluginSocketList.parse(reader.text(ReporterFlag.KMS_SOCKETS.setting()));
    list.errors().forEach(reader::reject);
    return list.sockets();
  }

  private String nodeName() {
    return reader.required(NODE_NAME.setting()).isEmpty()
        ? ""
        : reader.subdomain(NODE_NAME.setting());
  }

  private Duration interval() {
    var interval = reader.positive(INTERVAL.setting());
    if (interval.compareTo(MAX_INTERVAL) > 0) {
      reader.reject(
          INTERVAL.setting(),
          "must be at most %s: a reporter counts as stale after four intervals, and after an hour in any case"
              .formatted(GoDuration.compact(MAX_INTERVAL)));
    }
    return interval;
  }

  private <T> T oneOf(ReporterFlag flag, T[] values, Function<T, String> name) {
    return reader.oneOf(flag.setting(), values, name);
  }

  /**
   * Corrects settings that contradict each other. They are not refused: a sidecar that exits can
   * hold back the API server itself.
   */
  static final class Adjustments {
    private Adjustments() {}

    static Parsed.Valid applyTo(ReporterSettings asked) {
      var warnings = new ArrayList<String>();
      var readTimeout = asked.readTimeout();
      if (readTimeout.compareTo(asked.interval()) > 0) {
        warnings.add("--read-timeout is longer than --interval and was cut to it");
        readTimeout = asked.interval();
      }
      var reportAs = asked.reportAs();
      if (reportAs == ReportFormat.TYPED
          && asked.target().isOpenShift()
          && asked.kmsApi() == KmsApiVersion.V1) {
        warnings.add(
            "--report-as=typed needs remote key ids on this target, which --kms-api=v1 has not:"
                + " reporting as condition");
        reportAs = ReportFormat.CONDITION;
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
}
