// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.namespace.Owner.Kind;
import io.krypton.operator.namespace.OwnerLookup.AllKinds;
import org.junit.jupiter.api.Test;

class OwnerLookupTest {
  private final AllKinds owners = new AllKinds();

  @Test
  void each_kind_is_asked_for_its_own() {
    owners.add(Kind.TENANT, livesOnly("Tenant/a/x"));
    owners.add(Kind.KRYPTON_DEPLOYMENT, livesOnly("KryptonDeployment/a/x"));
    assertThat(owners.exists("edge", "Tenant/a/x", "1")).isTrue();
    assertThat(owners.exists("edge", "Tenant/a/y", "1")).isFalse();
    assertThat(owners.exists("edge", "KryptonDeployment/a/x", "1")).isTrue();
    assertThat(owners.exists("edge", "KryptonDeployment/a/y", "1")).isFalse();
  }

  @Test
  void owners_of_a_kind_that_is_switched_off_may_live() {
    owners.add(Kind.TENANT, livesOnly("Tenant/a/x"));
    assertThat(owners.exists("edge", "KryptonDeployment/a/x", "1")).isTrue();
  }

  @Test
  void what_is_no_kind_of_ours_owns_nothing() {
    assertThat(owners.exists("edge", "Somebody/a/x", "1")).isFalse();
  }

  private static OwnerLookup livesOnly(String only) {
    return new OwnerLookup() {
      @Override
      public boolean exists(String cluster, String reference, String uid) {
        return reference.equals(only);
      }

      @Override
      public boolean exists(String cluster, String uid) {
        return false;
      }
    };
  }
}
