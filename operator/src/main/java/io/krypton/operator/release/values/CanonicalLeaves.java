// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.values;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The leaves of a tree as {@code path=value} lines that no two different trees share.
 *
 * <p>Fingerprints of deployed releases depend on every character of it.
 */
final class CanonicalLeaves {
  private static final Pattern KEY_NEEDS_ESCAPE = Pattern.compile("[\\\\.\\[\\]=|]");
  private static final Pattern READS_AS_SOMETHING_ELSE =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?|true|false|null|\\{}|\\[]|");

  // By bytes: Java compares UTF-16 units, which orders rare characters differently.
  private final TreeMap<byte[], String> byPath = new TreeMap<>(Arrays::compareUnsigned);

  private CanonicalLeaves() {}

  static Collection<String> of(Map<String, ?> tree) {
    var leaves = new CanonicalLeaves();
    leaves.addMap(null, tree);
    return List.copyOf(leaves.byPath.values());
  }

  private void addMap(@Nullable String path, Map<?, ?> map) {
    map.forEach(
        (key, value) -> {
          var name = KEY_NEEDS_ESCAPE.matcher((String) key).replaceAll("\\\\$0");
          add(path == null ? name : path + "." + name, value);
        });
  }

  private void add(String path, @Nullable Object value) {
    switch (value) {
      case Map<?, ?> map when !map.isEmpty() -> addMap(path, map);
      case List<?> list when !list.isEmpty() -> {
        for (int i = 0; i < list.size(); i++) {
          add(path + "[" + i + "]", list.get(i));
        }
      }
      case null, default ->
          byPath.put(path.getBytes(StandardCharsets.UTF_8), path + "=" + leaf(value));
    }
  }

  private static String leaf(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Map<?, ?> empty -> "{}";
      case List<?> empty -> "[]";
      case Number number -> JsonNumbers.text(number);
      case String text -> needsQuotes(text) ? quoted(text) : text;
      default -> value.toString();
    };
  }

  private static boolean needsQuotes(String text) {
    return READS_AS_SOMETHING_ELSE.matcher(text).matches()
        || text.chars()
            .anyMatch(c -> c == '|' || c == '"' || c == '\\' || Character.isISOControl(c));
  }

  private static String quoted(String text) {
    return "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + "\"";
  }
}
