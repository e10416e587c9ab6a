// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.base.settings.SettingsException;
import io.krypton.base.settings.SettingsFile;
import io.krypton.cli.Main.SingleDashFlags;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

class FlagDefaultsTest {
  private final List<String> warnings = new ArrayList<>();

  @Test
  void the_flag_wins_over_everything() {
    var parsed =
        parse(
            Map.of("KRYPTON_NAMESPACE", "from-env", "WATCH_NAMESPACE", "from-older"),
            Map.of("namespace", "from-file"),
            "--namespace=from-flag");
    assertThat(parsed.namespace).isEqualTo("from-flag");
  }

  @Test
  void our_variable_wins_over_the_older_one_and_both_over_the_file() {
    var file = Map.of("namespace", "from-file");
    assertThat(
            parse(Map.of("KRYPTON_NAMESPACE", "ours", "WATCH_NAMESPACE", "older"), file).namespace)
        .isEqualTo("ours");
    assertThat(parse(Map.of("WATCH_NAMESPACE", "older", "POD_NAMESPACE", "oldest"), file).namespace)
        .isEqualTo("older");
    assertThat(parse(Map.of("POD_NAMESPACE", "oldest"), file).namespace).isEqualTo("oldest");
    assertThat(parse(Map.of(), file).namespace).isEqualTo("from-file");
    assertThat(parse(Map.of(), Map.of()).namespace).isEqualTo("default");
  }

  @Test
  void an_empty_variable_counts_as_unset() {
    assertThat(parse(Map.of("KRYPTON_NAMESPACE", ""), Map.of()).namespace).isEqualTo("default");
  }

  @Test
  void a_bad_variable_is_told_and_skipped() {
    var parsed =
        parse(
            Map.of("KRYPTON_WAIT", "soon", "KRYPTON_SKIP", "maybe", "KRYPTON_MODE", "upside-down"),
            Map.of());
    assertThat(parsed.wait).isEqualTo(Duration.ofMinutes(1));
    assertThat(parsed.skip).isFalse();
    assertThat(parsed.mode).isEqualTo(Mode.auto);
    assertThat(warnings)
        .contains("KRYPTON_WAIT=soon is not a valid value for --wait and is ignored")
        .hasSize(3);
  }

  @Test
  void booleans_in_variables_have_three_spellings_in_any_case() {
    for (var yes : List.of("true", "1", "YES")) {
      assertThat(parse(Map.of("KRYPTON_SKIP", yes), Map.of()).skip).as(yes).isTrue();
    }
    for (var no : List.of("false", "0", "No")) {
      assertThat(parse(Map.of("KRYPTON_SKIP", no), Map.of("skip", "true")).skip).as(no).isFalse();
    }
  }

  @Test
  void a_key_of_the_file_that_is_no_flag_is_refused(@TempDir Path directory) throws Exception {
    var file = Files.writeString(directory.resolve("f.yaml"), "namespace: a\nskipp: true\n");
    var arguments = new String[] {"sample", "--config", file.toString()};
    var spec = new CommandLine(new Sample()).getCommandSpec();

    assertThatThrownBy(() -> FlagDefaults.file(arguments, Map.of(), () -> List.of(spec)))
        .isInstanceOf(SettingsException.class)
        .hasMessage(
            "--config \"%s\": \"skipp\" is not a setting; did you mean 'skip'?".formatted(file));

    Files.writeString(file, "namespace: a\n");
    assertThat(FlagDefaults.file(arguments, Map.of(), () -> List.of(spec)).values())
        .isEqualTo(Map.of("namespace", "a"));
    assertThat(
            FlagDefaults.file(
                    new String[] {"sample"},
                    Map.of("KRYPTON_CONFIG", file.toString()),
                    () -> List.of(spec))
                .values())
        .isEqualTo(Map.of("namespace", "a"));
  }

  @Test
  void an_older_name_of_a_flag_has_its_variable_and_its_key_too() {
    assertThat(parse(Map.of("KRYPTON_LOOK_AGAIN", "2s"), Map.of()).interval).hasSeconds(2);
    assertThat(parse(Map.of(), Map.of("look-again", "3s")).interval).hasSeconds(3);
    assertThat(
            parse(
                    Map.of("KRYPTON_LOOK_AGAIN", "2s", "KRYPTON_INTERVAL", "4s"),
                    Map.of("interval", "5s"))
                .interval)
        .hasSeconds(4);
    assertThat(parse(Map.of(), Map.of("look-again", "3s", "interval", "5s")).interval)
        .hasSeconds(5);
  }

  @Test
  void flags_of_old_manifests_may_have_one_dash() {
    assertThat(
            parse(
                    Map.of(),
                    Map.of(),
                    SingleDashFlags.normalize(
                        Set.of("--namespace", "--skip"), "-namespace=x", "-skip"))
                .namespace)
        .isEqualTo("x");
    assertThat(
            SingleDashFlags.normalize(
                Set.of("-h", "--chart-repo"), "-h", "--x", "-5", "value", "-chart-repo", "y"))
        .containsExactly("-h", "--x", "-5", "value", "--chart-repo", "y");
  }

  private Sample parse(Map<String, String> environment, Map<String, String> file, String... args) {
    var sample = new Sample();
    new CommandLine(sample)
        .setDefaultValueProvider(
            new FlagDefaults(
                "KRYPTON_",
                environment,
                Map.of("namespace", List.of("WATCH_NAMESPACE", "POD_NAMESPACE")),
                new SettingsFile("--config \"f\"", file),
                warnings::add))
        .parseArgs(args);
    return sample;
  }

  enum Mode {
    auto,
    never
  }

  @Command(name = "sample", mixinStandardHelpOptions = true)
  static final class Sample {
    @Option(names = "--namespace")
    String namespace = "default";

    @Option(names = "--wait", converter = DurationConverter.class)
    Duration wait = Duration.ofMinutes(1);

    @Option(
        names = {"--interval", "--look-again"},
        converter = DurationConverter.class)
    Duration interval = Duration.ofMinutes(1);

    @Option(names = "--skip", arity = "0..1", fallbackValue = "true")
    boolean skip;

    @Option(names = "--mode")
    Mode mode = Mode.auto;
  }
}
