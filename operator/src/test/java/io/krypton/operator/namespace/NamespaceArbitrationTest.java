// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NamespaceArbitrationTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final Owner FIRST = owner("b", NOON);
  private static final Owner SAME_SECOND = owner("a", NOON);
  private static final Owner LATER = owner("c", NOON.plusSeconds(1));

  private static Owner owner(String uid, Instant createdAt) {
    return new Owner(Owner.Kind.TENANT, "team", "name-" + uid, uid, createdAt);
  }

  @Test
  void the_oldest_gets_the_namespace() {
    assertThat(NamespaceArbitration.olderClaimant(LATER, Stream.of(FIRST, LATER), false))
        .contains(FIRST);
    assertThat(NamespaceArbitration.olderClaimant(FIRST, Stream.of(FIRST, LATER), false)).isEmpty();
  }

  @Test
  void of_two_of_one_second_exactly_one_gets_it() {
    assertThat(NamespaceArbitration.olderClaimant(FIRST, Stream.of(FIRST, SAME_SECOND), false))
        .contains(SAME_SECOND);
    assertThat(
            NamespaceArbitration.olderClaimant(SAME_SECOND, Stream.of(FIRST, SAME_SECOND), false))
        .isEmpty();
  }

  @Test
  void whoever_has_it_keeps_it() {
    assertThat(NamespaceArbitration.olderClaimant(FIRST, Stream.of(FIRST, SAME_SECOND), true))
        .isEmpty();
  }
}
