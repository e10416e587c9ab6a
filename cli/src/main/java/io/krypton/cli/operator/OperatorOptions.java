// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.operator;

import io.krypton.cli.operator.DiscoveryOptions.HomeOptions;
import io.krypton.operator.OperatorSettings;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The flags of the operator, before they are {@link OperatorSettings}.
 *
 * @param onCommandLine whether a flag was written there, rather than in a variable or a file
 * @param version of this build
 */
record OperatorOptions(
    ChartOptions chart,
    HomeOptions home,
    DiscoveryOptions discovery,
    RolloutOptions rollout,
    ProcessOptions process,
    KmsOptions kms,
    TlsOptions tls,
    Predicate<String> onCommandLine,
    String version,
    Map<String, String> environment) {
  private static final String DEFAULT_INSTANCE = "krypton-operator";

  /**
   * Parses and validates all of them.
   *
   * @throws IllegalArgumentException with a text for users
   */
  OperatorSettings toSettings() {
    var homeSettings = home.toSettings(environment);
    var serving = tls.toServing(process.metricsAddress(), process.probesAddress());
    return new OperatorSettings(
        process.controllers(),
        homeSettings,
        discovery.toSettings(),
        chart.toSettings(homeSettings.namespace()),
        rollout.toSettings(),
        process.election(),
        kms.toSettings(),
        tls.toSettings(onCommandLine),
        serving,
        instance(),
        version,
        environment);
  }

  /** Who we are in events and in the Lease. */
  private String instance() {
    for (var variable : new String[] {"POD_NAME", "HOSTNAME"}) {
      var value = environment.getOrDefault(variable, "");
      if (!value.isEmpty()) {
        return value;
      }
    }
    return DEFAULT_INSTANCE;
  }

  static void requirePositive(String flag, int value) {
    if (value < 1) {
      throw new IllegalArgumentException("%s=%d; use at least 1".formatted(flag, value));
    }
  }
}
