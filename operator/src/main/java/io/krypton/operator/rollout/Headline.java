package io.krypton.operator.rollout;

import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A message as one line of a table, such as that of {@code kubectl get -o wide}; conditions and
 * events have it in full. Pure.
 */
public final class Headline {
  private static final int LONGEST = 300;

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
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST - 1).stripTrailing() + "…";
  }
}
