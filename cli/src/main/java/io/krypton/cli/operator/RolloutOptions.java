// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.operator;

import io.krypton.cli.settings.DurationConverter;
import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.operator.OperatorSettings;
import io.krypton.operator.release.RolloutSettings.DriftMode;
import io.krypton.operator.release.helm.HelmSettings.Limits;
import io.krypton.operator.release.helm.MemoryPlan;
import io.krypton.operator.release.helm.MemoryPlan.Share;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How releases are installed, upgraded, watched and repaired. */
final class RolloutOptions {
  @Option(
      names = "--drift-detection",
      paramLabel = "MODE",
      description = "Changed or missing objects of a release: ${COMPLETION-CANDIDATES}.")
  Drift drift = Drift.enabled;

  @Option(
      names = "--upgrade-remediation",
      paramLabel = "MODE",
      description = "After an upgrade has failed five times: ${COMPLETION-CANDIDATES}.")
  Remediation remediation = Remediation.none;

  @Option(
      names = "--adopt-namespaces",
      paramLabel = "WHICH",
      description =
          "Namespaces that exist already and may be used: ${COMPLETION-CANDIDATES}; allowed: by"
              + " their label mesh.openkcm.io/workspace=allowed.")
  AdoptNamespaces adoptNamespaces = AdoptNamespaces.allowed;

  @Option(
      names = "--ready-timeout",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      defaultValue = "180s",
      description = "Time in which workloads must become ready.")
  Duration readyTimeout = Duration.ofMinutes(3);

  @Option(
      names = "--helm-timeout",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description = "Limit of one install or upgrade; default: 180s, KryptonDeployments 300s.")
  @Nullable Duration helmTimeout;

  @Option(
      names = "--helm-uninstall-timeout",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description = "Limit of one uninstall; default: 120s, KryptonDeployments 300s.")
  @Nullable Duration helmUninstallTimeout;

  @Option(
      names = "--helm-concurrency",
      paramLabel = "N",
      description =
          "Helm operations at once; default: 2 × processors, at least 8, less if the memory limit"
              + " demands it.")
  @Nullable Integer helmConcurrency;

  @Option(
      names = "--helm-concurrency-per-cluster",
      paramLabel = "N",
      description =
          "Helm operations at once on one cluster; default: all but a quarter, less when other"
              + " clusters are busy.")
  @Nullable Integer helmConcurrencyPerCluster;

  @Mixin HelmOptions helm = new HelmOptions();

  @Option(
      names = "--helm-history-max",
      paramLabel = "N",
      description = "Revisions kept of each release.")
  int helmHistoryMax = 5;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Chart cache and temporary files.")
  Path dataDir = Path.of(System.getProperty("java.io.tmpdir"), "krypton");

  OperatorSettings.Rollouts toSettings() {
    var plan = MemoryPlan.ofThisProcess();
    if (helmConcurrency != null) {
      OperatorOptions.requirePositive("--helm-concurrency", helmConcurrency);
    }
    var memory = helmConcurrency == null ? plan : plan.withOperations(helmConcurrency);
    return new OperatorSettings.Rollouts(
        helm.toPrograms(),
        dataDir,
        limits(memory.cli()),
        limits(memory.worker()),
        helmHistoryMax,
        helmTimeout,
        helmUninstallTimeout,
        readyTimeout,
        switch (drift) {
          case enabled -> DriftMode.REPAIR;
          case warn -> DriftMode.WARN;
          case disabled -> DriftMode.IGNORE;
        },
        remediation == Remediation.rollback,
        adoptNamespaces == AdoptNamespaces.any);
  }

  private Limits limits(Share share) {
    if (helmConcurrencyPerCluster == null) {
      return Limits.sharing(share);
    }
    OperatorOptions.requirePositive("--helm-concurrency-per-cluster", helmConcurrencyPerCluster);
    var all = share.operations();
    return new Limits(
        new ConcurrencyLimits(all, Math.min(all, helmConcurrencyPerCluster)), share.megabytes());
  }

  /** Lower case as users write it. */
  enum Drift {
    enabled,
    warn,
    disabled
  }

  /** Lower case as users write it. */
  enum AdoptNamespaces {
    allowed,
    any
  }

  /** Lower case as users write it. */
  enum Remediation {
    none,
    rollback
  }
}
