// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import io.krypton.api.KryptonApi;
import io.krypton.multicluster.cache.MetadataSelection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** An object as users name it on the command line. */
public record ObjectName(ObjectKind kind, String name) {
  private static final String USAGE_HINT = "write tenant/NAME or kryptondeployment/NAME";

  /** Reads {@code tenant/a tn/b}, or {@code tenant a b}: a type once and names after it. */
  public static List<ObjectName> parse(List<String> words) {
    if (words.isEmpty()) {
      throw CliException.usage("an object is missing; " + USAGE_HINT);
    }
    if (!words.getFirst().contains("/")) {
      return ofOneKind(kind(words.getFirst()), words.subList(1, words.size()));
    }
    var names = new ArrayList<ObjectName>();
    for (var word : words) {
      var parts = word.split("/", -1);
      if (parts.length != 2) {
        throw CliException.usage("'%s' is not TYPE/NAME; %s".formatted(word, USAGE_HINT));
      }
      names.add(new ObjectName(kind(parts[0]), name(parts[1])));
    }
    return List.copyOf(names);
  }

  private static List<ObjectName> ofOneKind(ObjectKind kind, List<String> names) {
    if (names.isEmpty()) {
      throw CliException.usage(
          "the name of the %s is missing; %s".formatted(kind.singular(), USAGE_HINT));
    }
    return names.stream().map(name -> new ObjectName(kind, name(name))).toList();
  }

  private static ObjectKind kind(String word) {
    return ObjectKind.fromName(word)
        .orElseThrow(
            () ->
                CliException.usage(
                    "unknown type '%s'%s; %s"
                        .formatted(
                            word,
                            SpellingSuggestion.didYouMean(word, ObjectKind.names()),
                            USAGE_HINT)));
  }

  private static String name(String text) {
    if (!text.matches("[a-z0-9]([-a-z0-9.]*[a-z0-9])?")) {
      throw CliException.usage("'%s' is not the name of an object; %s".formatted(text, USAGE_HINT));
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

  /** The kinds that ask for releases, under all the names kubectl takes for them. */
  public enum ObjectKind {
    TENANT("Tenant", "tenant", "tenants", "tn"),
    KRYPTON_DEPLOYMENT("KryptonDeployment", "kryptondeployment", "kryptondeployments", "kd");

    private final String kind;
    private final String singular;
    private final String plural;
    private final String shortName;

    ObjectKind(String kind, String singular, String plural, String shortName) {
      this.kind = kind;
      this.singular = singular;
      this.plural = plural;
      this.shortName = shortName;
    }

    public String kind() {
      return kind;
    }

    public String singular() {
      return singular;
    }

    public String plural() {
      return plural;
    }

    /** All objects of the kind. */
    public MetadataSelection selection() {
      return new MetadataSelection(KryptonApi.GROUP, KryptonApi.VERSION, plural, "", "");
    }

    /** All words that name a kind in full. */
    static List<String> names() {
      return Arrays.stream(values()).map(ObjectKind::singular).toList();
    }

    static Optional<ObjectKind> fromName(String word) {
      var lower = word.toLowerCase(Locale.ROOT);
      var bare =
          lower.endsWith("." + KryptonApi.GROUP)
              ? lower.substring(0, lower.length() - KryptonApi.GROUP.length() - 1)
              : lower;
      return Arrays.stream(values())
          .filter(
              it -> it.singular.equals(bare) || it.plural.equals(bare) || it.shortName.equals(bare))
          .findFirst();
    }
  }
}
