package io.krypton.cli.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.event.EventReason;
import io.krypton.architecture.HouseRules;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EventReferenceTest {
  private static final Pattern LITERAL = Pattern.compile("\"([A-Z][A-Za-z]+)\"");

  /** Also a phase, and a condition type of nodes and of our objects. */
  private static final EventReason NOT_ONLY_A_REASON = EventReason.READY;

  /** Packages that do not name reasons by constant yet. */
  private static final List<String> PENDING =
      List.of(
          "io/krypton/operator/release/",
          "io/krypton/operator/tenant/",
          "io/krypton/operator/deployment/");

  @Test
  void the_reference_page_lists_every_event() throws IOException {
    new ReferencePage("events.md").mustBe(EventReference.page(), getClass());
  }

  @Test
  void reasons_are_named_by_constant_only() {
    assertThat(
            literals()
                .filter(found -> !found.word().equals(NOT_ONLY_A_REASON.value()))
                .filter(found -> !isPending(found)))
        .as("use the constant of EventReason")
        .isEmpty();
  }

  @Test
  void every_declared_reason_is_used() {
    var pending = new HashSet<>(PENDING.isEmpty() ? List.of() : Reasons.all());
    literals().filter(EventReferenceTest::isPending).forEach(found -> pending.add(found.word()));

    assertThat(Constants.unused(EventReason.class, HouseRules.mainClassesOf("io.krypton")))
        .filteredOn(reason -> !pending.contains(reason.value()))
        .isEmpty();
  }

  private static Stream<Sources.Found> literals() {
    return Sources.of("operator", "cli", "agent", "multicluster")
        .find(LITERAL)
        .filter(found -> EventReason.of(found.word()).isPresent());
  }

  private static boolean isPending(Sources.Found found) {
    var file = found.file().toString().replace('\\', '/');
    return PENDING.stream().anyMatch(file::contains);
  }
}
