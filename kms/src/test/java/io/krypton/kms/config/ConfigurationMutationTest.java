// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.kms.config.ReadOptions.KmsV1Policy;
import io.krypton.kms.config.ReadResult.Invalid;
import io.krypton.kms.config.ReadResult.Loaded;
import io.krypton.kms.config.decode.ConfigurationDecoder;
import io.krypton.kms.config.yaml.Document;
import io.krypton.kms.config.yaml.InvalidConfigurationException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is done to a file with keys, reading it ends with a result that does not show them. */
class ConfigurationMutationTest {
  private static final int FILES = 2_000;

  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_]+|\\s+|[^\\sA-Za-z0-9_]");
  private static final List<String> INSERTS =
      List.of(
          "y",
          "010",
          "1e3",
          "1.5",
          "null",
          "''",
          "{}",
          "[]",
          "[",
          "]",
          "{",
          "}",
          ": ",
          ":",
          "- ",
          "? ",
          " #",
          "&a ",
          "*a",
          "!!str ",
          "!!binary ",
          "!!int ",
          "|\n",
          ">-\n",
          "'",
          "\"",
          "\\",
          "\\u0041",
          "\\ud83d",
          "\\U00110000",
          "%",
          "@",
          "`",
          ",",
          "\n",
          "\n  ",
          "\n    ",
          "\t",
          "\r\n",
          "---\n",
          "...\n",
          "<<: ",
          "%YAML 1.1\n",
          "\u00e9",
          "\u0085",
          "\u2028",
          "\ufeff",
          "\ud83d\ude00",
          "\u0007",
          "\0",
          "kms: ",
          "name: ",
          "secret: ",
          "resources",
          "unix://");

  @RepeatedTest(5)
  void a_mutated_file_never_breaks_the_reader_nor_shows_a_key(RepetitionInfo repetition) {
    int seed = 20_260_101 + repetition.getCurrentRepetition();
    var random = new Random(seed);
    for (int i = 0; i < FILES; i++) {
      var sample = KeyedFile.random(random);
      var mutated = mutate(sample.content(), random);
      var options =
          new ReadOptions(
              random.nextBoolean(), random.nextBoolean() ? KmsV1Policy.WARN : KmsV1Policy.DENY);
      var charset = random.nextInt(20) == 0 ? ISO_8859_1 : UTF_8;
      try {
        check(sample, EncryptionConfigurations.read("P", mutated.getBytes(charset), options));
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed %d, file %d".formatted(seed, i), e);
      }
    }
  }

  private static void check(KeyedFile sample, ReadResult result) {
    switch (result) {
      case Invalid invalid -> assertThat(sample.isShownIn(invalid.toString())).isFalse();
      case Loaded loaded -> {
        // A key that became a name or an address of a valid file is one.
        boolean misplaced =
            loaded.configuration().kmsProviders().stream()
                .anyMatch(p -> sample.isShownIn(p.name() + " " + p.endpoint()));
        assertThat(misplaced || !sample.isShownIn(loaded.toString())).isTrue();
      }
    }
  }

  static List<KeyedFile> samples() {
    var random = new Random(1);
    return IntStream.range(0, 20).mapToObj(i -> KeyedFile.random(random)).toList();
  }

  @ParameterizedTest
  @MethodSource("samples")
  void nothing_that_was_parsed_shows_a_key(KeyedFile sample) throws InvalidConfigurationException {
    var document = Document.parse(sample.content().getBytes(UTF_8));

    assertThat(sample.isShownIn(sample.content())).isTrue();
    assertThat(sample.isShownIn(document.toString())).isFalse();
    assertThat(sample.isShownIn(ConfigurationDecoder.decode(document).toString())).isFalse();
  }

  private static String mutate(String content, Random random) {
    var tokens = TOKEN.matcher(content).results().map(r -> r.group()).collect(Collectors.toList());
    for (int n = random.nextInt(4); n >= 0 && !tokens.isEmpty(); n--) {
      int at = random.nextInt(tokens.size());
      var insert = INSERTS.get(random.nextInt(INSERTS.size()));
      switch (random.nextInt(7)) {
        case 0 -> tokens.remove(at);
        case 1 -> tokens.set(at, insert);
        case 2 -> tokens.add(at, insert);
        case 3 -> tokens.set(at, tokens.get(random.nextInt(tokens.size())));
        case 4 -> tokens.add(at, tokens.get(random.nextInt(tokens.size())));
        case 5 -> tokens.subList(at, Math.min(tokens.size(), at + random.nextInt(9))).clear();
        default -> tokens = swapLines(tokens, random);
      }
    }
    return String.join("", tokens);
  }

  private static List<String> swapLines(List<String> tokens, Random random) {
    var lines = Arrays.asList(String.join("", tokens).split("\n", -1));
    int one = random.nextInt(lines.size());
    int other = random.nextInt(lines.size());
    var kept = lines.get(one);
    lines.set(one, lines.get(other));
    lines.set(other, kept);
    return new ArrayList<>(
        lines.stream().flatMap(line -> Arrays.stream(new String[] {line, "\n"})).toList());
  }
}
