package io.krypton.agent.gate.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The pairs of a query, read as Go does: what is malformed is dropped. */
record QueryParameters(Map<String, List<String>> values) {

  static QueryParameters parse(@Nullable String raw) {
    var values = new LinkedHashMap<String, List<String>>();
    for (var pair : raw == null ? new String[0] : raw.split("&", -1)) {
      if (!pair.isEmpty() && pair.indexOf(';') < 0) {
        add(values, pair);
      }
    }
    return new QueryParameters(values);
  }

  private static void add(Map<String, List<String>> values, String pair) {
    var equals = pair.indexOf('=');
    try {
      var key = decode(equals < 0 ? pair : pair.substring(0, equals));
      var value = equals < 0 ? "" : decode(pair.substring(equals + 1));
      values.computeIfAbsent(key, _ -> new ArrayList<>()).add(value);
    } catch (IllegalArgumentException malformed) {
      // Dropped, as Go does it.
    }
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, UTF_8);
  }

  boolean has(String key) {
    return values.containsKey(key);
  }

  List<String> all(String key) {
    return values.getOrDefault(key, List.of());
  }

  /** The first value; empty without one. */
  String first(String key) {
    return all(key).isEmpty() ? "" : all(key).getFirst();
  }
}
