// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.operator;

import io.krypton.cli.settings.DurationConverter;
import io.krypton.operator.OperatorSettings;
import io.krypton.operator.OperatorSettings.ControllerName;
import io.krypton.operator.observe.ServerAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
      description = {
        "Controllers to run: comma list of tenants, deployments and kmshealth, or *; -x leaves",
        "one out. What is not in the list is off: Tenants or KryptonDeployments are not",
        "reconciled, without kmshealth no KMS health is aggregated."
      })
  String controllers = "*";

  @Option(
      names = "--leader-elect",
      arity = "0..1",
      fallbackValue = "true",
      paramLabel = "BOOL",
      description = "Reconcile only while holding the Lease krypton-operator on home.")
  boolean leaderElect = true;

  @Option(
      names = "--leader-elect-lease-duration",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      defaultValue = "15s",
      description = "Others may acquire the Lease after this time without a renewal.")
  Duration leaseDuration = Duration.ofSeconds(15);

  @Option(
      names = "--leader-elect-renew-deadline",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      defaultValue = "10s",
      description = "The leader stops reconciling after this time without a renewal.")
  Duration renewDeadline = Duration.ofSeconds(10);

  @Option(
      names = "--leader-elect-retry-period",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      defaultValue = "2s",
      description = "Time between two attempts to acquire or renew.")
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

  OperatorSettings.Election election() {
    return OperatorSettings.Election.of(leaderElect, leaseDuration, renewDeadline, retryPeriod);
  }

  ServerAddress metricsAddress() {
    return ServerAddress.parse("--metrics-bind-address", metricsAddress);
  }

  ServerAddress probesAddress() {
    return ServerAddress.parse("--health-probe-bind-address", healthAddress);
  }

  /**
   * Reads a comma list, left to right: {@code *} adds all, {@code x} adds one, {@code -x} removes
   * one. A list that only removes begins with all.
   *
   * @throws IllegalArgumentException with a text for users
   */
  Set<ControllerName> controllers() {
    var parts = List.of(controllers.strip().split("\\s*,\\s*"));
    var chosen =
        parts.stream().allMatch(part -> part.startsWith("-"))
            ? EnumSet.allOf(ControllerName.class)
            : EnumSet.noneOf(ControllerName.class);
    for (var part : parts) {
      if (part.equals("*")) {
        chosen.addAll(EnumSet.allOf(ControllerName.class));
      } else if (part.startsWith("-")) {
        chosen.remove(controller(part.substring(1)));
      } else {
        chosen.add(controller(part));
      }
    }
    return chosen;
  }

  private ControllerName controller(String name) {
    return Stream.of(ControllerName.values())
        .filter(controller -> controller.value().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "--controllers %s: '%s' is not known; use *, %s, or -name to leave one out"
                        .formatted(
                            controllers,
                            name,
                            Stream.of(ControllerName.values())
                                .map(ControllerName::value)
                                .collect(Collectors.joining(", ")))));
  }
}
