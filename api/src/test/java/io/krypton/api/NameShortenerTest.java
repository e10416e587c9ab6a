// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NameShortenerTest {
  @Test
  void a_name_that_fits_stays() {
    assertThat(NameShortener.shorten("tenant-acme-edge", 53)).isEqualTo("tenant-acme-edge");
    assertThat(NameShortener.shorten("x".repeat(53), 53)).isEqualTo("x".repeat(53));
  }

  @Test
  void a_longer_name_keeps_its_beginning_and_gets_a_hash() {
    var name = "tenant-payments-production-eu-central-edge-cluster-frankfurt-kubeconfig";

    assertThat(NameShortener.shorten(name, 53))
        .isEqualTo("tenant-payments-production-eu-central-ed-e7f22dae1f0b")
        .hasSize(53);
  }

  @Test
  void a_dot_at_the_cut_becomes_a_dash() {
    var shortened = NameShortener.shorten("a".repeat(39) + "." + "b".repeat(40), 53);

    assertThat(shortened).startsWith("a".repeat(39) + "--").hasSize(53).doesNotContain(".");
  }

  @Test
  void two_long_names_with_the_same_beginning_stay_apart() {
    var beginning = "c".repeat(60);

    assertThat(NameShortener.shorten(beginning + "1", 53))
        .isNotEqualTo(NameShortener.shorten(beginning + "2", 53));
  }

  @Test
  void the_fingerprint_annotation_names_the_cluster_and_never_exceeds_the_limit() {
    assertThat(Annotations.fingerprint("demo-remote-1"))
        .isEqualTo("mesh.openkcm.io/fingerprint-demo-remote-1");
    assertThat(Annotations.fingerprint("c".repeat(60)))
        .startsWith("mesh.openkcm.io/fingerprint-ccc")
        .hasSize("mesh.openkcm.io/".length() + 63);
  }
}
