// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import java.util.Collection;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lists of names in messages, bounded so that a message stays readable and storable. */
public final class MessageText {
  private static final int MAX_NAMES = 20;

  private MessageText() {}

  public static String list(Collection<?> names) {
    var shown =
        names.stream().limit(MAX_NAMES).map(Object::toString).collect(Collectors.joining(", "));
    return names.size() <= MAX_NAMES
        ? shown
        : shown + " and " + (names.size() - MAX_NAMES) + " more";
  }

  /**
   * A message as one line of a table, such as that of {@code kubectl get -o wide}; conditions and
   * events have it in full. Pure.
   */
  public static final class Headline {
    private static final int MAX_LENGTH = 300;

    private Headline() {}

    /** Lines that stand below each other in the message, side by side, as far as there is room. */
    public static @Nullable String of(@Nullable String message) {
      if (message == null) {
        return null;
      }
      var line =
          message
              .lines()
              .map(String::strip)
              .filter(it -> !it.isEmpty())
              .collect(Collectors.joining("; "))
              .replace(":; ", ": ");
      return line.length() <= MAX_LENGTH
          ? line
          : line.substring(0, MAX_LENGTH - 1).stripTrailing() + "…";
    }
  }
}
