package io.krypton.operator.values;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Copying, merging and walking JSON-like trees. */
final class Tree {
  private Tree() {}

  static Map<String, @Nullable Object> copy(Map<?, ?> map) {
    var copy = new LinkedHashMap<String, @Nullable Object>();
    map.forEach((key, value) -> copy.put((String) key, copyOf(value)));
    return Collections.unmodifiableMap(copy);
  }

  private static @Nullable Object copyOf(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Map<?, ?> map -> copy(map);
      case List<?> list -> {
        var copy = new ArrayList<@Nullable Object>();
        list.forEach(item -> copy.add(copyOf(item)));
        yield Collections.unmodifiableList(copy);
      }
      case Number number -> Numbers.normal(number);
      case String text -> text;
      case Boolean flag -> flag;
      default -> throw new IllegalArgumentException("not a JSON value: " + value.getClass());
    };
  }

  static Map<String, @Nullable Object> merge(Map<?, ?> earlier, Map<?, ?> later) {
    var merged = new LinkedHashMap<String, @Nullable Object>();
    earlier.forEach((key, value) -> merged.put((String) key, value));
    later.forEach(
        (key, above) ->
            merged.put(
                (String) key,
                earlier.get(key) instanceof Map<?, ?> below && above instanceof Map<?, ?> map
                    ? merge(below, map)
                    : above));
    return Collections.unmodifiableMap(merged);
  }

  static void collectTexts(@Nullable Object value, Set<String> into) {
    switch (value) {
      case Map<?, ?> map -> map.values().forEach(item -> collectTexts(item, into));
      case List<?> list -> list.forEach(item -> collectTexts(item, into));
      case String text -> into.add(text);
      case Number number -> into.add(Numbers.text(number));
      case null, default -> {
        // A boolean or null tells nothing worth hiding, and hiding it would garble every message.
      }
    }
  }
}
