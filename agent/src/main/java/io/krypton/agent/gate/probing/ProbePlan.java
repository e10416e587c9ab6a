package io.krypton.agent.gate.probing;

import io.krypton.agent.gate.settings.HttpHealthz;
import io.krypton.kms.encryption.ProviderRole;
import io.krypton.kms.protocol.KmsApi;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One plugin to be probed for all providers that share it. Equal plans of two configurations are
 * the same plugin, which keeps its connection and its state when the file changes.
 *
 * @param timeout the smallest of those who share it
 * @param canaryName under which its canaries are kept
 */
record ProbePlan(
    KmsApi api,
    String address,
    Duration timeout,
    Set<ProviderRole> roles,
    @Nullable HttpHealthz http,
    String canaryName) {
  ProbePlan {
    roles = Set.copyOf(roles);
  }
}
