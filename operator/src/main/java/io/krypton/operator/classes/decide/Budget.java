// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import io.fabric8.kubernetes.api.model.IntOrString;
import java.util.regex.Pattern;

/** How many of a wave may fail, or be missing: a number, or a percentage that is rounded down. */
public record Budget(int amount, boolean percent) {
  private static final Pattern PERCENT = Pattern.compile("(100|[1-9]?[0-9])%");

  public Budget {
    if (amount < 0 || (percent && amount > 100)) {
      throw new IllegalArgumentException(
          "'%d%s' must be a number of at least 0, or a percentage from 0%% to 100%%"
              .formatted(amount, percent ? "%" : ""));
    }
  }

  /** As the API server accepts it; the message of the exception says what is accepted. */
  public static Budget of(IntOrString value) {
    if (value.getIntVal() != null) {
      return new Budget(value.getIntVal(), false);
    }
    var text = String.valueOf(value.getStrVal());
    if (!PERCENT.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "'%s' must be a number of at least 0, or a percentage from 0%% to 100%%".formatted(text));
    }
    return new Budget(Integer.parseInt(text.substring(0, text.length() - 1)), true);
  }

  /** Of a wave of this size. */
  public int of(int total) {
    return percent ? (int) ((long) total * amount / 100) : amount;
  }

  @Override
  public String toString() {
    return percent ? amount + "%" : String.valueOf(amount);
  }
}
