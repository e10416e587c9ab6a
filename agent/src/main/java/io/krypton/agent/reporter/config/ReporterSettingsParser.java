package io.krypton.agent.reporter.config;

import io.krypton.agent.reporter.config.ReporterSettings.Heartbeat;
import io.krypton.agent.reporter.config.ReporterSettings.KeyIdFormat;
import io.krypton.agent.reporter.config.ReporterSettings.ReportFormat;
import io.krypton.agent.settings.FlagDuration;
import io.krypton.agent.settings.SettingLayers;
import io.krypton.base.kmsreport.ReportTarget;
import io.krypton.kms.rpc.KmsApiVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads all settings and finds all mistakes, not only the first. */
public final class ReporterSettingsParser {
  private static final String LABEL = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
  private static final Pattern RFC1123_LABEL = Pattern.compile(LABEL);
  private static final Pattern RFC1123_SUBDOMAIN = Pattern.compile(LABEL + "(?:\\." + LABEL + ")*");

  /** A quarter of the longest time after which readers call a reporter stale. */
  private static final Duration MAX_INTERVAL = Duration.ofMinutes(15);

  private final SettingLayers layers;
  private final List<String> signErrors = new ArrayList<>();
  private final List<String> durationErrors = new ArrayList<>();
  private final List<String> otherErrors = new ArrayList<>();

  private ReporterSettingsParser(SettingLayers layers) {
    this.layers = layers;
  }

  /** Usable settings, or everything that is wrong with them. */
  public sealed interface Parsed {
    record Valid(ReporterSettings settings, List<String> warnings) implements Parsed {}

    record Invalid(List<String> errors) implements Parsed {}
  }

  public static Parsed parse(SettingLayers layers) {
    return new ReporterSettingsParser(layers).parse();
  }

  private Parsed parse() {
    var sockets = PluginSocketList.parse(text(ReporterFlag.KMS_SOCKETS));
    var settings =
        new ReporterSettings(
            sockets.sockets(),
            // Evaluated in the order of the flags; the errors are put in their own order below.
            nodeName(),
            interval(),
            positive(ReporterFlag.READ_TIMEOUT),
            positive(ReporterFlag.WRITE_TIMEOUT),
            text(ReporterFlag.KUBECONFIG),
            oneOf(ReporterFlag.TARGET, ReportTarget.values(), ReportTarget::value),
            oneOf(ReporterFlag.REPORT_AS, ReportFormat.values(), ReportFormat::value),
            oneOf(ReporterFlag.HEARTBEAT, Heartbeat.values(), Heartbeat::value),
            leaseNamespace(),
            positive(ReporterFlag.REFRESH_INTERVAL),
            notNegative(ReporterFlag.DEEP_INTERVAL),
            oneOf(ReporterFlag.KMS_API, KmsApiVersion.values(), KmsApiVersion::value),
            oneOf(ReporterFlag.KEY_ID_FORMAT, KeyIdFormat.values(), KeyIdFormat::value),
            text(ReporterFlag.ENCRYPTION_CONFIG),
            listen());
    var errors = new ArrayList<>(sockets.errors());
    errors.addAll(signErrors);
    errors.addAll(durationErrors);
    errors.addAll(otherErrors);
    return errors.isEmpty() ? Adjustments.applyTo(settings) : new Parsed.Invalid(errors);
  }

  private String text(ReporterFlag flag) {
    var found =
        flag == ReporterFlag.NODE_NAME
            ? layers.find(flag.flagName(), "NODE_NAME")
            : layers.find(flag.flagName());
    return found.orElse(flag.defaultValue());
  }

  private String nodeName() {
    var name = text(ReporterFlag.NODE_NAME);
    if (name.isEmpty()) {
      otherErrors.add("--node-name is required");
    } else if (name.length() > 253 || !RFC1123_SUBDOMAIN.matcher(name).matches()) {
      otherErrors.add(
          "--node-name \"%s\" must be a lowercase RFC 1123 subdomain of at most 253 characters"
              .formatted(name));
    }
    return name;
  }

  private String leaseNamespace() {
    var name = text(ReporterFlag.LEASE_NAMESPACE);
    if (name.length() > 63 || !RFC1123_LABEL.matcher(name).matches()) {
      otherErrors.add(
          "--lease-namespace \"%s\" must be a lowercase RFC 1123 label of at most 63 characters"
              .formatted(name));
    }
    return name;
  }

  private Duration interval() {
    var interval = positive(ReporterFlag.INTERVAL);
    if (interval.compareTo(MAX_INTERVAL) > 0) {
      signErrors.add(
          "--interval \"%s\" must be at most %s: a reporter counts as stale after four intervals,"
                  .formatted(text(ReporterFlag.INTERVAL), FlagDuration.format(MAX_INTERVAL))
              + " and after an hour in any case");
    }
    return interval;
  }

  private Duration positive(ReporterFlag flag) {
    var duration = duration(flag);
    if (duration.isZero() || duration.isNegative()) {
      signErrors.add("--%s must be positive".formatted(flag.flagName()));
    }
    return duration;
  }

  private Duration notNegative(ReporterFlag flag) {
    var duration = duration(flag);
    if (duration.isNegative()) {
      signErrors.add("--%s must not be negative".formatted(flag.flagName()));
    }
    return duration;
  }

  private Duration duration(ReporterFlag flag) {
    var text = text(flag);
    var duration = FlagDuration.parse(text);
    if (duration.isEmpty()) {
      durationErrors.add(
          "--%s \"%s\" is not a duration, write for example 30s".formatted(flag.flagName(), text));
    }
    // Any positive value will do: there is an error already.
    return duration.orElse(Duration.ofSeconds(1));
  }

  private <T> T oneOf(ReporterFlag flag, T[] values, Function<T, String> word) {
    var text = text(flag);
    for (var value : values) {
      if (word.apply(value).equals(text)) {
        return value;
      }
    }
    otherErrors.add(
        "--%s \"%s\" must be one of %s"
            .formatted(
                flag.flagName(),
                text,
                Arrays.stream(values).map(word).collect(Collectors.joining(", "))));
    return values[0];
  }

  private ListenAddress listen() {
    var text = text(ReporterFlag.LISTEN);
    var address = ListenAddress.parse(text);
    if (address.isEmpty()) {
      otherErrors.add("--listen \"%s\" must be <IP address>:<port>, or 0 for none".formatted(text));
    }
    return address.orElse(new ListenAddress.Off());
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
