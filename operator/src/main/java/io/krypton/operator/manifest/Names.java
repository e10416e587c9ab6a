package io.krypton.operator.manifest;

import java.util.Collection;
import java.util.stream.Collectors;

/** Lists of names in messages, bounded so that a message stays readable and storable. */
public final class Names {
  private static final int SHOWN = 20;

  private Names() {}

  public static String list(Collection<?> names) {
    var shown = names.stream().limit(SHOWN).map(Object::toString).collect(Collectors.joining(", "));
    return names.size() <= SHOWN ? shown : shown + " and " + (names.size() - SHOWN) + " more";
  }
}
