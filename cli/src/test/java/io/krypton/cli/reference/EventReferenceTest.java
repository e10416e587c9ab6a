package io.krypton.cli.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.event.EventReason;
import java.io.IOException;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class EventReferenceTest {
  /** Where a reason stands as a word in the calls that lead to an event. */
  private static final Pattern TOLD =
      Pattern.compile(
          """
          (?x)
          (?: \\b(?:normal|warning)\\( \\s*
            | Announcement\\.(?:normal|warning)\\( \\s* [^,"]+ , \\s*
            | \\b(?:warn|tell)\\( \\s* \\w+ , \\s*
            | Announcement\\.Type\\.\\w+ , \\s*
            | Result\\.(?:DoneWithNotice|NotYet)\\( \\s*
          ) "([A-Z][A-Za-z]+)"
          """);

  @Test
  void the_reference_page_lists_every_event() throws IOException {
    new ReferencePage("events.md").mustBe(EventReference.page(), getClass());
  }

  @Test
  void every_event_that_the_code_tells_is_declared() {
    assertThat(Sources.find(TOLD).map(found -> found.group(1)).distinct())
        .as("declare it in EventReason")
        .isNotEmpty()
        .allMatch(word -> EventReason.of(word).isPresent());
  }

  @Test
  void every_declared_event_is_a_word_of_the_code() {
    var words =
        Sources.find(Pattern.compile("\"([A-Z][A-Za-z]+)\""))
            .map(found -> found.group(1))
            .collect(Collectors.toSet());
    words.addAll(Reasons.all());
    Sources.find(Pattern.compile("EventReason\\s*\\.([A-Z][A-Z_]+)\\b"))
        .map(found -> EventReason.valueOf(found.group(1)).value())
        .forEach(words::add);

    assertThat(words)
        .containsAll(Arrays.stream(EventReason.values()).map(EventReason::value).toList());
  }
}
