package io.krypton.kms.config.decode;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.kms.config.yaml.InvalidConfigurationException;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is no duration is part of the table of files. */
class GoDurationFormatTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0s",
    "1ns, 1ns",
    "1100ns, 1.1\u00b5s",
    "2200us, 2.2ms",
    "3300ms, 3.3s",
    "4m5s, 4m5s",
    "4m5.001s, 4m5.001s",
    "5h6m7.001s, 5h6m7.001s",
    "1h, 1h0m0s",
    "-1.5h, -1h30m0s",
    "9223372036854775807ns, 2562047h47m16.854775807s",
    "-9223372036854775808ns, -2562047h47m16.854775808s",
    "1.s.5s, 1.5s",
  })
  void a_duration_is_written_as_go_does(String text, String written)
      throws InvalidConfigurationException {
    assertThat(GoDurationFormat.format(GoDurationFormat.parse(text))).isEqualTo(written);
  }

  @Test
  void what_is_written_can_be_read() throws InvalidConfigurationException {
    var random = new Random(7);
    for (int i = 0; i < 10_000; i++) {
      var duration = Duration.ofNanos(random.nextLong() >> random.nextInt(64));

      assertThat(GoDurationFormat.parse(GoDurationFormat.format(duration))).isEqualTo(duration);
    }
  }
}
