// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.event.EventReason;
import io.krypton.architecture.HouseRules;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class EventReferenceTest {
  private static final Pattern LITERAL = Pattern.compile("\"([A-Z][A-Za-z]+)\"");

  /** Also a phase, and a condition type of nodes and of our objects. */
  private static final EventReason NOT_ONLY_A_REASON = EventReason.READY;

  @Test
  void the_reference_page_lists_every_event() throws IOException {
    new ReferencePage("events.md").mustBe(EventReference.page(), getClass());
  }

  @Test
  void reasons_are_named_by_constant_only() {
    assertThat(Sources.of("operator", "cli", "agent", "multicluster").find(LITERAL))
        .as("use the constant of EventReason")
        .filteredOn(found -> EventReason.of(found.word()).isPresent())
        .filteredOn(found -> !found.word().equals(NOT_ONLY_A_REASON.value()))
        .isEmpty();
  }

  @Test
  void every_declared_reason_is_used() {
    assertThat(Constants.unused(EventReason.class, HouseRules.mainClassesOf("io.krypton")))
        .isEmpty();
  }

  @Test
  void a_reason_as_a_literal_is_found() {
    var sample = LITERAL.matcher("record(secret, \"ClusterEngaged\", text);");

    assertThat(sample.results().map(found -> EventReason.of(found.group(1))))
        .containsExactly(Optional.of(EventReason.CLUSTER_ENGAGED));
  }
}
