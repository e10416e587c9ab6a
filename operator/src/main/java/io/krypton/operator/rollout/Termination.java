package io.krypton.operator.rollout;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceCondition;
import java.util.List;
import java.util.Optional;

/** What keeps a namespace from ending, in the words of its own conditions. */
final class Termination {
  /** First what cannot pass by itself: an API that does not answer, then what is still there. */
  private static final List<String> TELLING =
      List.of(
          "NamespaceDeletionDiscoveryFailure",
          "NamespaceDeletionGroupVersionParsingFailure",
          "NamespaceDeletionContentFailure",
          "NamespaceFinalizersRemaining",
          "NamespaceContentRemaining");

  private static final int LONGEST = 400;

  private Termination() {}

  static Optional<String> heldBy(Namespace namespace) {
    var status = namespace.getStatus();
    if (status == null || status.getConditions() == null) {
      return Optional.empty();
    }
    return TELLING.stream()
        .flatMap(
            type ->
                status.getConditions().stream()
                    .filter(it -> type.equals(it.getType()) && "True".equals(it.getStatus())))
        .findFirst()
        .map(it -> told(namespace.getMetadata().getName(), it));
  }

  private static String told(String namespace, NamespaceCondition condition) {
    var message = String.valueOf(condition.getMessage()).replaceAll("\\s+", " ").strip();
    return "namespace %s is terminating (%s): %s"
        .formatted(
            namespace,
            condition.getReason(),
            message.length() <= LONGEST ? message : message.substring(0, LONGEST - 1) + "…");
  }
}
