// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.namespace;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceCondition;
import java.util.List;
import java.util.Optional;

/** What keeps a namespace from ending, in the words of its own conditions. */
public final class NamespaceTermination {
  /** First what cannot pass by itself: an API that does not answer, then what is still there. */
  private static final List<String> CONDITIONS_BY_PRIORITY =
      List.of(
          "NamespaceDeletionDiscoveryFailure",
          "NamespaceDeletionGroupVersionParsingFailure",
          "NamespaceDeletionContentFailure",
          "NamespaceFinalizersRemaining",
          "NamespaceContentRemaining");

  private static final int MAX_LENGTH = 400;

  private NamespaceTermination() {}

  public static Optional<String> blockedBy(Namespace namespace) {
    var status = namespace.getStatus();
    if (status == null || status.getConditions() == null) {
      return Optional.empty();
    }
    return CONDITIONS_BY_PRIORITY.stream()
        .flatMap(
            type ->
                status.getConditions().stream()
                    .filter(it -> type.equals(it.getType()) && "True".equals(it.getStatus())))
        .findFirst()
        .map(it -> message(namespace.getMetadata().getName(), it));
  }

  private static String message(String namespace, NamespaceCondition condition) {
    var message = String.valueOf(condition.getMessage()).replaceAll("\\s+", " ").strip();
    return "namespace %s is terminating (%s): %s"
        .formatted(
            namespace,
            condition.getReason(),
            message.length() <= MAX_LENGTH ? message : message.substring(0, MAX_LENGTH - 1) + "…");
  }
}
