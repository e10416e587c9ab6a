package io.krypton.cli.operator;

import io.krypton.cli.settings.DurationConverter;
import io.krypton.operator.OperatorSettings;
import io.krypton.operator.kmshealth.aggregate.GracePeriods;
import io.krypton.operator.kmshealth.summary.ClusterOperatorSyncer.SyncMode;
import java.time.Duration;
import picocli.CommandLine.Option;

/** How the KMS health of clusters is judged. */
final class KmsOptions {
  @Option(
      names = "--kms-health-clusters",
      paramLabel = "WHICH",
      description = "Clusters whose KMS health is looked after: ${COMPLETION-CANDIDATES}.")
  Clusters clusters = Clusters.all;

  @Option(
      names = "--kms-report-grace",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      defaultValue = "5m",
      description = "Time a node has for its first report.")
  Duration reportGrace = Duration.ofMinutes(5);

  @Option(
      names = "--kms-rollout-grace",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      defaultValue = "10m",
      description = "Time a node may be silent during a rollout or after a planned stop.")
  Duration rolloutGrace = Duration.ofMinutes(10);

  @Option(
      names = "--kms-recovery-hold",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      defaultValue = "60s",
      description = "Time a plugin must be well until it counts as recovered.")
  Duration recoveryHold = Duration.ofMinutes(1);

  @Option(
      names = "--kms-orphan-after",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      defaultValue = "10m",
      description = "Time after which reports of nodes that are gone are removed.")
  Duration orphanAfter = Duration.ofMinutes(10);

  @Option(
      names = "--kms-lease-namespace",
      paramLabel = "NAMESPACE",
      description = "Namespace of the reporters' Leases on each cluster.")
  String leaseNamespace = "krypton-system";

  @Option(
      names = "--kms-look-again",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      defaultValue = "10m",
      description = "How often a cluster is asked whether it serves KMS health by now.")
  Duration discoveryInterval = Duration.ofMinutes(10);

  @Option(
      names = "--status-syncer",
      paramLabel = "MODE",
      description = "Write ClusterOperators of OpenShift: ${COMPLETION-CANDIDATES}.")
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
