// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.krypton.bench.soak.check.TenantFact.TenantState;
import io.krypton.bench.soak.plan.TenantModel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One good fact, and each way in which it may be a bad one. */
class TenantInvariantsTest {
  private static final TenantModel MODEL =
      new TenantModel(Map.of("soak-1", "soak-value-7"), Set.of("soak-2"));

  private static final TenantState READY =
      new TenantState(false, "True/Installed", "False/Succeeded", "installed");

  private static final Map<String, Integer> ONCE =
      Map.of("ConfigMap", 1, "Service", 1, "ServiceAccount", 1, "Deployment", 1);

  private static final TenantFact GOOD =
      new TenantFact(
          "edge-2",
          "soak-1",
          Optional.of(READY),
          true,
          Optional.of("soak-value-7"),
          List.of("superseded", "pending-upgrade", "failed", "deployed"),
          List.of("tenant-soak-1-edge-2"),
          ONCE);

  @Test
  void all_hold_for_what_should_be() {
    assertThat(TenantInvariants.of(MODEL, List.of(GOOD))).allMatch(Invariant::holds).hasSize(4);
  }

  static Stream<Arguments> broken() {
    return Stream.of(
        arguments("nothing lost", "is gone", change(it -> with(it, Optional.empty()))),
        arguments(
            "nothing lost",
            "is not Ready: False/UpgradeFailed",
            change(it -> with(it, state(false, "False/UpgradeFailed", "False/x")))),
        arguments(
            "nothing lost",
            "being deleted",
            change(it -> with(it, state(true, "True/Installed", "False/x")))),
        arguments(
            "nothing lost",
            "does not show soak-value-7 but by hand",
            change(it -> message(it, Optional.of("by hand")))),
        arguments("nothing lost", "but nothing", change(it -> message(it, Optional.empty()))),
        arguments(
            "nothing stuck",
            "Reconciling is True/Retry",
            change(it -> with(it, state(false, "True/Installed", "True/Retry")))),
        arguments(
            "nothing stuck",
            "newest revision is not deployed",
            change(it -> history(it, "deployed", "pending-upgrade"))),
        arguments("nothing stuck", "not deployed: []", change(it -> history(it))),
        arguments(
            "nothing twice",
            "deployed more than once",
            change(it -> history(it, "deployed", "deployed"))),
        arguments(
            "nothing twice",
            "releases [one, other]",
            change(it -> counted(it, List.of("one", "other"), ONCE))),
        arguments(
            "nothing twice",
            "objects {Service=2}",
            change(it -> counted(it, it.releases(), Map.of("Service", 2)))));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("broken")
  void a_bad_fact_breaks_its_invariant(
      String name, String violation, UnaryOperator<TenantFact> change) {
    assertThat(TenantInvariants.of(MODEL, List.of(change.apply(GOOD))))
        .filteredOn(it -> !it.holds())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.name()).isEqualTo(name);
              assertThat(it.violations())
                  .anySatisfy(found -> assertThat(found).contains("soak-1", violation));
            });
  }

  @Test
  void a_tenant_that_nobody_sees_is_lost() {
    assertThat(TenantInvariants.of(MODEL, List.of()))
        .filteredOn(it -> !it.holds())
        .flatExtracting(Invariant::violations)
        .containsExactly("soak-1 is gone");
  }

  @Test
  void whatever_is_left_of_a_deleted_one_is_too_much() {
    var left =
        new TenantFact(
            "edge-1",
            "soak-2",
            Optional.empty(),
            true,
            Optional.empty(),
            List.of(),
            List.of(),
            Map.of());

    assertThat(TenantInvariants.of(MODEL, List.of(GOOD, left)))
        .filteredOn(it -> !it.holds())
        .singleElement()
        .satisfies(it -> assertThat(it.name()).isEqualTo("nothing left"));
  }

  private static UnaryOperator<TenantFact> change(UnaryOperator<TenantFact> change) {
    return change;
  }

  private static Optional<TenantState> state(boolean deleting, String ready, String reconciling) {
    return Optional.of(new TenantState(deleting, ready, reconciling, "words"));
  }

  private static TenantFact with(TenantFact it, Optional<TenantState> tenant) {
    return new TenantFact(
        it.cluster(),
        it.name(),
        tenant,
        it.namespace(),
        it.message(),
        it.revisions(),
        it.releases(),
        it.objects());
  }

  private static TenantFact message(TenantFact it, Optional<String> message) {
    return new TenantFact(
        it.cluster(),
        it.name(),
        it.tenant(),
        it.namespace(),
        message,
        it.revisions(),
        it.releases(),
        it.objects());
  }

  private static TenantFact history(TenantFact it, String... revisions) {
    return new TenantFact(
        it.cluster(),
        it.name(),
        it.tenant(),
        it.namespace(),
        it.message(),
        List.of(revisions),
        it.releases(),
        it.objects());
  }

  private static TenantFact counted(
      TenantFact it, List<String> releases, Map<String, Integer> objects) {
    return new TenantFact(
        it.cluster(),
        it.name(),
        it.tenant(),
        it.namespace(),
        it.message(),
        it.revisions(),
        releases,
        objects);
  }
}
