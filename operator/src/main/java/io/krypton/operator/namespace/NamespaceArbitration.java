// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.namespace;

import java.util.Optional;
import java.util.stream.Stream;

/** Who may have a namespace that several owners want; pure. */
public final class NamespaceArbitration {
  private NamespaceArbitration() {}

  /**
   * The owner before whom this one has to stand back. Age decides who gets a namespace, not who
   * keeps it: times of creation are whole seconds, so that of two owners made in one second the
   * second may count as the older.
   *
   * @param hasIt whether the namespace was made for this owner
   */
  public static Optional<Owner> olderClaimant(Owner self, Stream<Owner> rivals, boolean hasIt) {
    return hasIt
        ? Optional.empty()
        : rivals.filter(rival -> rival.isOlderThan(self)).min(Owner.BY_AGE);
  }
}
