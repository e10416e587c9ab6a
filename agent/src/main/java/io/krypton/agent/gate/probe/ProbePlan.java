// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.probe;

import io.krypton.agent.gate.config.GateSettingsFile;
import io.krypton.agent.gate.config.GateSettingsFile.HttpHealthz;
import io.krypton.agent.gate.status.GateProvider;
import io.krypton.kms.config.EncryptionConfiguration.ProviderRole;
import io.krypton.kms.rpc.KmsApiVersion;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One plugin to be probed for all providers that share it. Equal plans of two configurations are
 * the same plugin, which keeps its connection and its state when the file changes.
 *
 * @param timeout the smallest of those who share it
 * @param canaryName under which its canaries are kept
 */
record ProbePlan(
    KmsApiVersion api,
    String address,
    Duration timeout,
    Set<ProviderRole> roles,
    @Nullable HttpHealthz http,
    String canaryName) {
  ProbePlan {
    roles = Set.copyOf(roles);
  }

  /** Finds out which providers share a plugin. */
  static final class Planner {
    private Planner() {}

    private record Shared(KmsApiVersion api, String address, @Nullable HttpHealthz http) {}

    /** The plan of each provider by its index; an address that no socket can have is left out. */
    static Map<Integer, ProbePlan> plansFor(
        List<GateProvider> providers, GateSettingsFile settings) {
      var sharing =
          providers.stream()
              .filter(provider -> provider.configured().endpoint().unusableReason().isEmpty())
              .collect(
                  Collectors.groupingBy(
                      provider ->
                          new Shared(
                              provider.api(),
                              provider.address(),
                              settings.forProvider(provider.name()).http()),
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
          namedOnce ? name : "%s %s %s".formatted(name, shared.api().value(), shared.address()));
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
}
