// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactorTest {
  private static final Redactor SHAPES = Redactor.byShape();

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "plain text stays|plain text stays",
        "  two  spaces |two spaces",
        "GET https://bob:pw@kms.example/x failed|GET https://***@kms.example/x failed",
        "GET https://bob:p@ss@kms.example/x failed|GET https://***@kms.example/x failed",
        "GET 1https://bob:pw@kms.example failed|GET 1https://***@kms.example failed",
        "https://kms.example/#a?sig=abc failed|https://kms.example/#a?*** failed",
        "https://kms.example/x and http://other/y|https://kms.example/x and http://other/y",
        "GET https://kms.example/x?sig=abc&t=1 failed|GET https://kms.example/x?*** failed",
        "token=abc123 refused|*** refused",
        "Password: hunter2!|***",
        "authorization: Bearer abc.def ended|*** ended",
        "Authorization: Basic dXNlcjpwdw ended|*** ended",
        "api-key abc and apikey=def|*** and ***",
        "{\"secret\":\"s3cr3t\"}|{\"***",
        "password=token:|***",
        "an invalid token |an invalid token",
        "vault hvs.CAESIabc_def-1 expired|vault *** expired",
        "jwt eyJhbGciOi.eyJzdWIi.c2ln ended|jwt *** ended",
        "jwt-eyJhbGciOi.eyJzdWIi ended|jwt-*** ended",
        "id 0123456789012345678901234567890123456789 ended|id *** ended",
        "id 012345678901234567890123456789012345678 ended|id"
            + " 012345678901234567890123456789012345678 ended",
        "b64 c2VjcmV0L3NlY3JldA== ended|b64 *** ended",
        "path aaaabbbbccccdddd/eeeeffff ended|path aaaabbbbccccdddd/eeeeffff ended",
        "secrets are fine|secrets are fine",
      })
  void hides_what_looks_like_a_secret(String text, String shown) {
    assertThat(SHAPES.summarize(text)).isEqualTo(shown);
  }

  @Test
  void a_pem_block_goes_as_a_whole_also_when_it_is_cut_off() {
    var pem = "-----BEGIN PRIVATE KEY-----\nMIIEvQ\nIBADAN\n";
    assertThat(SHAPES.summarize("bad key " + pem + "-----END PRIVATE KEY----- found"))
        .isEqualTo("bad key *** found");
    assertThat(SHAPES.summarize("bad key " + pem)).isEqualTo("bad key ***");
  }

  @Test
  void control_characters_become_one_space_and_line_ends_a_separator() {
    assertThat(SHAPES.summarize("\u0000a\r\n\tb\u0085\u2028c\u2029\u007f\u001b[31md \u0000 e\n"))
        .isEqualTo("a; b; c; [31md e");
    assertThat(SHAPES.summarize("Code: 403. Errors:\n\n* permission denied\n* invalid token\n\n"))
        .isEqualTo("Code: 403. Errors: permission denied; invalid token");
    assertThat(SHAPES.summarize("a - b * c")).isEqualTo("a - b * c");
  }

  @Test
  void a_long_text_ends_in_dots_and_never_inside_a_character() {
    assertThat(SHAPES.summarize("😀 ".repeat(128).strip()))
        .doesNotEndWith("...")
        .hasSize(128 * 3 - 1);
    var cut = SHAPES.summarize("😀😀 ".repeat(200));
    assertThat(cut.codePointCount(0, cut.length())).isEqualTo(256);
    assertThat(cut).endsWith("...");
    assertThat(Character.isHighSurrogate(cut.charAt(cut.length() - 4))).isFalse();
  }

  @Test
  void a_secret_at_the_edge_is_hidden_before_the_text_is_cut() {
    var text = "x ".repeat(120) + "token=" + "s".repeat(39);
    assertThat(SHAPES.summarize(text)).doesNotContain("ss").contains("***");
  }

  @Test
  void an_endless_text_is_handled_at_once() {
    assertThat(SHAPES.summarize("a".repeat(300_000))).isEqualTo("***");
    assertThat(SHAPES.summarize("token=".repeat(50_000))).isEqualTo("***");
    assertThat(SHAPES.summarize("ab ".repeat(100_000))).hasSize(256);
  }

  /** A quadratic rule needs hours for any of these; five minutes are for a machine that is busy. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "a/",
        "a b",
        "a://",
        "a://b#",
        "a://b@",
        "eyJ-",
        "eyJ.",
        "token=",
        "token ",
        "token:basic ",
        "password ' ",
        "-----BEGIN ",
        "-----BEGIN -----END ",
        "hvs.",
        "=",
        " ",
        "\n",
      })
  void a_megabyte_takes_time_in_proportion_to_its_length(String part) {
    var megabyte = part.repeat((1 << 20) / part.length());
    assertTimeoutPreemptively(Duration.ofMinutes(5), () -> SHAPES.redact(megabyte));
    assertTimeoutPreemptively(Duration.ofMinutes(5), () -> SHAPES.summarize(megabyte));
  }

  @RepeatedTest(20)
  void key_material_does_not_survive_in_its_usual_clothes() {
    var key = new byte[32];
    new SecureRandom().nextBytes(key);
    var base64 = Base64.getEncoder().encodeToString(key);
    var hex = HexFormat.of().formatHex(key);
    var shown = SHAPES.summarize("cannot decrypt " + base64 + " with " + hex + " today");
    assertThat(shown).startsWith("cannot decrypt ").endsWith(" with *** today");
    assertThat(shown).doesNotContain(base64.substring(base64.length() - 12)).doesNotContain(hex);
  }

  @Test
  void a_known_secret_is_removed_however_it_was_written() {
    var secret = "swordfish \"quoted\"\nsecond line";
    var base64 = Base64.getEncoder().encodeToString(secret.getBytes(StandardCharsets.UTF_8));
    var redactor = Redactor.of(List.of(secret));

    assertThat(redactor.redact("a " + secret + " b")).isEqualTo("a *** b");
    assertThat(redactor.redact("a swordfish \\\"quoted\\\"\\nsecond line b")).isEqualTo("a *** b");
    assertThat(redactor.redact("line 3: second line!")).isEqualTo("line 3: ***!");
    assertThat(redactor.redact("data: " + base64)).startsWith("data: ***");
  }

  @Test
  void a_known_secret_within_a_longer_one_does_not_spare_the_rest() {
    assertThat(Redactor.of(List.of("sword", "swordfish")).redact("swordfish")).isEqualTo("***");
  }

  @Test
  void words_too_short_to_be_secrets_are_left_alone() {
    assertThat(Redactor.of(List.of("a", "12", "")).redact("a 12")).isEqualTo("a 12");
  }

  @Test
  void known_secrets_and_shapes_are_removed_together() {
    var both = Redactor.of(List.of("swordfish")).and(Redactor.byShape());

    assertThat(both.summarize("swordfish\ntoken=abc refused")).isEqualTo("***; *** refused");
  }
}
