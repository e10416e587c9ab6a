package io.krypton.cli.plan;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PartialObjectMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.deployment.KryptonDeployment;
import io.krypton.api.tenant.Tenant;
import io.krypton.cli.plan.ReleasePlan.Verdict;
import io.krypton.cli.view.ApiErrors;
import io.krypton.multicluster.watch.MetadataReader;
import io.krypton.operator.helm.ChartRenderer;
import io.krypton.operator.helm.MemoryPlan;
import io.krypton.operator.release.ReleaseHistory;
import io.krypton.operator.release.ReleaseSecret;
import io.krypton.operator.rollout.ReferencedValues;
import io.krypton.operator.rollout.ReservedNamespaces;
import io.krypton.operator.rollout.TargetCluster;
import io.krypton.operator.values.BaseValue;
import io.krypton.operator.values.Values;
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
final class ClusterPlans {
  /** The settings an operator would be started with. */
  record Settings(
      PlannedChart chart,
      Values central,
      BaseValue beneathTenants,
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
  private final Semaphore turns =
      new Semaphore(
          Math.min(
              MemoryPlan.ofThisProcess().processes(),
              Math.max(2, Runtime.getRuntime().availableProcessors())));

  ClusterPlans(Settings settings, ChartRenderer renderer) {
    this.settings = settings;
    this.renderer = renderer;
  }

  /** The Tenants of a cluster. */
  List<ReleasePlan> ofTenants(String cluster, KubernetesClient client) throws InterruptedException {
    var all = tenants(client);
    var wishes =
        new TenantWishes(
            cluster,
            all,
            settings.central(),
            settings.beneathTenants(),
            settings.reserved(),
            unwatched(cluster, client));
    return plans(
        client,
        selected(client, all),
        wishes::of,
        (tenant, why) -> wishes.untold(tenant, Verdict.UNKNOWN, why));
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
  List<ReleasePlan> ofDeployments(
      String cluster,
      KubernetesClient client,
      KubernetesClient home,
      List<KryptonDeployment> deployments)
      throws InterruptedException {
    var wishes =
        new DeploymentWishes(settings.central(), settings.reserved(), unwatched("home", home));
    return plans(
        client,
        deployments.stream().filter(settings::watches).toList(),
        deployment -> wishes.of(deployment, cluster),
        (deployment, why) -> DeploymentWishes.untold(deployment, cluster, Verdict.UNKNOWN, why));
  }

  /** Closed, it reads each source once and watches none. */
  private static ReferencedValues unwatched(String cluster, KubernetesClient client) {
    var references = new ReferencedValues(cluster, client, ReferencedValues.Waking.NONE);
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
  private interface Untold<T> {
    ReleasePlan about(T object, String why);
  }

  private <T> List<ReleasePlan> plans(
      KubernetesClient client, List<T> objects, Function<T, Wish> wishes, Untold<T> untold)
      throws InterruptedException {
    if (objects.isEmpty()) {
      return List.of();
    }
    var releases = histories(client);
    var planner =
        new ReleasePlanner(
            client, Capabilities.of(client), settings.chart(), renderer, settings.withDiff());
    return inParallel(
        objects.stream()
            .map(
                object ->
                    (Callable<ReleasePlan>)
                        () ->
                            one(
                                () -> wishes.apply(object),
                                why -> untold.about(object, why),
                                planner,
                                releases))
            .toList());
  }

  private ReleasePlan one(
      Supplier<Wish> wish,
      Function<String, ReleasePlan> untold,
      ReleasePlanner planner,
      Map<String, ReleaseHistory> releases)
      throws InterruptedException {
    turns.acquire();
    try {
      return switch (wish.get()) {
        case Wish.Nothing(var told) -> told;
        case Wish.Wants(var wanted) ->
            planner.plan(
                wanted,
                releases.getOrDefault(
                    key(wanted.workspace(), wanted.name().value()), ReleaseHistory.none()));
      };
    } catch (KubernetesClientException refused) {
      // A referenced Secret that the user may not read, for example.
      return untold.apply(String.valueOf(refused.getMessage()));
    } finally {
      turns.release();
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
    return MetadataReader.list(client, TargetCluster.allReleaseSecrets()).stream()
        .filter(secret -> ReleaseSecret.release(secret.getMetadata()).isPresent())
        .collect(
            Collectors.groupingBy(
                ClusterPlans::keyOf,
                Collectors.collectingAndThen(Collectors.toList(), ClusterPlans::history)));
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
