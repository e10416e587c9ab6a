package io.krypton.operator.helm;

import io.krypton.operator.values.Yaml;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Credentials for one cluster; the text shows in no {@code toString}. */
public record Kubeconfig(String yaml) {

  /** Every text in it that must not reach people: all about its users. */
  Set<String> secrets() {
    var texts = new HashSet<String>();
    switch (Yaml.single(yaml)) {
      case Yaml.Documents documents when Yaml.first(documents) instanceof Map<?, ?> map ->
          collect(map.get("users"), texts);
      case Yaml.Documents ignored -> texts.addAll(yaml.lines().toList());
      case Yaml.Malformed ignored -> texts.addAll(yaml.lines().toList());
    }
    return texts;
  }

  private static void collect(@Nullable Object value, Set<String> into) {
    switch (value) {
      case Map<?, ?> map ->
          map.forEach(
              (key, below) -> {
                if (!"name".equals(key)) {
                  collect(below, into);
                }
              });
      case List<?> list -> list.forEach(item -> collect(item, into));
      case null -> {}
      default -> into.add(value.toString());
    }
  }

  @Override
  public String toString() {
    return "Kubeconfig(...)";
  }
}
