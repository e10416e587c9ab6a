package io.krypton.cli.view;

import io.krypton.api.KryptonApi;
import java.util.ArrayList;
import java.util.List;

/** An object as users name it on the command line. */
public record ObjectName(ObjectKind kind, String name) {
  private static final String HOW = "write tenant/NAME or kryptondeployment/NAME";

  /** Reads {@code tenant/a tn/b}, or {@code tenant a b}: a type once and names after it. */
  public static List<ObjectName> parse(List<String> words) {
    if (words.isEmpty()) {
      throw UserError.usage("an object is missing; " + HOW);
    }
    if (!words.getFirst().contains("/")) {
      return ofOneKind(kind(words.getFirst()), words.subList(1, words.size()));
    }
    var names = new ArrayList<ObjectName>();
    for (var word : words) {
      var parts = word.split("/", -1);
      if (parts.length != 2) {
        throw UserError.usage("'%s' is not TYPE/NAME; %s".formatted(word, HOW));
      }
      names.add(new ObjectName(kind(parts[0]), name(parts[1])));
    }
    return List.copyOf(names);
  }

  private static List<ObjectName> ofOneKind(ObjectKind kind, List<String> names) {
    if (names.isEmpty()) {
      throw UserError.usage("the name of the %s is missing; %s".formatted(kind.singular(), HOW));
    }
    return names.stream().map(name -> new ObjectName(kind, name(name))).toList();
  }

  private static ObjectKind kind(String word) {
    return ObjectKind.named(word)
        .orElseThrow(
            () ->
                UserError.usage(
                    "unknown type '%s'%s; %s"
                        .formatted(word, NearestWord.question(word, ObjectKind.words()), HOW)));
  }

  private static String name(String text) {
    if (!text.matches("[a-z0-9]([-a-z0-9.]*[a-z0-9])?")) {
      throw UserError.usage("'%s' is not the name of an object; %s".formatted(text, HOW));
    }
    return text;
  }

  /** As {@code kubectl -o name} writes it. */
  public String qualified() {
    return kind.singular() + "." + KryptonApi.GROUP + "/" + name;
  }

  @Override
  public String toString() {
    return kind.singular() + "/" + name;
  }
}
