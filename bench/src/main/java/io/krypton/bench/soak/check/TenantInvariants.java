// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak.check;

import io.krypton.bench.soak.check.TenantFact.TenantState;
import io.krypton.bench.soak.plan.TenantModel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What must hold for each Tenant, by what there is and what there should be; pure. */
public final class TenantInvariants {
  private static final String DEPLOYED = "deployed";

  private static final Set<String> KINDS =
      Set.of("ConfigMap", "Service", "ServiceAccount", "Deployment");

  private TenantInvariants() {}

  public static List<Invariant> of(TenantModel model, Collection<TenantFact> facts) {
    return List.of(
        new Invariant(
            "nothing lost",
            "each Tenant is there and Ready, and its release shows the values it was given last",
            lost(model, facts)),
        new Invariant(
            "nothing left",
            "of a deleted Tenant neither finalizer nor release nor workspace is left",
            left(model, facts)),
        new Invariant(
            "nothing stuck",
            "the newest revision of each release is deployed, and no Tenant waits for anything",
            living(model, facts, TenantInvariants::stuck)),
        new Invariant(
            "nothing twice",
            "each Tenant has one release, one deployed revision, and each object once",
            living(model, facts, TenantInvariants::twice)));
  }

  private static List<String> lost(TenantModel model, Collection<TenantFact> facts) {
    var byName = facts.stream().collect(Collectors.toMap(TenantFact::name, Function.identity()));
    var violations = new ArrayList<String>();
    model
        .living()
        .forEach(
            (name, message) -> {
              var fact = Optional.ofNullable(byName.get(name));
              var state = fact.flatMap(TenantFact::tenant);
              if (state.isEmpty()) {
                violations.add(name + " is gone");
              } else if (!state.get().isReady()) {
                violations.add("%s is not Ready: %s".formatted(name, words(state.get())));
              } else if (!fact.get().message().equals(Optional.of(message))) {
                violations.add(
                    "%s on %s does not show %s but %s"
                        .formatted(
                            name,
                            fact.get().cluster(),
                            message,
                            fact.get().message().orElse("nothing")));
              }
            });
    return violations;
  }

  private static String words(TenantState state) {
    return "%s, %s, %s%s"
        .formatted(
            state.ready(),
            state.reconciling(),
            state.message(),
            state.deleting() ? ", being deleted" : "");
  }

  private static List<String> left(TenantModel model, Collection<TenantFact> facts) {
    return facts.stream()
        .filter(fact -> !model.living().containsKey(fact.name()))
        .map(
            fact ->
                "%s on %s: %s, workspace %s, revisions %s, objects %s"
                    .formatted(
                        fact.name(),
                        fact.cluster(),
                        fact.tenant().map(TenantInvariants::words).orElse("no Tenant"),
                        fact.namespace(),
                        fact.revisions(),
                        fact.objects()))
        .toList();
  }

  private static List<String> living(
      TenantModel model,
      Collection<TenantFact> facts,
      Function<TenantFact, List<String>> violations) {
    return facts.stream()
        .filter(fact -> model.living().containsKey(fact.name()))
        .flatMap(
            fact ->
                violations.apply(fact).stream()
                    .map(it -> "%s on %s: %s".formatted(fact.name(), fact.cluster(), it)))
        .toList();
  }

  /** Helm leaves the revision of a run that died as it was; only the newest one locks a release. */
  private static List<String> stuck(TenantFact fact) {
    var found = new ArrayList<String>();
    if (fact.revisions().isEmpty() || !fact.revisions().getLast().equals(DEPLOYED)) {
      found.add("the newest revision is not deployed: " + fact.revisions());
    }
    fact.tenant()
        .filter(state -> !state.isSettled())
        .ifPresent(state -> found.add("Reconciling is " + state.reconciling()));
    return found;
  }

  private static List<String> twice(TenantFact fact) {
    var found = new ArrayList<String>();
    if (fact.releases().size() > 1) {
      found.add("releases " + fact.releases());
    }
    if (fact.revisions().stream().filter(DEPLOYED::equals).count() > 1) {
      found.add("deployed more than once: " + fact.revisions());
    }
    if (!fact.objects().equals(KINDS.stream().collect(Collectors.toMap(it -> it, it -> 1)))) {
      found.add("objects " + Map.copyOf(fact.objects()));
    }
    return found;
  }
}
