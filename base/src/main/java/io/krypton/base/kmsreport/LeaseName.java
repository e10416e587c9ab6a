// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.kmsreport;

import java.util.Optional;
import java.util.regex.Pattern;

/** The Lease that a reporter renews, written as {@code namespace/name}. */
public record LeaseName(String namespace, String name) {
  private static final Pattern FORM =
      Pattern.compile(
          "([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)/([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?)");

  /** Empty if no Lease can have such a name. */
  public static Optional<LeaseName> parse(String text) {
    var parts = FORM.matcher(text);
    return parts.matches()
        ? Optional.of(new LeaseName(parts.group(1), parts.group(3)))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
