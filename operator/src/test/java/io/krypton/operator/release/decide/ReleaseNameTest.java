// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.api.NameShortener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReleaseNameTest {

  @Test
  void it_names_object_and_cluster() {
    assertThat(ReleaseName.ofTenant("e2e-acme", "demo-remote-1").value())
        .isEqualTo("tenant-e2e-acme-demo-remote-1");
    assertThat(ReleaseName.ofDeployment("shop").value()).isEqualTo("ced-shop");
  }

  @Test
  void a_long_one_is_cut_and_stays_unique() {
    assertThat(
            ReleaseName.ofTenant(
                    "payments-production", "eu-central-edge-cluster-frankfurt-kubeconfig")
                .value())
        .isEqualTo("tenant-payments-production-eu-central-ed-e7f22dae1f0b")
        .hasSize(53);
  }

  @Test
  void a_name_that_just_fits_is_left_alone() {
    assertThat(NameShortener.shorten("x".repeat(53), 53)).isEqualTo("x".repeat(53));
    assertThat(NameShortener.shorten("x".repeat(54), 53))
        .hasSize(53)
        .startsWith("x".repeat(40) + "-");
  }

  @Test
  void a_dot_at_the_cut_becomes_a_dash() {
    var tenant = "a".repeat(32) + "." + "b".repeat(30);
    assertThat(ReleaseName.ofTenant(tenant, "c").value())
        .startsWith("tenant-" + "a".repeat(32) + "--")
        .hasSize(53);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Upper", "-x", "x-", "a.-b", "x y", "x/y"})
  void what_helm_refuses_is_refused(String name) {
    assertThatThrownBy(() -> new ReleaseName(name)).isInstanceOf(IllegalArgumentException.class);
  }
}
