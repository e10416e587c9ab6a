// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PercentTest {
  @ParameterizedTest
  @CsvSource({
    "plain-1._~:/@+=, plain-1._~:/@+=",
    "k y%, k%20y%25",
    "'\u00e4\n\"', %C3%A4%0A%22",
    "\ud83d\udd11, %F0%9F%94%91",
    "'', ''",
  })
  void all_but_letters_digits_and_marks_is_encoded(String text, String encoded) {
    assertThat(Percent.encode(text, Percent.ID_MARKS)).isEqualTo(encoded);
    assertThat(Percent.decode(encoded)).contains(text);
  }

  @Test
  void characters_that_were_not_encoded_stay_as_they_are_also_beyond_the_bmp() {
    assertThat(Percent.decode("kek\ud83d\udd11%2f\u00e4%C3%A4"))
        .contains("kek\ud83d\udd11/\u00e4\u00e4");
  }

  @ParameterizedTest
  @ValueSource(strings = {"%", "%4", "a%zz", "%ff%fe", "%f0%9f", "%\u0664\u0664", "\ud83d", "%+1"})
  void what_is_no_text_is_refused(String text) {
    assertThat(Percent.decode(text)).isEmpty();
  }

  @Test
  void an_escape_stands_for_a_byte() {
    assertThat(Percent.byteAt("a%fFb", 1)).hasValue(0xff);
    assertThat(Percent.byteAt("a%fFb", 0)).isEmpty();
    assertThat(Percent.byteAt("a%f", 1)).isEmpty();
  }

  @Test
  void what_is_encoded_is_decoded_whatever_it_was() {
    var random = new Random(11);
    for (int round = 0; round < 5_000; round++) {
      var text = new StringBuilder();
      for (int i = random.nextInt(20); i > 0; i--) {
        int point = random.nextInt(random.nextBoolean() ? 0x80 : Character.MAX_CODE_POINT + 1);
        text.appendCodePoint(point >= 0xd800 && point < 0xe000 ? '%' : point);
      }

      var encoded = Percent.encode(text.toString(), Percent.ID_MARKS);

      assertThat(encoded).matches("[A-Za-z0-9%._~:/@+,=-]*");
      assertThat(Percent.decode(encoded)).contains(text.toString());
    }
  }
}
