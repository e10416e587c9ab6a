// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Rfc1123Test {
  @ParameterizedTest
  @CsvSource({
    "a, true, true",
    "0, true, true",
    "a-b, true, true",
    "a--b, true, true",
    "a.b, false, true",
    "worker.example.com, false, true",
    "'', false, false",
    "-a, false, false",
    "a-, false, false",
    "a.-b, false, false",
    "a-.b, false, false",
    ".a, false, false",
    "a., false, false",
    "a..b, false, false",
    "A, false, false",
    "\u00e4, false, false",
    "a_b, false, false",
    "'a\n', false, false",
    "../etc, false, false",
  })
  void names_are_told_apart(String name, boolean label, boolean subdomain) {
    assertThat(Rfc1123.isLabel(name)).isEqualTo(label);
    assertThat(Rfc1123.isSubdomain(name)).isEqualTo(subdomain);
  }

  @Test
  void a_label_has_63_characters_and_a_name_253() {
    assertThat(Rfc1123.isLabel("a".repeat(63))).isTrue();
    assertThat(Rfc1123.isLabel("a".repeat(64))).isFalse();
    assertThat(Rfc1123.isSubdomain("a".repeat(253))).isTrue();
    assertThat(Rfc1123.isSubdomain("a".repeat(254))).isFalse();
  }
}
