package io.krypton.operator.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.rollout.Owner.Kind;
import org.junit.jupiter.api.Test;

class AllOwnersTest {
  private final AllOwners owners = new AllOwners();

  @Test
  void each_kind_is_asked_for_its_own() {
    owners.add(Kind.TENANT, livesOnly("Tenant/a/x"));
    owners.add(Kind.KRYPTON_DEPLOYMENT, livesOnly("KryptonDeployment/a/x"));
    assertThat(owners.lives("edge", "Tenant/a/x", "1")).isTrue();
    assertThat(owners.lives("edge", "Tenant/a/y", "1")).isFalse();
    assertThat(owners.lives("edge", "KryptonDeployment/a/x", "1")).isTrue();
    assertThat(owners.lives("edge", "KryptonDeployment/a/y", "1")).isFalse();
  }

  @Test
  void owners_of_a_kind_that_is_switched_off_may_live() {
    owners.add(Kind.TENANT, livesOnly("Tenant/a/x"));
    assertThat(owners.lives("edge", "KryptonDeployment/a/x", "1")).isTrue();
  }

  @Test
  void what_is_no_kind_of_ours_owns_nothing() {
    assertThat(owners.lives("edge", "Somebody/a/x", "1")).isFalse();
  }

  private static LivingOwners livesOnly(String only) {
    return new LivingOwners() {
      @Override
      public boolean lives(String cluster, String reference, String uid) {
        return reference.equals(only);
      }

      @Override
      public boolean lives(String cluster, String uid) {
        return false;
      }
    };
  }
}
