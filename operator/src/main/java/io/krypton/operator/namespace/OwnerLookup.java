// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.namespace;

import io.krypton.operator.namespace.Owner.Kind;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Knows which objects exist that may own namespaces and releases on a cluster. */
public interface OwnerLookup {
  /**
   * Whether the object that a namespace names as its owner exists.
   *
   * @param cluster that holds the namespace
   * @param reference as in {@link Owner#reference}
   */
  boolean exists(String cluster, String reference, String uid);

  /**
   * Whether the object that a release names as its owner exists.
   *
   * @param cluster that holds the release
   */
  boolean exists(String cluster, String uid);

  /**
   * The owners of all kinds: two of them may want one namespace on the same cluster. The controller
   * of a kind adds itself once it exists.
   */
  final class AllKinds implements OwnerLookup {
    private final Map<Kind, OwnerLookup> byKind = new ConcurrentHashMap<>();

    public void add(Kind kind, OwnerLookup owners) {
      byKind.put(kind, owners);
    }

    /** Of a kind without a controller here the owner may exist: its namespace is left. */
    @Override
    public boolean exists(String cluster, String reference, String uid) {
      for (var kind : Kind.values()) {
        if (reference.startsWith(kind + "/")) {
          var owners = byKind.get(kind);
          return owners == null || owners.exists(cluster, reference, uid);
        }
      }
      return false;
    }

    @Override
    public boolean exists(String cluster, String uid) {
      return byKind.values().stream().anyMatch(owners -> owners.exists(cluster, uid));
    }
  }
}
