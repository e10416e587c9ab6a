package io.krypton.cli.fleet;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.tenant.Tenant;
import io.krypton.cli.view.AccessOptions;
import io.krypton.cli.view.ApiErrors;
import io.krypton.cli.view.Follower;
import io.krypton.cli.view.Look;
import io.krypton.cli.view.ObjectKind;
import io.krypton.cli.view.OutputOptions;
import io.krypton.cli.view.Session;
import io.krypton.cli.view.UserError;
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
  @Mixin private final DiscoveryChoice discovery = new DiscoveryChoice();
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
      throw UserError.usage("--fleet shows all Tenants; leave out names and --selector");
    }
    return access.use(
        session ->
            output.show(
                session,
                follower -> fleet ? fleet(session, follower) : tenants(session, follower)));
  }

  private Look fleet(Session home, Follower follower) throws InterruptedException {
    var read = new FleetReader(home, discovery, follower).read();
    var tenants = new ArrayList<TenantLooks.Placed>();
    var notes = new ArrayList<>(read.notes());
    for (var cluster : read.clusters()) {
      var held = cluster.tenants();
      if (held == null) {
        notes.add("cluster %s: %s".formatted(cluster.name(), why(cluster)));
      } else {
        held.forEach(tenant -> tenants.add(new TenantLooks.Placed(cluster.name(), tenant)));
      }
    }
    return TenantLooks.of(tenants, TenantLooks.Scope.FLEET, notes, Instant.now());
  }

  private static String why(ClusterView cluster) {
    return cluster.message().isEmpty() ? cluster.state() : cluster.message();
  }

  private Look tenants(Session session, Follower follower) {
    follower.follow(
        "tenants",
        session.client(),
        FleetFollowing.TENANTS
            .inNamespace(discovery.allNamespaces ? "" : session.namespace())
            .withLabels(selector));
    var found =
        list(session).stream()
            .filter(tenant -> names.isEmpty() || names.contains(tenant.getMetadata().getName()))
            .map(tenant -> new TenantLooks.Placed("", tenant))
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
    var scope = discovery.allNamespaces ? TenantLooks.Scope.CLUSTER : TenantLooks.Scope.NAMESPACE;
    return TenantLooks.of(found, scope, notes, Instant.now());
  }

  private List<Tenant> list(Session session) {
    var all = session.client().resources(Tenant.class);
    var wanted =
        discovery.allNamespaces ? all.inAnyNamespace() : all.inNamespace(session.namespace());
    try {
      return (selector.isEmpty() ? wanted : wanted.withLabelSelector(selector)).list().getItems();
    } catch (KubernetesClientException refused) {
      if (ApiErrors.isNotFound(refused)) {
        ApiErrors.requireServed(session, List.of(ObjectKind.TENANT.plural()));
      }
      throw refused;
    }
  }

  private void requireNamed(List<TenantLooks.Placed> found, Session session) {
    for (var name : names) {
      if (found.stream().noneMatch(it -> it.isNamed(name))) {
        throw UserError.failure(
            "tenant/%s is not in namespace %s of %s; -A looks everywhere"
                .formatted(name, session.namespace(), session.context()));
      }
    }
  }
}
