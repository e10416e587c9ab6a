// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.namespace;

import io.krypton.api.rollout.NamespaceRules;
import java.util.Set;

/** Namespaces that no release may go to, and that are never deleted. */
public final class ReservedNamespaces {
  private final Set<String> own;

  /**
   * The system's, and ours.
   *
   * @param own the operator's own namespaces
   */
  public ReservedNamespaces(Set<String> own) {
    this.own = Set.copyOf(own);
  }

  public boolean rejects(String namespace) {
    return !NamespaceRules.isLabel(namespace)
        || NamespaceRules.isReserved(namespace)
        || own.contains(namespace);
  }
}
