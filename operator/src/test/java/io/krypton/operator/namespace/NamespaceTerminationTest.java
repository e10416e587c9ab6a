// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NamespaceCondition;
import io.fabric8.kubernetes.api.model.NamespaceConditionBuilder;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NamespaceTerminationTest {
  private static final NamespaceCondition NO_DISCOVERY =
      condition(
          "NamespaceDeletionDiscoveryFailure", "True", "DiscoveryFailed", "no backend\n of x/v1");
  private static final NamespaceCondition CONTENT =
      condition("NamespaceContentRemaining", "True", "SomeResourcesRemain", "1 pod");

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void the_reason_is_taken_from_the_conditions(
      String rule, List<NamespaceCondition> conditions, String told) {
    var namespace =
        new NamespaceBuilder()
            .withNewMetadata()
            .withName("acme")
            .endMetadata()
            .withNewStatus()
            .withConditions(conditions)
            .endStatus()
            .build();
    assertThat(NamespaceTermination.blockedBy(namespace).orElse("")).as(rule).isEqualTo(told);
  }

  static Stream<Arguments> the_reason_is_taken_from_the_conditions() {
    return Stream.of(
        Arguments.of("none yet", List.of(), ""),
        Arguments.of(
            "nothing failed",
            List.of(condition("NamespaceDeletionDiscoveryFailure", "False", "Found", "all")),
            ""),
        Arguments.of(
            "an API without backend before what remains by it",
            List.of(CONTENT, NO_DISCOVERY),
            "namespace acme is terminating (DiscoveryFailed): no backend of x/v1"),
        Arguments.of(
            "what remains",
            List.of(CONTENT),
            "namespace acme is terminating (SomeResourcesRemain): 1 pod"));
  }

  private static NamespaceCondition condition(
      String type, String status, String reason, String message) {
    return new NamespaceConditionBuilder()
        .withType(type)
        .withStatus(status)
        .withReason(reason)
        .withMessage(message)
        .build();
  }
}
