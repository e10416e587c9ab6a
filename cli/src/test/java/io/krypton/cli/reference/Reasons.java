// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.reference;

import java.util.Arrays;
import java.util.List;

/** Words that are declared as constants of a class. */
final class Reasons {
  private Reasons() {}

  static List<String> of(Class<?> words) {
    return Arrays.stream(words.getFields())
        .map(
            constant -> {
              try {
                return String.valueOf(constant.get(null));
              } catch (IllegalAccessException e) {
                throw new AssertionError(e);
              }
            })
        .toList();
  }
}
