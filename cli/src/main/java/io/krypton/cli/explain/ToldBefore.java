package io.krypton.cli.explain;

import java.util.ArrayList;
import java.util.List;

/** Remembers long messages, so that each is told in full only once. */
final class ToldBefore {
  static final String AS_ABOVE = "(as above)";

  /** What is shorter may be repeated: it reads faster than a reference. */
  private static final int LONG = 60;

  private final List<String> messages = new ArrayList<>();

  /** The message, without the part that was told before. */
  String once(String message) {
    if (messages.stream().anyMatch(told -> message.length() >= LONG && told.contains(message))) {
      return AS_ABOVE;
    }
    var before = messages.stream().filter(message::contains).findFirst();
    add(message);
    return before.map(told -> message.replace(told, AS_ABOVE)).orElse(message);
  }

  void add(String message) {
    if (message.length() >= LONG) {
      messages.addFirst(message);
    }
  }
}
