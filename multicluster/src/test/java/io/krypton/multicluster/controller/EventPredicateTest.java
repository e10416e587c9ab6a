// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EventPredicateTest {
  private static final ConfigMap BASE =
      new ConfigMapBuilder()
          .withNewMetadata()
          .withName("one")
          .withUid("u1")
          .withGeneration(7L)
          .withResourceVersion("100")
          .endMetadata()
          .build();

  static Stream<Arguments> rows() {
    return Stream.of(
        row("only the status", true, m -> m, false, false),
        row(
            "a new generation",
            true,
            m -> m.editMetadata().withGeneration(8L).endMetadata(),
            true,
            true),
        row(
            "a new incarnation",
            true,
            m -> m.editMetadata().withUid("u2").endMetadata(),
            true,
            true),
        row(
            "an annotation",
            true,
            m -> m.editMetadata().addToAnnotations("a", "b").endMetadata(),
            true,
            false),
        row(
            "a label",
            true,
            m -> m.editMetadata().addToLabels("a", "b").endMetadata(),
            true,
            false),
        row(
            "a finalizer",
            true,
            m -> m.editMetadata().addToFinalizers("x/y").endMetadata(),
            true,
            false),
        row(
            "the deletion",
            true,
            m -> m.editMetadata().withDeletionTimestamp("now").endMetadata(),
            true,
            false),
        row(
            "content of a kind without generation",
            false,
            m -> m.withData(Map.of("a", "b")),
            true,
            true));
  }

  private static Arguments row(
      String name,
      boolean counted,
      UnaryOperator<ConfigMapBuilder> change,
      boolean passesIgnoringStatus,
      boolean passesGeneration) {
    var before =
        counted
            ? BASE
            : new ConfigMapBuilder(BASE).editMetadata().withGeneration(null).endMetadata().build();
    var after =
        change
            .apply(new ConfigMapBuilder(before))
            .editMetadata()
            .withResourceVersion("101")
            .endMetadata()
            .build();
    return Arguments.of(name, before, after, passesIgnoringStatus, passesGeneration);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void a_change_passes_when_it_matters(
      String name, ConfigMap before, ConfigMap after, boolean ignoringStatus, boolean generation) {
    assertThat(EventPredicate.<ConfigMap>ignoringStatus().test(before, after))
        .isEqualTo(ignoringStatus);
    assertThat(EventPredicate.<ConfigMap>generationChanged().test(before, after))
        .isEqualTo(generation);
    assertThat(EventPredicate.<ConfigMap>everyChange().test(before, after)).isTrue();
  }

  static Stream<Arguments> ends() {
    return Stream.of(Arguments.of("added", null, BASE), Arguments.of("deleted", BASE, null));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ends")
  void what_appears_or_vanishes_always_passes(
      String name, @Nullable ConfigMap before, @Nullable ConfigMap after) {
    assertThat(EventPredicate.<ConfigMap>ignoringStatus().test(before, after)).isTrue();
    assertThat(EventPredicate.<ConfigMap>generationChanged().test(before, after)).isTrue();
  }
}
