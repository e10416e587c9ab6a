package io.krypton.operator.rollout;

import io.krypton.operator.rollout.Owner.Kind;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The owners of all kinds: two of them may want one namespace on the same cluster. Whoever rolls
 * out a kind adds itself once it exists.
 */
public final class AllOwners implements LivingOwners {
  private final Map<Kind, LivingOwners> byKind = new ConcurrentHashMap<>();

  public void add(Kind kind, LivingOwners owners) {
    byKind.put(kind, owners);
  }

  /** Of a kind that nobody looks after here, the owner may well live: its namespace is left. */
  @Override
  public boolean lives(String cluster, String reference, String uid) {
    for (var kind : Kind.values()) {
      if (reference.startsWith(kind + "/")) {
        var owners = byKind.get(kind);
        return owners == null || owners.lives(cluster, reference, uid);
      }
    }
    return false;
  }

  @Override
  public boolean lives(String cluster, String uid) {
    return byKind.values().stream().anyMatch(owners -> owners.lives(cluster, uid));
  }
}
