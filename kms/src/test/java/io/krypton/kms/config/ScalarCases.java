// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config;

import static io.krypton.kms.config.ConfigurationCase.accepted;
import static io.krypton.kms.config.ConfigurationCase.invalid;
import static io.krypton.kms.config.ConfigurationCase.kms;
import static io.krypton.kms.config.ConfigurationCase.undecodable;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** YAML 1.1 scalars where a text, a number or a duration is expected. */
final class ScalarCases {
  private static final String KMS = "KMSConfiguration.resources.providers.kms.";

  private ScalarCases() {}

  static List<ConfigurationCase> all() {
    return Stream.of(texts(), numbers(), durations()).flatMap(List::stream).toList();
  }

  private static List<ConfigurationCase> texts() {
    var cases = new ArrayList<ConfigurationCase>();
    for (var flag : List.of("y", "N", "yes", "No", "on", "OFF", "true", "False")) {
      cases.add(nameOfType(flag, "bool"));
    }
    for (var number : List.of("010", "0o17", "0x1f", "0b11", "1_000", "1e3", "08", "-.5", "+7")) {
      cases.add(nameOfType(number, "number"));
    }
    for (var text :
        List.of("2020-01-01", "'5'", "yEs", "0x", "1e400", "-", "!!str 5", "! 5", "nil")) {
      cases.add(accepted("a text: " + text, named(text)));
    }
    for (var absent : List.of("~", "null", "NULL", "''", "")) {
      cases.add(
          invalid(
              "no name: '" + absent + "'",
              named(absent),
              "resources[0].providers[0].kms.name: Required value: name is a mandatory field for a"
                  + " provider"));
    }
    cases.add(accepted("no sexagesimals", kms("name: 1:30, endpoint: 'unix:///a'")));
    cases.add(undecodable("infinity", named(".inf"), "json: unsupported value: +Inf"));
    cases.add(
        undecodable(
                "a tag that does not fit",
                named("!!int x"),
                "yaml: line 5: the value does not fit its tag !!int")
            .differingIn(Difference.SYNTAX));
    return cases;
  }

  private static String named(String name) {
    return kms("apiVersion: v2, name: " + name + ", endpoint: 'unix:///a', timeout: 1ms");
  }

  private static ConfigurationCase nameOfType(String name, String type) {
    return undecodable(
        "no text: " + name,
        named(name),
        "json: cannot unmarshal " + type + " into Go struct field " + KMS + "name of type string");
  }

  private static List<ConfigurationCase> numbers() {
    return List.of(
        accepted("1000.0 is an integer", cached("1000.0")),
        accepted("1e3 is an integer", cached("1e3")),
        accepted("0x10 is an integer", cached("0x10")),
        accepted("a negative cache size disables the cache", cached("-1")),
        accepted("null as cache size", cached("~")),
        notInt32("1.5", "number 1.5"),
        notInt32("2147483648", "number 2147483648"),
        notInt32("1e30", "number 1e+30"),
        notInt32("0.0000001", "number 1e-7"),
        notInt32("'5'", "string"),
        notInt32("no", "bool"));
  }

  private static String cached(String size) {
    return kms("name: a, endpoint: 'unix:///a', cachesize: " + size);
  }

  private static ConfigurationCase notInt32(String size, String found) {
    return undecodable(
        "no cache size: " + size,
        cached(size),
        "json: cannot unmarshal "
            + found
            + " into Go struct field "
            + KMS
            + "cachesize of type int32");
  }

  private static List<ConfigurationCase> durations() {
    return List.of(
        accepted("several units", timeout("1us1000ns")),
        accepted("a fraction and a sign", timeout("'+.5ms'")),
        accepted("both letters mu", timeout("1\u00b5s1\u03bcs")),
        accepted(
            "the longest duration",
            kms("name: a, endpoint: 'unix:///a', timeout: 9223372036854775807ns")),
        badDuration("3x", "unknown unit \"x\" in duration \"3x\""),
        badDuration("'3'", "missing unit in duration \"3\""),
        badDuration("s", "invalid duration \"s\""),
        badDuration("''", "invalid duration \"\""),
        badDuration("1d", "unknown unit \"d\" in duration \"1d\""),
        badDuration("9223372036854775808ns", "invalid duration \"9223372036854775808ns\""),
        badDuration("1\u00e9", "unknown unit \"\\xc3\\xa9\" in duration \"1\\xc3\\xa9\""),
        undecodable(
            "a number is no duration",
            timeout("3"),
            "json: cannot unmarshal number into Go struct field " + KMS + "timeout of type string"),
        notPositive("0s", "0s"),
        notPositive("'0'", "0s"),
        notPositive("-90m", "-1h30m0s"),
        notPositive("-1500us", "-1.5ms"),
        notPositive("-12ns", "-12ns"),
        notPositive("0.1ns", "0s"));
  }

  private static String timeout(String duration) {
    return kms("apiVersion: v2, name: a, endpoint: 'unix:///a', timeout: " + duration);
  }

  private static ConfigurationCase badDuration(String duration, String why) {
    return undecodable("no duration: " + duration, timeout(duration), "time: " + why);
  }

  private static ConfigurationCase notPositive(String duration, String shown) {
    return invalid(
        "not positive: " + duration,
        timeout(duration),
        "resources[0].providers[0].kms.timeout: Invalid value: \""
            + shown
            + "\": timeout should be a positive value");
  }
}
