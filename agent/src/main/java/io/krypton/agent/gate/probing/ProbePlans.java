package io.krypton.agent.gate.probing;

import io.krypton.agent.gate.settings.HttpHealthz;
import io.krypton.agent.gate.settings.SettingsDocument;
import io.krypton.agent.gate.snapshot.GateProvider;
import io.krypton.kms.protocol.KmsApi;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds out which providers share a plugin. */
final class ProbePlans {
  private ProbePlans() {}

  private record Shared(KmsApi api, String address, @Nullable HttpHealthz http) {}

  /** The plan of each provider by its index; an address that no socket can have is left out. */
  static Map<Integer, ProbePlan> of(List<GateProvider> providers, SettingsDocument settings) {
    var sharing =
        providers.stream()
            .filter(provider -> provider.configured().endpoint().whyUnusable().isEmpty())
            .collect(
                Collectors.groupingBy(
                    provider ->
                        new Shared(
                            provider.api(),
                            provider.address(),
                            settings.of(provider.name()).http()),
                    LinkedHashMap::new,
                    Collectors.toList()));
    var plans = new HashMap<Integer, ProbePlan>();
    sharing.forEach(
        (shared, members) -> {
          var plan = plan(shared, members, isNamedOnce(members.getFirst(), sharing.values()));
          members.forEach(member -> plans.put(member.index(), plan));
        });
    return plans;
  }

  private static ProbePlan plan(Shared shared, List<GateProvider> members, boolean namedOnce) {
    var name = members.getFirst().name();
    var timeout =
        members.stream()
            .map(member -> member.configured().timeout())
            .min(Comparator.naturalOrder())
            .orElse(Duration.ZERO);
    return new ProbePlan(
        shared.api(),
        shared.address(),
        timeout,
        members.stream().map(GateProvider::role).collect(Collectors.toUnmodifiableSet()),
        shared.http(),
        namedOnce ? name : "%s %s %s".formatted(name, shared.api().word(), shared.address()));
  }

  /** Names of v1 providers may repeat; then the name alone does not tell the plugins apart. */
  private static boolean isNamedOnce(
      GateProvider first, Collection<List<GateProvider>> allSharing) {
    return allSharing.stream()
            .filter(members -> members.getFirst().name().equals(first.name()))
            .count()
        == 1;
  }
}
