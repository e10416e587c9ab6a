package io.krypton.operator.kmshealth.verdict;

import io.krypton.operator.kmshealth.report.KeyId;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * One plugin of one node.
 *
 * @param keyId null if nothing is known about the plugins of the node
 */
public record Item(String node, @Nullable KeyId keyId) implements Comparable<Item> {
  private static final Comparator<@Nullable KeyId> NEWEST_FIRST =
      Comparator.nullsLast(Comparator.<KeyId>reverseOrder());

  @Override
  public int compareTo(Item other) {
    var byNode = node.compareTo(other.node);
    return byNode != 0 ? byNode : NEWEST_FIRST.compare(keyId, other.keyId);
  }
}
