// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.rollout;

import java.util.regex.Pattern;

/**
 * What the API server checks (CEL) of classes and rollouts. Each message says what the field should
 * be; the server puts the field and its value before it.
 */
public final class ClassRules {
  /** The class of whoever names none. */
  public static final String DEFAULT_CLASS = "default";

  /** The wave of whoever is in none; nobody may call a wave so. */
  public static final String LAST_WAVE = "rest";

  /** Leaves room for {@code -r<n>} and {@code -<n>} in a label of 63 characters. */
  public static final int NAME_LIMIT = 50;

  public static final String NAME_PATTERN = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";

  public static final String NAME_IS_CLASS =
      "self.metadata.name.size() <= 50 && self.metadata.name.matches('" + NAME_PATTERN + "')";
  public static final String NAME_IS_CLASS_MESSAGE =
      "metadata.name must be a DNS label of at most 50 characters, such as default";

  public static final String CLASS_IS_IMMUTABLE =
      "(has(self.spec) && has(self.spec.className) ? self.spec.className : 'default') =="
          + " (has(oldSelf.spec) && has(oldSelf.spec.className) ? oldSelf.spec.className :"
          + " 'default')";
  public static final String CLASS_IS_IMMUTABLE_MESSAGE =
      "spec.className is immutable (absent is default); create a new object of the other class";

  private static final String SEMVER =
      "^v?(0|[1-9][0-9]*)[.](0|[1-9][0-9]*)[.](0|[1-9][0-9]*)"
          + "(-[0-9A-Za-z-]+([.][0-9A-Za-z-]+)*)?([+][0-9A-Za-z-]+([.][0-9A-Za-z-]+)*)?$";

  public static final String VERSION_IS_EXACT = "self.matches('" + SEMVER + "')";
  public static final String VERSION_IS_EXACT_MESSAGE =
      "must be an exact version such as 1.4.0, neither a range nor empty";

  /** For the text of what may be a number, too; a rule (CEL) would cost more than it may. */
  public static final String PERCENT = "^(100|[1-9]?[0-9])%$";

  private static final Pattern EXACT = Pattern.compile(SEMVER);

  private ClassRules() {}

  /** As the API server checks it, for objects that were stored under another definition. */
  public static boolean isExactVersion(String version) {
    return EXACT.matcher(version).matches();
  }
}
