// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.reference;

import io.krypton.api.event.EventReason;
import io.krypton.api.event.EventReason.Subject;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Turns the declared events into a page for people. */
final class EventReference {
  private static final String HEAD =
      """
      # Events

      Made from the events as they are declared; a test keeps it so. `kubectl describe` shows the events of an object, newest last;
      [troubleshooting](../troubleshooting.md) says what to do about the bad ones. Events tell transitions, not states: each is told once.
      Of a burst, 50 are told at once, then five a second while more keep coming and fifty a second afterwards, warnings first; each has the time at which it happened.
      """;

  private EventReference() {}

  static String page() {
    return HEAD
        + Arrays.stream(Subject.values())
            .map(EventReference::section)
            .collect(Collectors.joining());
  }

  private static String section(Subject subject) {
    return """

    ## On a %s

    | Reason | Type | Meaning |
    |---|---|---|
    %s"""
        .formatted(
            subject.value(),
            Arrays.stream(EventReason.values())
                .filter(reason -> reason.subjects().contains(subject))
                .map(EventReference::row)
                .collect(Collectors.joining()));
  }

  private static String row(EventReason reason) {
    var type =
        switch (reason.type()) {
          case NORMAL -> "Normal";
          case WARNING -> "Warning";
        };
    return "| `%s` | %s | %s |\n".formatted(reason.value(), type, reason.meaning());
  }
}
