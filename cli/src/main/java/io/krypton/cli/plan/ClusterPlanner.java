// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.plan;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PartialObjectMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.kryptondeployment.KryptonDeployment;
import io.krypton.api.tenant.Tenant;
import io.krypton.cli.plan.ReleasePlan.Verdict;
import io.krypton.cli.view.ApiErrors;
import io.krypton.cli.view.Progress;
import io.krypton.multicluster.cache.MetadataClient;
import io.krypton.operator.namespace.ReservedNamespaces;
import io.krypton.operator.release.TargetCluster;
import io.krypton.operator.release.decide.ReleaseHistory;
import io.krypton.operator.release.decide.ReleaseSecret;
import io.krypton.operator.release.helm.ChartRenderer;
import io.krypton.operator.release.helm.MemoryPlan;
import io.krypton.operator.release.reconcile.ReferencedValues;
import io.krypton.operator.release.values.ChartValues;
import io.krypton.operator.release.values.ChartValues.DefaultValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Plans all releases of one cluster. */
final class ClusterPlanner {
  /** The settings an operator would be started with. */
  record Settings(
      PlannedChart chart,
      ChartValues central,
      DefaultValue beneathTenants,
      ReservedNamespaces reserved,
      Set<String> watchNamespaces,
      String selector,
      boolean withDiff) {
    boolean watches(HasMetadata object) {
      return watchNamespaces.isEmpty()
          || watchNamespaces.contains(object.getMetadata().getNamespace());
    }
  }

  private final Settings settings;
  private final ChartRenderer renderer;
  private final Progress progress;
  private final Semaphore permits =
      new Semaphore(
          Math.min(
              MemoryPlan.ofThisProcess().cli().operations(),
              Math.max(2, Runtime.getRuntime().availableProcessors())));

  ClusterPlanner(Settings settings, ChartRenderer renderer, Progress progress) {
    this.settings = settings;
    this.renderer = renderer;
    this.progress = progress;
  }

  /** The Tenants of a cluster. */
  List<ReleasePlan> planTenants(String cluster, KubernetesClient client)
      throws InterruptedException {
    var all = tenants(client);
    var wishes =
        new TenantReleaseResolver(
            cluster,
            all,
            settings.central(),
            settings.beneathTenants(),
            settings.reserved(),
            readOnce(cluster, client));
    return planAll(
        client,
        selected(client, all),
        wishes::resolve,
        (tenant, why) -> wishes.unplanned(tenant, Verdict.UNKNOWN, why));
  }

  /** A cluster that was never engaged does not even know the kind. */
  private static List<Tenant> tenants(KubernetesClient client) {
    try {
      return client.resources(Tenant.class).inAnyNamespace().list().getItems();
    } catch (KubernetesClientException refused) {
      if (ApiErrors.isNotFound(refused)) {
        return List.of();
      }
      throw refused;
    }
  }

  /** KryptonDeployments of home whose region is this cluster. */
  List<ReleasePlan> planDeployments(
      String cluster,
      KubernetesClient client,
      KubernetesClient home,
      List<KryptonDeployment> deployments)
      throws InterruptedException {
    var wishes =
        new DeploymentReleaseResolver(
            settings.central(), settings.reserved(), readOnce("home", home));
    return planAll(
        client,
        deployments.stream().filter(settings::watches).toList(),
        deployment -> wishes.resolve(deployment, cluster),
        (deployment, why) ->
            DeploymentReleaseResolver.unplanned(deployment, cluster, Verdict.UNKNOWN, why));
  }

  /** Closed, it reads each source once and watches none. */
  private static ReferencedValues readOnce(String cluster, KubernetesClient client) {
    var references = new ReferencedValues(cluster, client, ReferencedValues.ValuesListener.NONE);
    references.close();
    return references;
  }

  private List<Tenant> selected(KubernetesClient client, List<Tenant> all) {
    var chosen =
        settings.selector().isEmpty()
            ? all
            : client
                .resources(Tenant.class)
                .inAnyNamespace()
                .withLabelSelector(settings.selector())
                .list()
                .getItems();
    return chosen.stream().filter(settings::watches).toList();
  }

  /** What is told about an object that could not be read. */
  private interface UnplannedFactory<T> {
    ReleasePlan of(T object, String why);
  }

  private <T> List<ReleasePlan> planAll(
      KubernetesClient client,
      List<T> objects,
      Function<T, PlannedRelease> wishes,
      UnplannedFactory<T> unplannedFactory)
      throws InterruptedException {
    if (objects.isEmpty()) {
      return List.of();
    }
    var releases = histories(client);
    var planner =
        new ReleasePlanner(
            client, Capabilities.of(client), settings.chart(), renderer, settings.withDiff());
    try (var planned = progress.count(objects.size(), "releases")) {
      return inParallel(
          objects.stream()
              .map(
                  object ->
                      (Callable<ReleasePlan>)
                          () -> {
                            var plan =
                                planOne(
                                    () -> wishes.apply(object),
                                    why -> unplannedFactory.of(object, why),
                                    planner,
                                    releases);
                            planned.advance();
                            return plan;
                          })
              .toList());
    }
  }

  private ReleasePlan planOne(
      Supplier<PlannedRelease> wish,
      Function<String, ReleasePlan> untold,
      ReleasePlanner planner,
      Map<String, ReleaseHistory> releases)
      throws InterruptedException {
    permits.acquire();
    try {
      return switch (wish.get()) {
        case PlannedRelease.NotPlanned(var told) -> told;
        case PlannedRelease.Wanted(var wanted) ->
            planner.plan(
                wanted,
                releases.getOrDefault(
                    key(wanted.workspace(), wanted.name().value()), ReleaseHistory.none()));
      };
    } catch (KubernetesClientException refused) {
      // A referenced Secret that the user may not read, for example.
      return untold.apply(String.valueOf(refused.getMessage()));
    } finally {
      permits.release();
    }
  }

  private static List<ReleasePlan> inParallel(List<Callable<ReleasePlan>> work)
      throws InterruptedException {
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var plans = new ArrayList<ReleasePlan>();
      for (var future : executor.invokeAll(work)) {
        plans.add(future.get());
      }
      return plans;
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(failed);
    }
  }

  /** One request for the metadata of all revisions on the cluster. */
  private static Map<String, ReleaseHistory> histories(KubernetesClient client)
      throws InterruptedException {
    return MetadataClient.list(client, TargetCluster.allReleaseSecrets()).stream()
        .filter(secret -> ReleaseSecret.release(secret.getMetadata()).isPresent())
        .collect(
            Collectors.groupingBy(
                ClusterPlanner::keyOf,
                Collectors.collectingAndThen(Collectors.toList(), ClusterPlanner::history)));
  }

  private static ReleaseHistory history(List<PartialObjectMetadata> secrets) {
    return ReleaseHistory.of(
        secrets.stream()
            .map(secret -> ReleaseSecret.revision(secret.getMetadata()))
            .flatMap(Optional::stream)
            .toList());
  }

  private static String keyOf(PartialObjectMetadata secret) {
    return key(
        secret.getMetadata().getNamespace(),
        ReleaseSecret.release(secret.getMetadata()).orElse(""));
  }

  private static String key(String namespace, String release) {
    return namespace + "/" + release;
  }
}
