// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.plan;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.kryptondeployment.KryptonDeployment;
import io.krypton.cli.fleet.FleetOptions;
import io.krypton.cli.view.ApiErrors;
import io.krypton.cli.view.CliException;
import io.krypton.cli.view.Progress;
import io.krypton.cli.view.Session;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.ClusterConnection;
import io.krypton.multicluster.client.ClusterConnection.ProbeResult;
import io.krypton.multicluster.client.ClusterFailure;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Plans the releases of all clusters that a home cluster knows, one cluster after the other. */
final class FleetPlanner {
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(20);

  private final Session home;
  private final FleetOptions discovery;
  private final ClusterPlanner planner;
  private final String selector;
  private final Progress progress;
  private final List<String> problems = new ArrayList<>();

  FleetPlanner(
      Session home,
      FleetOptions discovery,
      ClusterPlanner planner,
      String selector,
      Progress progress) {
    this.home = home;
    this.discovery = discovery;
    this.planner = planner;
    this.selector = selector;
    this.progress = progress;
  }

  /** What kept a cluster from being planned, one line each. */
  List<String> problems() {
    return List.copyOf(problems);
  }

  /** No names mean all clusters. */
  List<ReleasePlan> plan(List<String> names) throws InterruptedException {
    var labelled =
        discovery.secrets(home).stream()
            .collect(Collectors.toMap(FleetPlanner::refOf, it -> it, (a, b) -> a, TreeMap::new));
    var deployments =
        deployments().stream()
            .collect(
                Collectors.groupingBy(
                    it -> DeploymentReleaseResolver.target(it, home.namespace()),
                    TreeMap::new,
                    Collectors.toList()));
    var all = new TreeMap<SecretRef, List<KryptonDeployment>>(deployments);
    labelled.keySet().forEach(ref -> all.putIfAbsent(ref, List.of()));
    requireKnown(names, all);
    all.keySet().removeIf(ref -> !names.isEmpty() && !names.contains(ref.name()));
    var plans = new ArrayList<ReleasePlan>();
    try (var planned = progress.count(all.size(), "clusters")) {
      for (var cluster : all.entrySet()) {
        var ref = cluster.getKey();
        progress.label("planning " + ref.name());
        plans.addAll(plan(ref, labelled.get(ref), cluster.getValue()));
        planned.advance();
      }
    }
    return plans;
  }

  private void requireKnown(List<String> names, Map<SecretRef, ?> all) {
    for (var name : names) {
      if (all.keySet().stream().noneMatch(ref -> ref.name().equals(name))) {
        throw CliException.failure(
            "--cluster %s: no kubeconfig Secret of that name in namespace %s; 'krypton clusters' lists them"
                .formatted(name, home.namespace()));
      }
    }
    if (all.isEmpty()) {
      throw CliException.failure(
          "no kubeconfig Secrets in namespace %s; name the operator's namespace with -n"
              .formatted(home.namespace()));
    }
  }

  private List<KryptonDeployment> deployments() {
    try {
      var all = home.client().resources(KryptonDeployment.class).inAnyNamespace();
      return (selector.isEmpty() ? all : all.withLabelSelector(selector)).list().getItems();
    } catch (KubernetesClientException refused) {
      if (ApiErrors.isNotFound(refused)) {
        return List.of();
      }
      throw refused;
    }
  }

  private List<ReleasePlan> plan(
      SecretRef ref, @Nullable Secret labelled, List<KryptonDeployment> deployments)
      throws InterruptedException {
    try {
      var secret = labelled == null ? named(ref) : labelled;
      try (var connection = connect(ref, secret)) {
        var plans = new ArrayList<ReleasePlan>();
        if (labelled != null) {
          plans.addAll(planner.planTenants(ref.name(), connection.client()));
        }
        plans.addAll(
            planner.planDeployments(ref.name(), connection.client(), home.client(), deployments));
        return plans;
      }
    } catch (CliException told) {
      problems.add("cluster %s: %s".formatted(ref.name(), told.getMessage()));
    } catch (KubernetesClientException failed) {
      problems.add("cluster %s: %s".formatted(ref.name(), ClusterFailure.of(failed).message()));
    }
    return List.of();
  }

  private Secret named(SecretRef ref) {
    var secret = home.client().secrets().inNamespace(ref.namespace()).withName(ref.name()).get();
    if (secret == null) {
      throw CliException.failure("the Secret %s does not exist".formatted(ref));
    }
    return secret;
  }

  private ClusterConnection connect(SecretRef ref, Secret secret) throws InterruptedException {
    return switch (discovery.kubeconfig(secret)) {
      case ParsedKubeconfig.Refused(var reason) -> throw CliException.failure(reason);
      case ParsedKubeconfig.Accepted accepted -> {
        var settings =
            ClientSettings.remote("krypton-cli")
                .withoutRetries()
                .withTimeouts(discovery.timeout(), ANSWER_TIMEOUT);
        var connection = home.clients().connect(ref.name(), accepted, settings);
        // A dead cluster is told after the short wait, not after that for long answers.
        if (connection.probe(discovery.timeout())
            instanceof ProbeResult.Failed(var clusterFailure)) {
          connection.close();
          throw CliException.failure(clusterFailure.message());
        }
        yield connection;
      }
    };
  }

  private static SecretRef refOf(Secret secret) {
    return new SecretRef(secret.getMetadata().getNamespace(), secret.getMetadata().getName());
  }
}
