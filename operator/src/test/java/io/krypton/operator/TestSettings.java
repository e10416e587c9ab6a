// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator;

import io.krypton.multicluster.crd.CrdInstaller.CrdPolicy;
import io.krypton.multicluster.home.HomeSource;
import io.krypton.multicluster.home.SelfClusterSettings.Mode;
import io.krypton.multicluster.leader.LeaseTimings;
import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.operator.OperatorSettings.Chart;
import io.krypton.operator.OperatorSettings.Clusters;
import io.krypton.operator.OperatorSettings.ControllerName;
import io.krypton.operator.OperatorSettings.Election;
import io.krypton.operator.OperatorSettings.Home;
import io.krypton.operator.OperatorSettings.Kms;
import io.krypton.operator.OperatorSettings.Rollouts;
import io.krypton.operator.OperatorSettings.Serving;
import io.krypton.operator.OperatorSettings.Tls;
import io.krypton.operator.kmshealth.aggregate.GracePeriods;
import io.krypton.operator.kmshealth.summary.ClusterOperatorSyncer.SyncMode;
import io.krypton.operator.observe.ServerAddress;
import io.krypton.operator.platform.Platform;
import io.krypton.operator.release.RolloutSettings.DriftMode;
import io.krypton.operator.release.chart.ChartRef;
import io.krypton.operator.release.chart.RepoCredentials;
import io.krypton.operator.release.helm.HelmSettings.EngineChoice;
import io.krypton.operator.release.helm.HelmSettings.Limits;
import io.krypton.operator.release.helm.HelmSettings.Programs;
import io.krypton.operator.release.values.ChartValues;
import io.krypton.operator.tls.distribution.TlsProfileSettings.Publish;
import io.krypton.operator.tls.profile.JvmTls;
import io.krypton.operator.tls.profile.OpenShiftTlsProfile.Adherence;
import io.krypton.operator.tls.profile.TlsProfile;
import io.krypton.operator.tls.serving.ServingInputs.ProfileSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Settings of an operator that serves on loopback and keeps its files in one directory. */
record TestSettings(
    Path directory,
    Set<ControllerName> controllers,
    String podNamespace,
    boolean leaderElection,
    Platform platform,
    ProfileSource profileSource,
    boolean delegatedAuth) {

  /** Home is a kubeconfig that does not exist, until somebody writes it into the directory. */
  static TestSettings in(Path directory) {
    return new TestSettings(
        directory,
        Set.of(ControllerName.values()),
        "krypton",
        true,
        Platform.KUBERNETES,
        new ProfileSource.None(),
        false);
  }

  TestSettings withControllers(Set<ControllerName> some) {
    return new TestSettings(
        directory, some, podNamespace, leaderElection, platform, profileSource, delegatedAuth);
  }

  OperatorSettings settings() {
    var host = HomeSource.Files.of(directory.resolve("kubeconfig"), null);
    var loopback = ServerAddress.parse("--bind-address", "127.0.0.1:0");
    return new OperatorSettings(
        controllers,
        // The pod is not where the kubeconfig Secrets are.
        new Home(host, host, "kubeconfigs", podNamespace, Set.of("kubeconfigs"), Set.of(), false),
        new Clusters(
            "example.com/kubeconfig",
            "kubeconfig",
            Mode.AUTO,
            false,
            CrdPolicy.CREATE,
            Duration.ofMinutes(1),
            new ConcurrencyLimits(4, 2),
            100,
            200),
        new Chart(
            ChartRef.of("https://charts.example.com", "web", "1.2.3"),
            home -> RepoCredentials.NONE,
            ChartValues.empty(),
            true,
            false),
        new Rollouts(
            new Programs(EngineChoice.CLI, directory.resolve("no-helm").toString(), "none"),
            directory.resolve("data"),
            new Limits(new ConcurrencyLimits(2, 1), 64),
            new Limits(new ConcurrencyLimits(2, 1), 64),
            5,
            null,
            null,
            Duration.ofMinutes(3),
            DriftMode.REPAIR,
            false,
            false),
        new Election(leaderElection, LeaseTimings.standard()),
        new Kms(
            false, GracePeriods.STANDARD, "krypton-system", SyncMode.AUTO, Duration.ofMinutes(10)),
        new Tls(
            Optional.of(platform),
            own(),
            profileSource,
            Publish.NONE,
            Adherence.ALWAYS,
            JvmTls.current(),
            directory.resolve("serving"),
            directory.resolve("podinfo")),
        new Serving(loopback, loopback, true, delegatedAuth, Duration.ofMinutes(10), false),
        "test-operator",
        "1.2.3",
        Map.of());
  }

  private Optional<TlsProfile> own() {
    return profileSource instanceof ProfileSource.Flags(var profile)
        ? Optional.of(profile)
        : Optional.empty();
  }
}
