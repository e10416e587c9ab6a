// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.operator;

import io.krypton.cli.settings.DurationConverter;
import io.krypton.operator.OperatorSettings;
import io.krypton.operator.kmshealth.aggregate.GracePeriods;
import io.krypton.operator.kmshealth.summary.ClusterOperatorSyncer.SyncMode;
import java.time.Duration;
import picocli.CommandLine.Option;

/** How the KMS health of clusters is aggregated. */
final class KmsOptions {
  @Option(
      names = "--kms-health-clusters",
      paramLabel = "WHICH",
      description = "Clusters whose KMS health is aggregated: ${COMPLETION-CANDIDATES}.")
  Clusters clusters = Clusters.all;

  @Option(
      names = "--kms-report-grace",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      defaultValue = "5m",
      description = "Grace period for the first report of a node.")
  Duration reportGrace = Duration.ofMinutes(5);

  @Option(
      names = "--kms-rollout-grace",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      defaultValue = "10m",
      description = "Grace period for a silent node during a rollout or after a planned stop.")
  Duration rolloutGrace = Duration.ofMinutes(10);

  @Option(
      names = "--kms-recovery-hold",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      defaultValue = "60s",
      description = "How long a plugin must stay healthy until it counts as recovered.")
  Duration recoveryHold = Duration.ofMinutes(1);

  @Option(
      names = "--kms-orphan-after",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      defaultValue = "10m",
      description = "How long after a node is gone its reports are deleted.")
  Duration orphanAfter = Duration.ofMinutes(10);

  @Option(
      names = "--kms-lease-namespace",
      paramLabel = "NAMESPACE",
      description = "Namespace of the reporters' Leases on each cluster.")
  String leaseNamespace = "krypton-system";

  @Option(
      names = {"--kms-discovery-interval", "--kms-look-again"},
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      defaultValue = "10m",
      description = "How often a cluster without the KMS health API is checked for it.")
  Duration discoveryInterval = Duration.ofMinutes(10);

  @Option(
      names = "--status-syncer",
      paramLabel = "MODE",
      description = "Whether ClusterOperators of OpenShift are written: ${COMPLETION-CANDIDATES}.")
  Syncer statusSyncer = Syncer.auto;

  OperatorSettings.Kms toSettings() {
    return new OperatorSettings.Kms(
        clusters == Clusters.home,
        new GracePeriods(reportGrace, rolloutGrace, recoveryHold, orphanAfter),
        leaseNamespace,
        switch (statusSyncer) {
          case auto -> SyncMode.AUTO;
          case always -> SyncMode.ALWAYS;
          case never -> SyncMode.NEVER;
        },
        discoveryInterval);
  }

  /** Lower case as users write it. */
  enum Clusters {
    all,
    home
  }

  /** Lower case as users write it. */
  enum Syncer {
    auto,
    always,
    never
  }
}
