// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How users write objects, and how times and colours are written for them. */
class ViewFormatTest {
  @ParameterizedTest
  @CsvSource({
    "-5,0s",
    "0,0s",
    "119,119s",
    "120,2m",
    "125,2m5s",
    "600,10m",
    "10799,179m",
    "10800,3h",
    "11100,3h5m",
    "28800,8h",
    "172799,47h",
    "172800,2d",
    "176400,2d1h",
    "691200,8d"
  })
  void ages_are_written_as_kubectl_does(long seconds, String words) {
    assertThat(Age.format(Duration.ofSeconds(seconds))).isEqualTo(words);
  }

  @ParameterizedTest
  @CsvSource({
    "tenant/acme, tenant/acme",
    "tenants/acme, tenant/acme",
    "tn/acme, tenant/acme",
    "Tenant/acme, tenant/acme",
    "tenant.mesh.openkcm.io/acme, tenant/acme",
    "tn acme, tenant/acme",
    "tn acme bcme, tenant/acme tenant/bcme",
    "kd/shop tn/acme, kryptondeployment/shop tenant/acme",
    "kryptondeployments shop, kryptondeployment/shop"
  })
  void objects_are_named_as_for_kubectl(String words, String names) {
    var parsed = ObjectName.parse(List.of(words.split(" ")));

    assertThat(parsed).extracting(ObjectName::toString).containsExactly(names.split(" "));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "``, an object is missing",
        "tenant, the name of the tenant is missing",
        "pod/acme, unknown type 'pod'",
        "pods acme, unknown type 'pods'",
        "tenant/, '' is not the name of an object",
        "tenant/a/b, 'tenant/a/b' is not TYPE/NAME",
        "tenant/Acme, 'Acme' is not the name of an object",
        "tenant/a b, 'b' is not TYPE/NAME"
      })
  void a_bad_name_is_told_with_the_remedy(String words, String message) {
    var arguments = Arrays.stream(words.split(" ")).filter(word -> !word.isEmpty()).toList();

    assertThatThrownBy(() -> ObjectName.parse(arguments))
        .isInstanceOfSatisfying(
            CliException.class, error -> assertThat(error.exitCode()).isEqualTo(2))
        .hasMessage(message + "; write tenant/NAME or kryptondeployment/NAME");
  }

  @ParameterizedTest
  @CsvSource({
    "true, '', xterm, true",
    "true, 1, xterm, false",
    "true, '', dumb, false",
    "false, '', xterm, false"
  })
  void colours_are_for_terminals_of_people_who_want_them(
      boolean terminal, String noColor, String term, boolean expected) {
    assertThat(Terminal.hasColours(Map.of("NO_COLOR", noColor, "TERM", term), terminal))
        .isEqualTo(expected);
  }

  @Test
  void an_unset_no_color_lets_colours_show() {
    assertThat(Terminal.hasColours(Map.of(), true)).isTrue();
  }
}
