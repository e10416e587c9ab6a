package io.krypton.cli.view;

import io.krypton.api.KryptonApi;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

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

  /** All words that name a kind in full. */
  static List<String> words() {
    return Arrays.stream(values()).map(ObjectKind::singular).toList();
  }

  static Optional<ObjectKind> named(String word) {
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
