package io.krypton.cli.operator;

import io.krypton.cli.settings.DurationConverter;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The process itself: election, log and servers. */
final class ProcessOptions {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Settings file (YAML), keys are flag names.")
  @Nullable Path config;

  @Option(
      names = "--controllers",
      paramLabel = "LIST",
      description =
          "What to roll out: comma list of tenants and deployments, or *; -x leaves one out.")
  String controllers = "*";

  @Option(
      names = "--leader-elect",
      arity = "0..1",
      fallbackValue = "true",
      paramLabel = "BOOL",
      description = "Work only while holding the Lease krypton-operator on home.")
  boolean leaderElect = true;

  @Option(
      names = "--leader-elect-lease-duration",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      defaultValue = "15s",
      description = "Others may take over after this time without a renewal.")
  Duration leaseDuration = Duration.ofSeconds(15);

  @Option(
      names = "--leader-elect-renew-deadline",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      defaultValue = "10s",
      description = "Work stops after this time without a renewal.")
  Duration renewDeadline = Duration.ofSeconds(10);

  @Option(
      names = "--leader-elect-retry-period",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      defaultValue = "2s",
      description = "Time between two tries.")
  Duration retryPeriod = Duration.ofSeconds(2);

  @Option(
      names = {"--log-level", "--zap-log-level"},
      paramLabel = "LEVEL",
      description = "debug, info, warn or error.")
  String logLevel = "info";

  @Option(
      names = {"--log-format", "--zap-encoder"},
      paramLabel = "FORMAT",
      description = "text or json.")
  String logFormat = "text";

  @Option(
      names = {"--zap-devel", "--zap-stacktrace-level", "--zap-time-encoding"},
      arity = "0..1",
      hidden = true,
      description = "Accepted for old manifests, without effect.")
  @Nullable String ignoredZapFlag;

  @Option(
      names = "--metrics-bind-address",
      paramLabel = "ADDRESS",
      description = "Metrics and status; 0 = off.")
  String metricsAddress = ":8080";

  @Option(
      names = "--health-probe-bind-address",
      paramLabel = "ADDRESS",
      description = "/healthz, /livez and /readyz; 0 = off.")
  String healthAddress = ":8081";
}
