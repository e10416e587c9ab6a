// SPDX-License-Identifier: Apache-2.0
package io.krypton.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * No test of any module gives real processes, threads or sockets less time than a busy machine may
 * take. How fast something is belongs into the bench; a test shows an order of events, a count, or
 * gives half a minute.
 */
class TimeBoundsTest {
  private static final Duration LEAST = Duration.ofSeconds(10);

  /** Their durations come from a calculation, not from a clock. */
  private static final Set<String> CALCULATED =
      Set.of("HealthCheckTimingsTest", "HealthAggregatorTest");

  private static final Pattern BOUND =
      Pattern.compile(
          "\\b(atMost|isLessThan|isLessThanOrEqualTo|isBefore|isBetween|waitFor|join|exitWithin)\\(");
  private static final Pattern LITERAL =
      Pattern.compile("of(Millis|Seconds)\\((\\d+)\\)|(\\d+), (?:TimeUnit\\.)?(MILLI)?SECONDS");
  private static final Pattern CONSTANT =
      Pattern.compile("Duration (\\w+) =\\s+Duration\\.of(Millis|Seconds)\\((\\d+)\\);");

  @Test
  void no_test_bounds_real_time_too_closely() throws IOException {
    try (var files = Files.walk(Path.of(".."))) {
      var sources =
          files
              .filter(it -> it.toString().contains("/src/test/java/"))
              .filter(it -> it.toString().endsWith(".java"))
              .filter(it -> !CALCULATED.contains(simpleName(it)))
              .toList();
      assertThat(sources).as("sources of tests").hasSizeGreaterThan(300);

      var tight = new ArrayList<String>();
      for (var source : sources) {
        tight.addAll(tightBounds(source.getFileName().toString(), Files.readString(source)));
      }

      assertThat(tight).isEmpty();
    }
  }

  @Test
  void a_bound_is_found_in_each_of_its_forms() {
    assertThat(tightBounds("A", call("atMost", "Duration.ofMillis(900)"))).hasSize(1);
    assertThat(tightBounds("A", "await()\n" + call("atMost", "5, SECONDS"))).hasSize(1);
    assertThat(tightBounds("A", call("waitFor", "5, TimeUnit.SECONDS"))).hasSize(1);
    assertThat(tightBounds("A", call("isBefore", "start.plus(Duration.ofSeconds(3))"))).hasSize(1);
    var constant = "Duration SHORT = Duration.ofSeconds(2);\n";
    assertThat(tightBounds("A", constant + call("atMost", "SHORT"))).hasSize(1);
    assertThat(tightBounds("A", call("atMost", "Duration.ofSeconds(30)") + ".every(ofMillis(5))"))
        .isEmpty();
  }

  private static String call(String method, String arguments) {
    return ".%s(%s)".formatted(method, arguments);
  }

  private static String simpleName(Path source) {
    return source.getFileName().toString().replace(".java", "");
  }

  private static List<String> tightBounds(String file, String text) {
    var constants = new HashMap<String, Duration>();
    CONSTANT
        .matcher(text)
        .results()
        .forEach(it -> constants.put(it.group(1), duration(it.group(2), it.group(3))));
    var tight = new ArrayList<String>();
    var bounds = BOUND.matcher(text);
    while (bounds.find()) {
      var arguments = text.substring(bounds.end(), closing(text, bounds.end()));
      if (durations(arguments, constants).stream().anyMatch(it -> it.compareTo(LEAST) < 0)) {
        var line = text.substring(0, bounds.start()).lines().count();
        tight.add("%s:%d %s(%s)".formatted(file, line, bounds.group(1), arguments.strip()));
      }
    }
    return tight;
  }

  private static List<Duration> durations(String arguments, Map<String, Duration> constants) {
    var found = new ArrayList<Duration>();
    LITERAL
        .matcher(arguments.replace("_", ""))
        .results()
        .forEach(
            it ->
                found.add(
                    it.group(1) == null
                        ? duration(it.group(4) == null ? "Seconds" : "Millis", it.group(3))
                        : duration(it.group(1), it.group(2))));
    Optional.ofNullable(constants.get(arguments.strip())).ifPresent(found::add);
    return found;
  }

  private static Duration duration(String unit, String number) {
    return unit.equals("Millis")
        ? Duration.ofMillis(Long.parseLong(number))
        : Duration.ofSeconds(Long.parseLong(number));
  }

  /** Where the parenthesis closes that was opened just before. */
  private static int closing(String text, int from) {
    var open = 1;
    var at = from;
    while (open > 0 && at < text.length()) {
      open += text.charAt(at) == '(' ? 1 : text.charAt(at) == ')' ? -1 : 0;
      at++;
    }
    return at - 1;
  }
}
