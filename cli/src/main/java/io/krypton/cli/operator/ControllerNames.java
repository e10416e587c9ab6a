package io.krypton.cli.operator;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Which controllers a process runs, as {@code --controllers} names them. */
final class ControllerNames {
  static final String TENANTS = "tenants";
  static final String DEPLOYMENTS = "deployments";
  static final String KMS_HEALTH = "kmshealth";

  private static final List<String> ALL = List.of(TENANTS, DEPLOYMENTS, KMS_HEALTH);
  private static final String EVERYTHING = "*";

  private ControllerNames() {}

  /**
   * Reads a comma list, left to right: {@code *} adds all, {@code x} adds one, {@code -x} removes
   * one. A list that only removes begins with all.
   *
   * @throws IllegalArgumentException with a text for users
   */
  static Set<String> parse(String list) {
    var parts = List.of(list.strip().split("\\s*,\\s*"));
    var chosen = new LinkedHashSet<String>();
    if (parts.stream().allMatch(part -> part.startsWith("-"))) {
      chosen.addAll(ALL);
    }
    for (var part : parts) {
      if (part.equals(EVERYTHING)) {
        chosen.addAll(ALL);
      } else if (part.startsWith("-")) {
        chosen.remove(known(part.substring(1), list));
      } else {
        chosen.add(known(part, list));
      }
    }
    return Set.copyOf(chosen);
  }

  private static String known(String name, String list) {
    if (!ALL.contains(name)) {
      throw new IllegalArgumentException(
          "--controllers %s: '%s' is not known; use *, %s, or -name to leave one out"
              .formatted(list, name, String.join(", ", ALL)));
    }
    return name;
  }
}
