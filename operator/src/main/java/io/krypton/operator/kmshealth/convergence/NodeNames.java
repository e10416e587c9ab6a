package io.krypton.operator.kmshealth.convergence;

import java.util.Collection;
import java.util.List;

/** Names of nodes in a message; of many only the first. */
final class NodeNames {
  private static final int MOST = 10;

  private NodeNames() {}

  static String of(Collection<String> nodes) {
    var all = List.copyOf(nodes);
    var shown = String.join(", ", all.subList(0, Math.min(MOST, all.size())));
    return all.size() <= MOST ? shown : "%s and %d more".formatted(shown, all.size() - MOST);
  }
}
