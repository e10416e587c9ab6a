// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.multicluster.crd.CrdInstaller.CrdPolicy;
import io.krypton.multicluster.home.HomeSource;
import io.krypton.multicluster.home.SelfClusterSettings;
import io.krypton.multicluster.leader.LeaseTimings;
import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.operator.kmshealth.aggregate.GracePeriods;
import io.krypton.operator.kmshealth.summary.ClusterOperatorSyncer.SyncMode;
import io.krypton.operator.observe.ServerAddress;
import io.krypton.operator.platform.Platform;
import io.krypton.operator.release.RolloutSettings;
import io.krypton.operator.release.RolloutSettings.DriftMode;
import io.krypton.operator.release.chart.ChartRef;
import io.krypton.operator.release.chart.RepoCredentials;
import io.krypton.operator.release.helm.HelmSettings;
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
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything an {@link Operator} is told at start, parsed and validated.
 *
 * @param instance name of this process in events and in the leader Lease
 * @param version of this build
 * @param environment variables, for Helm, proxies and the search for kubeconfigs
 */
public record OperatorSettings(
    Set<ControllerName> controllers,
    Home home,
    Clusters clusters,
    Chart chart,
    Rollouts rollout,
    Election election,
    Kms kms,
    Tls tls,
    Serving serving,
    String instance,
    String version,
    Map<String, String> environment) {
  public OperatorSettings {
    controllers = Set.copyOf(controllers);
    environment = Map.copyOf(environment);
  }

  boolean runs(ControllerName controller) {
    return controllers.contains(controller);
  }

  /** The controllers that can be switched on and off. */
  public enum ControllerName {
    TENANTS("tenants"),
    DEPLOYMENTS("deployments"),
    KMS_HEALTH("kmshealth");

    private final String value;

    ControllerName(String value) {
      this.value = value;
    }

    /** As flags, metrics and logs spell it. */
    public String value() {
      return value;
    }
  }

  /**
   * The home cluster.
   *
   * @param source leads to home
   * @param host leads to the cluster that the operator runs in, often the same
   * @param namespace of kubeconfig Secrets and of the leader Lease on home
   * @param podNamespace of the operator itself on the host cluster, where its ConfigMaps are
   * @param reserved namespaces of the operator, where no release may go
   * @param watchNamespaces whose objects are reconciled; empty means all
   * @param ensureCrds whether CRDs are created and upgraded on home
   */
  public record Home(
      HomeSource source,
      HomeSource.Local host,
      String namespace,
      String podNamespace,
      Set<String> reserved,
      Set<String> watchNamespaces,
      boolean ensureCrds) {
    public Home {
      reserved = Set.copyOf(reserved);
      watchNamespaces = Set.copyOf(watchNamespaces);
    }
  }

  /**
   * How clusters are discovered, engaged and reconciled.
   *
   * @param label that marks a kubeconfig Secret
   * @param key of the kubeconfig in its data
   * @param selfCluster whether a Secret for home itself is written
   * @param checkInterval how often every object is reconciled from caches
   * @param qps API requests per second and cluster
   * @param burst API requests at once and cluster
   */
  public record Clusters(
      String label,
      String key,
      SelfClusterSettings.Mode selfCluster,
      boolean selfClusterFullFile,
      CrdPolicy crdPolicy,
      Duration checkInterval,
      ConcurrencyLimits workers,
      int qps,
      int burst) {}

  /**
   * The one chart that is rolled out.
   *
   * @param credentials of its repository; may read a Secret of home, as soon as there is a client
   * @param values central values, below those of each object
   * @param allowSkip whether an object stays out of phase Error while its chart cannot be loaded
   */
  public record Chart(
      ChartRef reference,
      Function<Supplier<Optional<KubernetesClient>>, RepoCredentials> credentials,
      ChartValues values,
      boolean installCrds,
      boolean allowSkip) {}

  /**
   * How releases are installed, upgraded and repaired.
   *
   * @param helm which engine, and where its program is
   * @param dataDirectory chart cache and temporary files
   * @param cli what Helm processes may use
   * @param worker what the worker may use
   * @param helmTimeout of an install or upgrade; null means the default of the kind
   * @param uninstallTimeout null means the default of the kind
   */
  public record Rollouts(
      HelmSettings.Programs helm,
      Path dataDirectory,
      HelmSettings.Limits cli,
      HelmSettings.Limits worker,
      int historyMax,
      @Nullable Duration helmTimeout,
      @Nullable Duration uninstallTimeout,
      Duration readyTimeout,
      DriftMode drift,
      boolean rollbackAfterFailures,
      boolean adoptAnyNamespace) {
    /** The same for releases of one kind of object, with the timeouts of that kind. */
    RolloutSettings forReleases(
        String processId, Duration defaultTimeout, Duration defaultUninstallTimeout) {
      return new RolloutSettings(
          processId,
          helmTimeout == null ? defaultTimeout : helmTimeout,
          uninstallTimeout == null ? defaultUninstallTimeout : uninstallTimeout,
          readyTimeout,
          drift,
          rollbackAfterFailures,
          adoptAnyNamespace);
    }
  }

  /** Leader election on home; a process without it always leads. */
  public record Election(boolean enabled, LeaseTimings timings) {
    /**
     * Checks the durations of the Lease.
     *
     * @throws IllegalArgumentException with a text for users when the durations do not fit together
     */
    public static Election of(
        boolean enabled, Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {
      return new Election(enabled, new LeaseTimings(leaseDuration, renewDeadline, retryPeriod));
    }
  }

  /**
   * KMS health.
   *
   * @param homeOnly whether other clusters are left out
   * @param leaseNamespace of the reporters' Leases on each cluster
   * @param discoveryInterval how often a cluster is checked for the KMS health API
   */
  public record Kms(
      boolean homeOnly,
      GracePeriods gracePeriods,
      String leaseNamespace,
      SyncMode statusSyncer,
      Duration discoveryInterval) {}

  /**
   * Platform, TLS profile and access to metrics.
   *
   * @param platform empty means that it is detected
   * @param own the profile that flags give
   * @param source of the profile of our own servers
   * @param jvm what this process can serve
   */
  public record Tls(
      Optional<Platform> platform,
      Optional<TlsProfile> own,
      ProfileSource source,
      Publish publish,
      Adherence adherence,
      JvmTls jvm,
      Path servingDirectory,
      Path podInfoDirectory) {}

  /**
   * What the process serves.
   *
   * @param secureMetrics whether metrics and status are served over HTTPS
   * @param delegatedAuth whether the API server decides who may read them
   * @param authStaleGrace how long granted access holds while the API server is unreachable
   * @param openToAll whether everybody who reaches them may read them
   */
  public record Serving(
      ServerAddress metrics,
      ServerAddress probes,
      boolean secureMetrics,
      boolean delegatedAuth,
      Duration authStaleGrace,
      boolean openToAll) {}
}
