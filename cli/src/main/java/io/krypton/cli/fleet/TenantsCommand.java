// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.fleet;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.cli.fleet.FleetReader.FleetWatches;
import io.krypton.cli.view.AccessOptions;
import io.krypton.cli.view.ApiErrors;
import io.krypton.cli.view.CliException;
import io.krypton.cli.view.ObjectName.ObjectKind;
import io.krypton.cli.view.OutputOptions;
import io.krypton.cli.view.RolloutObject;
import io.krypton.cli.view.RolloutObjectReader;
import io.krypton.cli.view.Session;
import io.krypton.cli.view.View;
import io.krypton.cli.view.View.WatchRegistry;
import io.krypton.multicluster.cache.MetadataSelection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code krypton tenants}. */
@Command(
    name = "tenants",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Shows the Tenants of a cluster, or with --fleet those of all clusters.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:shown",
      "1:the cluster cannot be read, or a Tenant that was named is not there",
      "2:bad usage or kubeconfig"
    })
public final class TenantsCommand implements Callable<Integer> {
  @Mixin private final AccessOptions access = new AccessOptions();
  @Mixin private final FleetOptions discovery = new FleetOptions();
  @Mixin private final OutputOptions output = new OutputOptions();

  @Option(
      names = {"-l", "--selector"},
      paramLabel = "SELECTOR",
      description = "Only Tenants with these labels, as kubectl takes them.")
  private String selector = "";

  @Option(
      names = "--fleet",
      description = "The Tenants of all clusters that home knows; -n is then home's namespace.")
  private boolean fleet;

  @Parameters(arity = "0..*", paramLabel = "NAME", description = "Only these.")
  private List<String> names = new ArrayList<>();

  @Override
  public Integer call() throws InterruptedException {
    if (fleet && (!selector.isEmpty() || !names.isEmpty())) {
      throw CliException.usage("--fleet shows all Tenants; leave out names and --selector");
    }
    return access.use(
        session ->
            output.show(
                watchRegistry ->
                    fleet ? fleet(session, watchRegistry) : tenants(session, watchRegistry)));
  }

  private View fleet(Session home, WatchRegistry watchRegistry) throws InterruptedException {
    var read = new FleetReader(home, discovery, watchRegistry).read();
    var tenants = new ArrayList<TenantViews.ClusterTenant>();
    var notes = new ArrayList<>(read.notes());
    for (var cluster : read.clusters()) {
      var held = cluster.tenants();
      if (held == null) {
        notes.add("cluster %s: %s".formatted(cluster.name(), why(cluster)));
      } else {
        held.forEach(tenant -> tenants.add(new TenantViews.ClusterTenant(cluster.name(), tenant)));
      }
    }
    return TenantViews.of(tenants, TenantViews.Scope.FLEET, notes, Instant.now());
  }

  private static String why(ClusterSummary cluster) {
    return cluster.message().isEmpty() ? cluster.state() : cluster.message();
  }

  private View tenants(Session session, WatchRegistry watchRegistry) {
    var selection =
        FleetWatches.TENANTS
            .inNamespace(discovery.allNamespaces ? "" : session.namespace())
            .withLabels(selector);
    watchRegistry.watch("tenants", session, selection);
    var found =
        list(session, selection).stream()
            .filter(tenant -> names.isEmpty() || names.contains(tenant.metadata().getName()))
            .map(tenant -> new TenantViews.ClusterTenant("", tenant))
            .toList();
    requireNamed(found, session);
    var notes =
        found.isEmpty()
            ? List.of(
                discovery.allNamespaces
                    ? "no Tenants on " + session.server()
                    : "no Tenants in namespace %s; -A shows all namespaces"
                        .formatted(session.namespace()))
            : List.<String>of();
    var scope = discovery.allNamespaces ? TenantViews.Scope.CLUSTER : TenantViews.Scope.NAMESPACE;
    return TenantViews.of(found, scope, notes, Instant.now());
  }

  private List<RolloutObject> list(Session session, MetadataSelection selection) {
    try {
      return RolloutObjectReader.list(session.api(), ObjectKind.TENANT, selection);
    } catch (KubernetesClientException refused) {
      if (ApiErrors.isNotFound(refused)) {
        ApiErrors.requireServed(session, List.of(ObjectKind.TENANT.plural()));
      }
      throw refused;
    }
  }

  private void requireNamed(List<TenantViews.ClusterTenant> found, Session session) {
    for (var name : names) {
      if (found.stream().noneMatch(it -> it.isNamed(name))) {
        throw CliException.failure(
            "tenant/%s is not in namespace %s of %s; -A looks everywhere"
                .formatted(name, session.namespace(), session.context()));
      }
    }
  }
}
