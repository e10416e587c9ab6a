// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.operator.release.values.ChartValues;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FingerprintTest {
  private static final String REPO = "https://charts.jetstack.io";

  @Test
  void without_values_it_is_the_one_that_releases_in_the_field_carry() {
    assertThat(Fingerprint.of(REPO, "cert-manager", "1.19.1", ChartValues.empty()).hex())
        .isEqualTo("dd782c04db309dcc54c116da69b3f09bdae53e49d4d4e087fb6bce3a92e80a8d");
    assertThat(
            Fingerprint.of(
                    "https://ealenn.github.io/charts", "echo-server", "0.5.0", ChartValues.empty())
                .hex())
        .isEqualTo("57890fb183912c42ea7b9eea6441ed86881be29116a94cfff5cf1cfa89c6110d");
  }

  @Test
  void values_are_part_of_it() {
    var chartValues =
        ChartValues.of(
            Map.of("replicaCount", 2, "image", Map.of("tag", "v1"), "args", List.of("a", "1")));
    assertThat(Fingerprint.of(REPO, "cert-manager", "1.19.1", chartValues).hex())
        .isEqualTo("98033445f4e6c9eed66cb5256efb6366aa9b00ea55d19eafa9fc88e160632ca1");
  }

  @Test
  void its_label_fits_a_label_value() {
    var fingerprint = Fingerprint.of(REPO, "cert-manager", "1.19.1", ChartValues.empty());
    assertThat(fingerprint.label()).hasSize(63).isEqualTo(fingerprint.hex().substring(0, 63));
  }

  @Test
  void anything_else_is_refused() {
    assertThatThrownBy(() -> new Fingerprint("abc")).hasMessageContaining("64 hex digits");
  }
}
